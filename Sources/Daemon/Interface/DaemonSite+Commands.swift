internal import Catalog
internal import Journal
internal import Machines
internal import Server

extension DaemonSite {
    func record(camera: String, forMs: Int64?, by caller: Caller) async throws -> CameraState {
        let runtime = try known(camera)
        let control = runtime.actor.view.machine.intent.policy.timeControl
        let lengthMs = forMs ?? control.initialMs
        let before = runtime.actor.view
        if let refusal = refusal(before.machine, camera) { throw refusal }
        runtime.shell.change { $0.caller = "\(caller)" }
        runtime.actor.inbox.tell(
            .commanded(
                TimeControl(
                    initialMs: lengthMs, augmentationMs: control.augmentationMs,
                    maxMs: forMs == nil ? max(control.maxMs, lengthMs) : lengthMs)))
        return try await settled(runtime) { $0.trigger.active?.window.commanded == true }
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
        runtime.shell.change { $0.caller = "\(caller)" }
        runtime.turn { switches in for (key, value) in values { switches[key] = value } }
        try await keep(values.keys.sorted { $0.rawValue < $1.rawValue }, runtime, caller)
        return try await settled(runtime) { machine in
            let switches = Switches(enabled: machine.intent.enabled, privacy: machine.intent.privacy)
            return values.allSatisfy { switches[$0.key] == $0.value }
        }
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

    /// The state after the machine has taken what it was told, or after a second at most.
    private func settled(_ camera: CameraRuntime, _ isDone: (Camera) -> Bool) async throws -> CameraState {
        for _ in 0..<100 where !isDone(camera.actor.view.machine) {
            try await Task.sleep(for: .milliseconds(10))
        }
        return state(of: camera)
    }

    private func refusal(_ machine: Camera, _ camera: String) -> SiteError? {
        let intent = machine.intent
        func refuse(_ why: String, _ remedy: String) -> SiteError {
            SiteError(.conflict, what: "recording of camera \(camera)", why: why, remedy: remedy)
        }
        if intent.draining { return refuse("the daemon is stopping", "try again when it runs") }
        if intent.blocked { return refuse("privacy is on", "switch it off: vigil privacy \(camera) off") }
        if !intent.enabled { return refuse("the recording toggle is off", "switch it on: vigil enable \(camera)") }
        if intent.policy.mode == .off {
            return refuse("the policy's mode is off at this time", "change the policy: vigil policy list")
        }
        return nil
    }
}
