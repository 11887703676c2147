internal import Machines
public import Server
internal import Synchronization

extension MemorySite {
    /// Begins event 99; `conflict` while the toggle is off.
    public func record(camera: String, forMs: Int64?, by caller: Caller) async throws -> CameraState {
        try change(camera, by: caller) { state in
            guard state.enabled else {
                throw SiteError(
                    .conflict, what: "camera \(camera) does not record", why: "its recording toggle is off",
                    remedy: "`vigil enable \(camera)` switches it on")
            }
            state.trigger = "active"
            state.event = 99
            state.why = "event 99 by command for \(forMs ?? 10_000) ms"
        }
    }

    /// Tells in `why` what came.
    public func trigger(camera: String, _ command: TriggerCommand, by caller: Caller) async throws -> CameraState {
        try change(camera, by: caller) { state in
            if let source = command.source {
                state.why = "source \(source) \(command.on == true ? "on" : "off")"
            } else {
                state.trigger = "active"
                let zones = command.zones?.joined(separator: " ") ?? "anywhere"
                state.why = "a detection of level \(command.level ?? 1) in \(zones)"
                if let label = command.label {
                    state.why +=
                        ": \(label)" + (command.box.map { " at \($0.x) \($0.y) \($0.width) \($0.height)" } ?? "")
                }
            }
        }
    }

    /// One preset, and the middle.
    public func ptz(camera: String) async throws -> PTZInfo {
        _ = try await state(camera: camera)
        return PTZInfo(
            camera: camera, pan: 0, tilt: 0, zoom: 0, moving: false,
            presets: [PTZInfo.Preset(token: "1", name: "gate")])
    }

    /// Looks to where a movement leads in a second; knows the preset "gate".
    public func turn(camera: String, _ command: PTZCommand, by caller: Caller) async throws -> PTZInfo {
        var info = try await ptz(camera: camera)
        if let name = command.preset ?? command.remove, name != "gate" {
            throw SiteError(.notFound, what: "preset \(name)", why: "there is none", remedy: "take gate")
        }
        if let name = command.save { info.presets.append(PTZInfo.Preset(token: "2", name: name)) }
        if let move = command.move {
            (info.pan, info.tilt, info.zoom, info.moving) = (move.pan ?? 0, move.tilt ?? 0, move.zoom ?? 0, true)
        }
        return info
    }

    /// Sets the toggle and the label that follows from it.
    public func setEnabled(camera: String, enabled: Bool, by caller: Caller) async throws -> CameraState {
        try change(camera, by: caller) { state in
            state.enabled = enabled
            state.coverage = enabled ? .recorded : .disabled
            state.why = enabled ? "continuous mode of policy shop" : "the recording toggle is off"
        }
    }

    /// What is set, over mode continuous, sensitivity 5, length 60 s, a microphone, sound and no rotation.
    public func settings(camera: String) async throws -> CameraSettingsInfo {
        let state = try await state(camera: camera)
        return CameraSettingsInfo(
            camera: camera, policy: state.policy,
            settings: Self.standard.map { key, value in
                let held = state.settings?[key]
                return CameraSettingsInfo.Line(
                    key: key, value: held ?? value, standard: value, since: held.map { _ in Self.origin },
                    by: held.map { _ in "uid 0" })
            })
    }

    private static let standard = [
        ("mode", "continuous"), ("sensitivity", "5"), ("maxEventLength", "60s"), ("microphone", "on"),
        ("recordedSound", "on"), ("rotation", "0"),
    ]

    /// Keeps what is set, whatever it is.
    public func set(camera: String, _ command: SettingsCommand, by caller: Caller) async throws -> CameraSettingsInfo {
        _ = try change(camera, by: caller) { state in
            for (key, value) in command.values {
                state.settings = (state.settings ?? [:])
                state.settings?[key] = value == SettingsCommand.standard ? nil : value
            }
        }
        return try await settings(camera: camera)
    }

