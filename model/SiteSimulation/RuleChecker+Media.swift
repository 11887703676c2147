internal import Catalog
internal import Daemon
internal import Machines

extension RuleChecker {
    /// Reads a closed clip's files and holds them against what the camera sent.
    func audit(_ id: ClipID) {
        guard let catalog = site?.catalog, let clip = try? catalog.clip(id) else {
            return fail("D7", nil, "clip \(id) is told closed and has no row")
        }
        guard clip.state == .closed, let end = clip.end else {
            return fail("D7", clip.camera, "clip \(id) is told closed and its row is \(clip.state)")
        }
        clipsAudited += 1
        audited.insert(id)
        times(clip, end)
        if clip.incomplete { lose(clip.camera) }
        var video: [Int] = []
        for track in clip.tracks {
            switch TrackFrames.frames(path: root + "/" + track.path, upTo: track.bytes) {
            case .failure(let trouble): fail("D1", clip.camera, "clip \(id): \(track.path) \(trouble.words)")
            case .success(let found):
                let numbers = found.map(\.number)
                if found.contains(where: { $0.camera != cameras[clip.camera]?.number }) {
                    fail("S1", clip.camera, "clip \(id) holds frames of another camera")
                }
                if track.kind == .video { video = numbers } else { order(numbers, clip, "sound") }
                allowed(numbers, clip, "\(track.kind.rawValue)")
            }
        }
        guard let camera = cameras[clip.camera], let first = video.first, let last = video.last else {
            if !clip.incomplete { fail("S2", clip.camera, "clip \(id) has no video and is not called incomplete") }
            return
        }
        framesFound += video.count
        order(video, clip, "video")
        if !camera.sent[first].isKey { fail("S2", clip.camera, "clip \(id) does not begin with a key frame") }
        for number in video {
            camera.sent[number].clips += 1
            if camera.sent[number].clips > 1 {
                fail("S1", clip.camera, "frame \(number) is in clip \(id) and in another")
            }
        }
        ends(clip, end, camera, last)
        joins(clip)
        chain(clip, camera, first, last)
        event(clip, camera, first, last)
    }

    /// S7: nothing in a clip came when nothing was allowed.
    private func allowed(_ numbers: [Int], _ clip: Clip, _ what: String) {
        guard let sent = cameras[clip.camera]?.sent else { return }
        guard let number = numbers.first(where: { sent.indices.contains($0) && !sent[$0].isAllowed }) else { return }
        fail("S7", clip.camera, "clip \(clip.id) holds \(what) \(number) of a time when nothing was allowed")
    }

    /// S7: a frame of a time when nothing is allowed is not kept for a moment.
    func checkRing(_ name: String, _ number: Int) {
        guard let sent = cameras[name]?.sent[number], !sent.isAllowed else { return }
        for view in site?.views(of: name) ?? [] where view.ringNewest?.ms == sent.at - bootedAt {
            fail("S7", name, "the ring took frame \(number) of a time when nothing was allowed")
        }
    }

    /// Frames of one dial follow each other without a hole.
    private func order(_ numbers: [Int], _ clip: Clip, _ what: String) {
        guard let camera = cameras[clip.camera] else { return }
        for (one, next) in zip(numbers, numbers.dropFirst()) {
            guard camera.sent.indices.contains(one), camera.sent.indices.contains(next) else {
                return fail("S1", clip.camera, "clip \(clip.id): \(what) that was never sent")
            }
            if camera.sent[one].dial != camera.sent[next].dial {
                return fail("S2", clip.camera, "clip \(clip.id): \(what) of two dials, \(one) and \(next)")
            }
            if camera.sent[one].ordinal + 1 != camera.sent[next].ordinal {
                return fail("hole", clip.camera, "clip \(clip.id): \(what) \(one) is followed by \(next)")
            }
        }
    }

    /// The longest that a cut of this camera may wait for its key frame: the grace, which begins again only where key frames are
    /// further apart.
    private func cutMs(_ camera: String) -> Int64 { cameras[camera]?.groupMs ?? 0 < 55_000 ? 60_000 : 11 * 60_000 }

