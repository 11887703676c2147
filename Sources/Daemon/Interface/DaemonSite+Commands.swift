internal import Catalog
internal import Journal
internal import Machines
internal import Server

extension DaemonSite {
    func record(camera: String, forMs: Int64?, by caller: Caller) async throws -> CameraState {
        let runtime = try known(camera)
        let control = runtime.actor.view.machine.intent.policy.timeControl
        let lengthMs = forMs ?? control.initialMs
        let command = TimeControl(
            initialMs: lengthMs, augmentationMs: control.augmentationMs,
            maxMs: forMs == nil ? max(control.maxMs, lengthMs) : lengthMs)
        let effects = try taken(await runtime.actor.inbox.ask(.commanded(command), by: "\(caller)"), camera)
        for case .report(.refused(let why)) in effects { throw refusal(why, camera) }
        return state(of: runtime)
    }

    func setEnabled(camera: String, enabled: Bool, by caller: Caller) async throws -> CameraState {
        try await turn([.enabled: enabled], camera, caller)
    }

    func setPrivacy(camera: String, change: PrivacyCommand, by caller: Caller) async throws -> CameraState {
        var values: [CameraOverride.Key: Bool] = [:]
        values[.hard] = change.hard
        values[.softRecording] = change.softRecording
        values[.softLive] = change.softLive
        return try await turn(values, camera, caller)
    }

    func setProtected(clip: Int64, protected: Bool, by caller: Caller) async throws -> ClipInfo {
        let id = ClipID(rawValue: clip)
        let (changed, found) = try await Blocking.run { [catalog] in
            (try catalog.protect([id], protected), try catalog.clip(id))
        }
        guard let found else {
            throw SiteError(
                .notFound, what: "clip \(clip)", why: "there is none of this id",
                remedy: "vigil clips lists what there is")
        }
        guard changed.contains(id) else {
            throw SiteError(
                .conflict, what: "clip \(clip)", why: "it is being deleted by its rule",
                remedy: "protect clips before their rule is due")
        }
        journal.send(
            protected ? .clipProtected : .clipReleased, camera: found.camera,
            fields: [(.clip, "\(clip)"), (.user, "\(caller)")])
        return ClipInfo(found, growing: lookup.growing(found))
    }

    /// Turns switches, and keeps them over a restart.
    private func turn(
        _ values: [CameraOverride.Key: Bool], _ camera: String, _ caller: Caller
    ) async throws -> CameraState {
        let runtime = try known(camera)
        // The machine is told first: what must not be recorded must not wait for a disk.
        let replies = runtime.turn(values, by: "\(caller)")
        try await keep(values.keys.sorted { $0.rawValue < $1.rawValue }, runtime, caller)
        for reply in replies { _ = try taken(await reply.answer(withinMs: CameraInbox.answerMs), camera) }
        return state(of: runtime)
    }

    private func keep(_ keys: [CameraOverride.Key], _ runtime: CameraRuntime, _ caller: Caller) async throws {
        let (catalog, wall) = (catalog, clock.wallMs())
        do {
            try await Blocking.run {
                try runtime.keepSwitches { switches in
                    for key in keys {
                        try catalog.setOverride(
                            CameraOverride(
                                camera: runtime.name, key: key, value: switches[key], sinceWallMs: wall,
                                by: "\(caller)"))
                    }
                }
            }
        } catch {
            throw SiteError(
                .unavailable, what: "the switch of camera \(runtime.name)", why: "it cannot be kept: \(error)",
                remedy: "the switch is set until the daemon restarts; look at the storage")
        }
    }

    /// What the machine ordered and told when it took a request; where it did not take it, the error says so.
    func taken(_ answer: FactReply.Answer, _ camera: String) throws -> [Camera.Effect] {
        switch answer {
        case .taken(let effects, _): return effects
        case .stopped:
            throw SiteError(
                .unavailable, what: "camera \(camera)",
                why: "it has stopped: it was removed, or the daemon is stopping",
                remedy: "try again when it runs")
        case .full:
            throw SiteError(
                .unavailable, what: "camera \(camera)", why: "too many requests for it wait already",
                remedy: "ask less often")
        case .late:
            throw SiteError(
                .unavailable, what: "camera \(camera)",
                why: "it has not begun to take requests, or takes them too slowly; this one may still come to count",
                remedy: "look at its state, and try again")
        }
    }

    private func refusal(_ why: Camera.Suppression, _ camera: String) -> SiteError {
        func refuse(_ why: String, _ remedy: String) -> SiteError {
            SiteError(.conflict, what: "recording of camera \(camera)", why: why, remedy: remedy)
        }
        switch why {
        case .draining: return refuse("the daemon is stopping", "try again when it runs")
        case .privacy: return refuse("privacy is on", "switch it off: vigil privacy \(camera) off")
        case .disabled: return refuse("the recording toggle is off", "switch it on: vigil enable \(camera)")
        case .off: return refuse("the policy's mode is off at this time", "change the policy: vigil policy list")
        case .sensitivity, .zone, .blind: return refuse("the machine refused it: \(why.rawValue)", "this is a defect")
        }
    }
}