    /// Sets the named switches and the label that follows from them.
    public func setPrivacy(camera: String, change: PrivacyCommand, by caller: Caller) async throws -> CameraState {
        try self.change(camera, by: caller) { state in
            state.privacy.hard = change.hard ?? state.privacy.hard
            state.privacy.softRecording = change.softRecording ?? state.privacy.softRecording
            state.privacy.softLive = change.softLive ?? state.privacy.softLive
            let covered = state.privacy.hard || state.privacy.softRecording
            state.coverage = covered ? .privacy : .recorded
            state.why = covered ? "privacy is on" : "continuous mode of policy shop"
        }
    }

    /// Protects a clip of the world.
    public func setProtected(clip: Int64, protected: Bool, by caller: Caller) async throws -> ClipInfo {
        try contents.withLock { contents in
            guard let index = contents.clips.firstIndex(where: { $0.id == clip }) else {
                throw SiteError(
                    .notFound, what: "clip \(clip)", why: "there is none", remedy: "`vigil clips` lists what there is")
            }
            contents.callers.append(caller)
            contents.clips[index].protected = protected
            return contents.clips[index]
        }
    }

    /// Deletes a clip that is not protected.
    public func deleteClip(_ clip: Int64, by caller: Caller) async throws -> ClipInfo {
        try contents.withLock { contents in
            guard let index = contents.clips.firstIndex(where: { $0.id == clip }) else {
                throw SiteError(
                    .notFound, what: "clip \(clip)", why: "there is none", remedy: "`vigil clips` lists what there is")
            }
            guard !contents.clips[index].protected else {
                throw SiteError(
                    .conflict, what: "clip \(clip)", why: "it is protected",
                    remedy: "`vigil protect --release \(clip)` releases it")
            }
            contents.callers.append(caller)
            return contents.clips.remove(at: index)
        }
    }

    /// Marks an event of the world.
    public func setSeen(event: Int64, seen: Bool, by caller: Caller) async throws -> EventInfo {
        try contents.withLock { contents in
            guard let index = contents.events.firstIndex(where: { $0.id == event }) else {
                throw SiteError(
                    .notFound, what: "event \(event)", why: "there is none",
                    remedy: "`vigil events` lists what there is")
            }
            contents.events[index].seen = seen
            contents.callers.append(caller)
            return contents.events[index]
        }
    }

    /// A trial that the world's one receiver takes.
    public func test(receiver: String, by caller: Caller) async throws -> ReceiverTrial {
        guard receiver == "phone" else {
            throw SiteError(
                .notFound, what: "receiver \(receiver)", why: "there is none", remedy: "`vigil notify list` lists them")
        }
        contents.withLock { $0.callers.append(caller) }
        return ReceiverTrial(receiver: receiver, why: nil)
    }

    /// Clears a message of the world.
    public func clearMessage(_ message: Int64, by caller: Caller) async throws -> ClearedMessages {
        try contents.withLock { contents in
            guard let index = contents.messages.firstIndex(where: { $0.id == message }) else {
                throw SiteError(
                    .notFound, what: "message \(message)", why: "there is none", remedy: "`vigil messages` lists them")
            }
            contents.messages.remove(at: index)
            contents.callers.append(caller)
            return ClearedMessages(cleared: 1)
        }
    }

    /// Clears what `messages(in:)` gives.
    public func clearMessages(in scope: CameraScope, by caller: Caller) async throws -> ClearedMessages {
        contents.withLock { contents in
            let before = contents.messages.count
            contents.callers.append(caller)
            contents.messages.removeAll { $0.camera.map(scope.contains) ?? (scope == .all) }
            return ClearedMessages(cleared: before - contents.messages.count)
        }
    }

    /// Always finds policy shop changed.
    public func reload(by caller: Caller) async throws -> ReloadReport {
        contents.withLock { $0.callers.append(caller) }
        return ReloadReport(changed: ["policy shop"])
    }

    private func change(
        _ camera: String, by caller: Caller, _ body: (inout CameraState) throws -> Void
    ) throws -> CameraState {
        try contents.withLock { world in
            guard var state = world.cameras[camera] else { throw Self.unknown(camera: camera) }
            try body(&state)
            world.cameras[camera] = state
            world.callers.append(caller)
            return state
        }
    }
}
