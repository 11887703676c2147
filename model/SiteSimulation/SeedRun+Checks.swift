internal import Catalog
internal import Daemon
internal import Foundation
internal import Machines

extension SeedRun {
    /// After a start: what the last run of the daemon left is in order, before anything new begins.
    func checkRecovered(_ site: HostedSite) throws {
        let catalog = site.catalog
        for clip in try catalog.openClips() {
            checker.fail("D5", clip.camera, "clip \(clip.id) is open after recovery")
        }
        for clip in try catalog.deletingClips() {
            checker.fail("D6", clip.camera, "clip \(clip.id) is still being deleted after recovery")
        }
        for event in try catalog.events(EventQuery(limit: 100, newestFirst: true)) where event.why == nil {
            checker.fail("D5", event.begun.camera, "event \(event.id) is active after recovery")
        }
        try checkFiles(catalog)
        checker.auditRecovered()
    }

    /// D2: each file below `clips/` is claimed by a row.
    private func checkFiles(_ catalog: Catalog) throws {
        var claimed: Set<String> = []
        var query = ClipQuery(limit: ClipQuery.limitMax, includingOpen: true)
        while true {
            let page = try catalog.clips(query)
            for clip in page { for track in clip.tracks { claimed.insert(track.path) } }
            guard page.count == ClipQuery.limitMax, let last = page.last else { break }
            query.after = ClipQuery.Key(startWallMs: last.start.wallMs, id: last.id)
        }
        let paths = FileManager.default.enumerator(atPath: files.root + "/clips")
        while let name = paths?.nextObject() as? String {
            if name.contains("."), !claimed.contains("clips/" + name) {
                checker.fail("D2", nil, "no row claims \(name)")
            }
        }
    }

    /// After a calm: everything that is wanted is done. What is just being cut or closed gets a moment.
    func checkCalm() {
        for name in scenario.names { checker.checkLabels(name) }
        var problems = findings()
        // After a forced cut nothing is recorded before the next key frame, and the retry after it.
        func waitsForKey(_ problem: (rule: String, camera: String?, words: String)) -> Bool {
            problem.rule == "L1" && problem.camera.flatMap { checker.cameras[$0] }?.groupMs ?? 0 > 10_000
        }
        for round in 0..<60 where !problems.isEmpty && checker.violations.isEmpty {
            guard round < 4 || problems.allSatisfy(waitsForKey) else { break }
            virtualTime.run(until: virtualTime.now + 700)
            let now = findings()
            problems = problems.filter { old in now.contains { $0.rule == old.rule && $0.camera == old.camera } }
        }
        for problem in problems { checker.fail(problem.rule, problem.camera, problem.words) }
    }

    private func findings() -> [(rule: String, camera: String?, words: String)] {
        guard let site else { return [] }
        var found: [(rule: String, camera: String?, words: String)] = []
        if site.storage == .lost { found.append(("L5", nil, "the storage is called lost, and it is fine")) }
        for name in site.overdue { found.append(("L4", name, "a deadline is overdue")) }
        var active = 0
        var open: Set<ClipID> = []
        for name in scenario.names {
            guard let view = site.view(name) else {
                found.append(("simulation", name, "the camera is not there"))
                continue
            }
            let machine = view.machine
            if machine.intent.storage == .lost, site.storage != .lost {
                found.append(("L5", name, "it was not told that the storage is usable"))
            }
            if let wanted = switches[name],
                machine.intent.enabled != wanted.enabled || machine.intent.privacy != wanted.privacy
            {
                found.append(("overrides", name, "the switches are not what they were set to"))
            }
            if let policy = scenario.policy(of: name, atUnixMs: virtualTime.wallMs),
                policy != machine.intent.policy
            {
                found.append(("policy", name, "it follows another policy than the one configured"))
            }
            if machine.linkWanted, machine.link.phase != .streaming {
                found.append(("L1", name, "not streaming: \(machine.link.phase.rawValue)"))
            }
            if machine.mediaWanted {
                switch machine.recorder.state {
                case .writing, .cutting: break
                case .idle, .opening: found.append(("L1", name, "not recording: \(machine.coverage.rawValue)"))
                }
            }
            if machine.trigger.active != nil { active += 1 }
            if let clip = view.clip { open.insert(clip) }
            if view.lost > 0 { found.append(("inbox", name, "\(view.lost) facts were lost")) }
        }
        do {
            for clip in try site.catalog.openClips() where !open.contains(clip.id) {
                found.append(("D1", clip.camera, "clip \(clip.id) is open, and nobody writes it"))
            }
            let events = try site.catalog.events(EventQuery(limit: 1_000, newestFirst: true)).filter { $0.why == nil }
            if events.count > active {
                let words = "\(events.count) events are open in the catalog, \(active) are active"
                found.append(("events", events[0].begun.camera, words))
            }
        } catch { found.append(("simulation", nil, "\(error)")) }
        return found
    }

    /// S8. After a stop nothing is left over; what the shell still holds is told as `leak`.
    func checkStopped(_ site: HostedSite, _ daemonRun: DaemonRun) {
        if !daemonRun.isIdle { checker.fail("L4", nil, "work is still being done long after the stop") }
        if !daemonRun.dials.isEmpty {
            checker.fail("leak", nil, "\(daemonRun.dials.count) dials are open after the stop")
        }
        for (name, view) in site.views {
            if view.hasDial { checker.fail("leak", name, "the shell holds a dial after the stop") }
            if view.clip != nil { checker.fail("leak", name, "the recorder holds a clip after the stop") }
            if view.ringFrames > 0 {
                checker.fail("S7", name, "the ring holds \(view.ringFrames) frames after the stop")
            }
        }
    }
}