    /// Begin, end and length by both clocks.
    private func times(_ clip: Clip, _ end: Moment) {
        let length = end.monotonicMs - clip.start.monotonicMs
        let wall = end.wallMs - clip.start.wallMs
        if length < 0 { fail("times", clip.camera, "clip \(clip.id) ends before it begins") }
        if abs(wall - length) > 2_000 {
            fail("times", clip.camera, "clip \(clip.id) lasts \(length) ms, and \(wall) ms by the wall clock")
        }
        // Ten minutes, the rest that is added, the graces, the pre-roll, and a group of pictures.
        let groupMs = cameras[clip.camera]?.groupMs ?? 0
        if length > 600_000 + 10_000 + cutMs(clip.camera) + 60_000 + max(groupMs, 20_000) + 5_000 {
            fail("L3", clip.camera, "clip \(clip.id) lasts \(length) ms")
        }
    }

    /// A clip ends with its last frame, or where the next of the dial came if nothing was forbidden between.
    private func ends(_ clip: Clip, _ end: Moment, _ camera: ScriptedCamera, _ last: Int) {
        guard clip.ended != .interrupted, !clip.incomplete, let bootedAt = boots[clip.opened.bootID] else { return }
        let at = end.monotonicMs + bootedAt
        if at == camera.sent[last].at { return }
        // A dial that was hung up may go on beside it.
        if let next = camera.sent[(last + 1)...].firstIndex(where: { $0.dial == camera.sent[last].dial }),
            at == camera.sent[next].at, !isBroken(\.bans, last, next, camera, slackMs: -1)
        {
            return
        }
        fail("times", clip.camera, "clip \(clip.id) ends \(at - camera.sent[last].at) ms after its last frame")
    }

    /// What continues a clip says so, and what says so does.
    private func chain(_ clip: Clip, _ camera: ScriptedCamera, _ first: Int, _ last: Int) {
        let before = tracks[clip.camera]?.clips.filter { $0.frame < first }.max { $0.frame < $1.frame }
        if let chained = clip.opened.chainedTo {
            if let before, before.id == chained, !follows(before.frame, first, camera) {
                fail("chain", clip.camera, "clip \(clip.id) is chained to \(chained), and frames lie between")
            }
            if let before, before.id == chained, isBroken(\.bans, before.frame, first, camera, slackMs: -1) {
                fail("S7", clip.camera, "clip \(clip.id) is chained to \(chained), and nothing was allowed between")
            }
            if before == nil || before?.id != chained, !hasLost(clip.camera, around: camera.sent[first].at) {
                fail("chain", clip.camera, "clip \(clip.id) is chained to \(chained), which is not the one before")
            }
        } else if let before, follows(before.frame, first, camera),
            !hasLost(clip.camera, around: camera.sent[first].at),
            !isBroken(\.breaks, before.frame, first, camera, slackMs: 300)
        {
            fail("chain", clip.camera, "clip \(clip.id) continues \(before.id) and is not chained to it")
        }
        let isWhole = clip.ended != .interrupted && !clip.incomplete
        let told = (clip.id, last, isWhole ? clip.end : nil)
        tracks[clip.camera, default: Track()].clips = (tracks[clip.camera]?.clips.suffix(7) ?? []) + [told]
    }

    /// A chained clip begins by both clocks where the one before ends; by the wall clock but for one that was set between.
    private func joins(_ clip: Clip) {
        guard let before = tracks[clip.camera]?.clips.last(where: { $0.id == clip.opened.chainedTo }),
            let end = before.end
        else { return }
        let gap = clip.start.wallMs - end.wallMs
        if end.monotonicMs != clip.start.monotonicMs || gap != 0 && abs(gap) <= 500 {
            fail(
                "times", clip.camera,
                "clip \(clip.id) begins \(gap) ms after the end of \(before.id), to which it is chained")
        }
    }

    /// Whether one of these moments lies between two frames, or so much after them: a frame that came before a moment may
    /// have been handed over after it.
    private func isBroken(
        _ moments: KeyPath<Track, [Int64]>, _ one: Int, _ next: Int, _ camera: ScriptedCamera, slackMs: Int64
    ) -> Bool {
        let (from, to) = (camera.sent[one].at, camera.sent[next].at + slackMs)
        return tracks[camera.name]?[keyPath: moments].contains { from <= $0 && $0 <= to } ?? false
    }

    private func follows(_ one: Int, _ next: Int, _ camera: ScriptedCamera) -> Bool {
        camera.sent[one].dial == camera.sent[next].dial && camera.sent[one].ordinal + 1 == camera.sent[next].ordinal
    }

