internal import Catalog
internal import Journal
internal import Machines
internal import Server

extension DaemonSite {
    func record(camera: String, forMs: Int64?, by caller: Caller) async throws -> CameraState {
        let runtime = try known(camera)
        let control = runtime.actor.snapshot.machine.intent.policy.timeControl
        let lengthMs = forMs ?? control.initialMs
        let before = runtime.actor.snapshot
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
        let runtime = try known(camera)
        try await keep([(.enabled, enabled)], camera, caller)
        runtime.shell.change { $0.caller = "\(caller)" }
        runtime.actor.inbox.tell(.enabled(enabled))
        return try await settled(runtime) { $0.intent.enabled == enabled }
    }

    func setPrivacy(camera: String, change: PrivacyCommand, by caller: Caller) async throws -> CameraState {
        let runtime = try known(camera)
        var privacy = runtime.actor.snapshot.machine.intent.privacy
        var values: [(CameraOverride.Key, Bool)] = []
        if let hard = change.hard {
            privacy.hard = hard
            values.append((.hard, hard))
        }
        if let softRecording = change.softRecording {
            privacy.softRecording = softRecording
            values.append((.softRecording, softRecording))
        }
        if let softLive = change.softLive {
            privacy.softLive = softLive
            values.append((.softLive, softLive))
        }
        // The machine is told first: what must not be recorded must not wait for a disk.
        runtime.shell.change { $0.caller = "\(caller)" }
        runtime.actor.inbox.tell(.privacy(privacy))
        try await keep(values, camera, caller)
        let wanted = privacy
        return try await settled(runtime) { $0.intent.privacy == wanted }
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
        return ClipInfo(found)
    }

    /// Keeps switches over a restart.
    private func keep(_ values: [(CameraOverride.Key, Bool)], _ camera: String, _ caller: Caller) async throws {
        let (catalog, wall) = (catalog, clock.wallMs())
        do {
            try await Blocking.run {
                for (key, value) in values {
                    try catalog.setOverride(
                        CameraOverride(camera: camera, key: key, value: value, sinceWallMs: wall, by: "\(caller)"))
                }
            }
        } catch {
            throw SiteError(
                .unavailable, what: "the switch of camera \(camera)", why: "it cannot be kept: \(error)",
                remedy: "the switch is set until the daemon restarts; look at the storage")
        }
    }

    /// The state after the machine has taken what it was told, or after a second at most.
    private func settled(_ camera: CameraRuntime, _ isDone: (Camera) -> Bool) async throws -> CameraState {
        for _ in 0..<100 where !isDone(camera.actor.snapshot.machine) {
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
