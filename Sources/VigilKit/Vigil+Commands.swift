internal import HTTPTypes
public import Wire

extension Vigil {
    /// Records now, for `forMs` milliseconds or the policy's own length.
    public func record(camera: String, forMs: Int64?) async throws -> CameraState {
        try await ask(.post, "/v1/cameras/\(Percent.encode(camera))/record", body: RecordCommand(forMs: forMs)).answer
    }

    /// Tells of a detection, or of a source that is on or off.
    public func trigger(camera: String, _ command: TriggerCommand) async throws -> CameraState {
        try await ask(.post, "/v1/cameras/\(Percent.encode(camera))/trigger", body: command).answer
    }

    /// Where a camera looks, and which positions it keeps.
    public func ptz(camera: String) async throws -> PTZInfo {
        try await ask(.get, "/v1/cameras/\(Percent.encode(camera))/ptz").answer
    }

    /// Turns a camera. Gives where it looks then; a movement goes on meanwhile.
    public func turn(camera: String, _ command: PTZCommand) async throws -> PTZInfo {
        try await ask(.post, "/v1/cameras/\(Percent.encode(camera))/ptz", body: command).answer
    }

    /// Sets the recording toggle.
    public func setEnabled(camera: String, enabled: Bool) async throws -> CameraState {
        try await ask(.put, "/v1/cameras/\(Percent.encode(camera))/enabled", body: EnableCommand(enabled: enabled))
            .answer
    }

    /// Protects a clip from every retention rule, or releases it.
    public func setProtected(clip: Int64, protected: Bool) async throws -> ClipInfo {
        try await ask(.put, "/v1/clips/\(clip)/protected", body: ProtectCommand(protected: protected)).answer
    }

    /// Deletes a clip for ever; gives what it was.
    public func delete(clip: Int64) async throws -> ClipInfo { try await ask(.delete, "/v1/clips/\(clip)").answer }

    /// Marks an event as seen, or takes the mark back.
    public func setSeen(event: Int64, seen: Bool) async throws -> EventInfo {
        try await ask(.put, "/v1/events/\(event)/seen", body: SeenCommand(seen: seen)).answer
    }

    /// Clears one message, and nothing else.
    public func clear(message: Int64) async throws -> ClearedMessages {
        try await ask(.delete, "/v1/messages/\(message)").answer
    }

    /// Clears every message, or those of some cameras, and nothing else.
    public func clearMessages(of cameras: [String]?) async throws -> ClearedMessages {
        try await ask(.delete, "/v1/messages", query: [("camera", cameras?.joined(separator: ","))]).answer
    }

    /// Sends a receiver a trial at once; gives whether it took it, within half a minute.
    public func test(receiver: String) async throws -> ReceiverTrial {
        try await ask(.post, "/v1/receivers/\(Percent.encode(receiver))/test").answer
    }

    /// What holds for a camera, of each key that can be set for it; night vision, the levels of the picture and the speaker's volume where
    /// the camera itself has them, by ONVIF.
    public func settings(camera: String) async throws -> CameraSettingsInfo {
        try await ask(.get, "/v1/cameras/\(Percent.encode(camera))/settings").answer
    }

    /// Sets what `command` names for a camera over its policy; gives what holds then. What the camera has not, or does not take, is
    /// refused as a `conflict`, and then nothing of the command is set.
    public func set(camera: String, _ command: SettingsCommand) async throws -> CameraSettingsInfo {
        try await ask(.patch, "/v1/cameras/\(Percent.encode(camera))/settings", body: command).answer
    }

    /// Sets the privacy switches that `change` names.
    public func setPrivacy(camera: String, change: PrivacyCommand) async throws -> CameraState {
        try await ask(.patch, "/v1/cameras/\(Percent.encode(camera))/privacy", body: change).answer
    }

    /// The zones and masks of a camera, with the revision of the file that has them.
    public func areas(camera: String) async throws -> CameraAreas {
        try await ask(.get, "/v1/cameras/\(Percent.encode(camera))/areas").answer
    }

    /// Replaces all zones and masks of a camera whose file still has `command.expectedRevision`; gives what they are then. The file
    /// may be any camera's, so this is for administrators.
    public func setAreas(camera: String, _ command: AreasCommand) async throws -> CameraAreas {
        try await ask(.put, "/v1/cameras/\(Percent.encode(camera))/areas", body: command).answer
    }

    /// Reads configuration and policies again.
    public func reload() async throws -> ReloadReport { try await ask(.post, "/v1/reload").answer }

    /// All policies.
    public func policies() async throws -> [PolicySummary] { try await ask(.get, "/v1/policies").answer }

    /// One policy with its text.
    public func policy(name: String) async throws -> PolicyText {
        try await ask(.get, "/v1/policies/\(Percent.encode(name))").answer
    }

    /// The texts that a policy had before it was changed by command, the oldest first.
    public func policyVersions(name: String) async throws -> [PolicyVersion] {
        try await ask(.get, "/v1/policies/\(Percent.encode(name))/versions").answer
    }

    /// A verdict over a policy's text.
    public func checkPolicy(text: String) async throws -> PolicyCheck {
        try await ask(.post, "/v1/policies/check", body: PolicyCheckRequest(text: text)).answer
    }

    /// What cannot be meant, or probably is not, in one policy, or in all of the configuration where nil.
    public func findings(policy: String?) async throws -> [PolicyCheck.Finding] {
        try await ask(.get, "/v1/findings" + (policy.map { "?policy=" + Percent.encode($0) } ?? "")).answer
    }

    /// Replaces a policy that still has `expectedRevision`, or creates one where that is nil.
    public func applyPolicy(name: String, text: String, expectedRevision: String?) async throws -> PolicyText {
        try await ask(
            .put, "/v1/policies/\(Percent.encode(name))",
            body: ApplyCommand(text: text, expectedRevision: expectedRevision)
        ).answer
    }
}
