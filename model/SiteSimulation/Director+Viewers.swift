internal import Daemon
internal import Machines
internal import Media

extension SeedRun {
    /// Somebody looks for a while, reads now and then, too seldom at times, and leaves, with or without a word.
    func view(_ name: String) {
        guard let site, let camera = checker.cameras[name] else { return }
        do {
            guard let viewer = try site.watch(name, sound: virtualTime.random.one(of: SoundForm.allCases)) else {
                return
            }
            let until = virtualTime.now + virtualTime.random.number(1_000...300_000)
            let pauseMs: Int64 = virtualTime.random.one(of: [500, 2_000, 4_000, 9_000])
            read(viewer, of: camera, after: -1, until: until, pauseMs: pauseMs)
        } catch {
            guard let machine = site.view(name)?.machine else { return }
            let intent = machine.intent
            if machine.label != nil, !intent.privacy.hard, !intent.privacy.softLive, !intent.draining {
                checker.fail("viewer", name, "somebody who may look was refused: \(error)")
            }
        }
    }

    private func read(
        _ viewer: StreamViewer, of camera: ScriptedCamera, after last: Int, until: Int64, pauseMs: Int64
    ) {
        virtualTime.after(pauseMs) { [self] in
            var last = last
            while let item = viewer.poll() {
                switch item {
                case .ended(let why):
                    if why == .slow { slowViewers += 1 }
                    return
                case .frame(let frame): if let number = check(frame, camera, after: last) { last = number }
                case .began, .skipped, .lost: break
                }
            }
            guard virtualTime.now < until else {
                if virtualTime.random.chance(50) { viewer.leave() }
                return
            }
            read(viewer, of: camera, after: last, until: until, pauseMs: pauseMs)
        }
    }

    /// S7: nobody sees a frame of a time when nobody may look; and nobody sees one twice, or late.
    private func check(_ frame: Frame, _ camera: ScriptedCamera, after last: Int) -> Int? {
        let mark = frame.withBytes { FrameMark.decode([UInt8]($0)[...]) }
        guard let mark, mark.camera == camera.number, camera.sent.indices.contains(mark.number) else {
            checker.fail("viewer", camera.name, "a viewer got a frame that the camera never sent")
            return nil
        }
        framesSeen += 1
        if !camera.sent[mark.number].isShown {
            checker.fail("S7", camera.name, "a viewer got frame \(mark.number) of a time when nobody may look")
        }
        guard mark.isVideo else { return nil }
        if mark.number <= last {
            checker.fail("viewer", camera.name, "a viewer got frame \(mark.number) after \(last)")
        }
        return mark.number
    }

    /// Whether somebody may look at a camera, as far as its machines have been told.
    func isShown(_ camera: String) -> Bool {
        site?.views(of: camera).contains { view in
            let intent = view.machine.intent
            return !intent.privacy.hard && !intent.privacy.softLive && !intent.draining && !view.machine.stopped
        } ?? false
    }
}