    /// S2, S3: the pre-roll is as told, and media exceeds the event by no more than it and a fragment.
    private func event(_ clip: Clip, _ camera: ScriptedCamera, _ first: Int, _ last: Int) {
        let recent = EventQuery(camera: clip.camera, limit: 50, newestFirst: true)
        guard let id = clip.opened.event, let bootedAt = boots[clip.opened.bootID],
            let event = try? site?.catalog.events(recent).first(where: { $0.id == id })
        else { return }
        let began = event.begun.began.monotonicMs + bootedAt
        let start = camera.sent[first].at
        if clip.opened.preRollPromisedMs > 0 {
            let delivered = max(0, began - start)
            if abs(delivered - clip.opened.preRollDeliveredMs) > 3 * conditions.latenessMax + 5 {
                fail(
                    "S2", clip.camera,
                    "clip \(clip.id) says \(clip.opened.preRollDeliveredMs) ms of pre-roll, not \(delivered)")
            }
            if delivered < clip.opened.preRollPromisedMs, clip.opened.shortfall == nil {
                fail("S2", clip.camera, "clip \(clip.id): pre-roll is short and no reason is given")
            }
            if clip.opened.shortfall == .memory, camera.policyAt < began - 60_000 - camera.groupMs {
                fail("S2", clip.camera, "clip \(clip.id): pre-roll is short for want of memory, and there is plenty")
            }
        }
        // What goes on from a clip of the same event begins where that one ended, which may be within its pre-roll.
        // Whether there was one may be lost with the clip.
        let unknown: Int64 = hasLost(clip.camera, around: start) ? 60_000 : 0
        let promised = max(clip.opened.preRollPromisedMs, tracks[clip.camera]?.promised[id] ?? unknown)
        tracks[clip.camera, default: Track()].promised[id] = promised
        let most = promised + camera.groupMs + camera.frameMs + 12_000
        if start < began - most {
            fail("S3", clip.camera, "clip \(clip.id) begins \(began - start) ms before its event")
        }
        if let ended = event.ended, event.why != .interrupted,
            camera.sent[last].at > ended.monotonicMs + bootedAt + cutMs(clip.camera) + conditions.lateness * 4
        {
            fail(
                "S3", clip.camera,
                "clip \(clip.id) ends \(camera.sent[last].at - bootedAt - ended.monotonicMs) ms after its event")
        }
    }

    /// Whether loss was told around a moment.
    func hasLost(_ camera: String, around at: Int64) -> Bool {
        tracks[camera]?.losses.contains { $0.contains(at) } ?? false
    }

    /// Since when a label holds that an event has changed: a cut is told when it is written, and says where it was.
    func changed(_ event: Camera.Event) -> Int64 {
        switch event {
        case .cut(_, let at), .streamChanged(_, let at): min(virtualTime.now, at.ms + bootedAt)
        default: virtualTime.now
        }
    }

    /// S13: what is labelled recorded is in a clip. Looks at stretches that ended a while ago.
    func checkLabels(_ name: String) {
        guard var track = tracks[name], let camera = cameras[name] else { return }
        var number = track.labelsChecked
        var frame = camera.checked
        while number + 1 < track.labels.count {
            let (from, label) = track.labels[number]
            let to = track.labels[number + 1].at
            guard to < virtualTime.now - 90_000 else { break }
            number += 1
            guard label == .recorded else { continue }
            while frame < camera.sent.count, camera.sent[frame].at <= from { frame += 1 }
            while frame < camera.sent.count, camera.sent[frame].at < to - 3 * conditions.latenessMax - 5 {
                let sent = camera.sent[frame]
                if sent.clips == 0, sent.isTaken, !hasLost(name, around: sent.at) {
                    fail(
                        "S13", name,
                        "frame \(frame), sent at \(RunLog.clock(sent.at)), is in no clip; \(RunLog.clock(from)) to \(RunLog.clock(to)) is labelled recorded"
                    )
                    break
                }
                frame += 1
            }
        }
        camera.checked = frame
        track.labelsChecked = number
        // What is long past is not needed any more.
        track.losses.removeAll { $0.upperBound < virtualTime.now - 1_800_000 }
        tracks[name] = track
    }
}
