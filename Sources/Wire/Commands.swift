/// The body of `POST /v1/cameras/{camera}/record`.
public struct RecordCommand: Hashable, Sendable, Codable {
    /// Longest command: one hour.
    public static let forMsMax: Int64 = 3_600_000

    /// How long to record, in milliseconds, 1 000…`forMsMax`; absent for the policy's own length.
    public var forMs: Int64?

    /// A command.
    public init(forMs: Int64? = nil) { self.forMs = forMs }
}

/// The body of `PUT /v1/cameras/{camera}/enabled`.
public struct EnableCommand: Hashable, Sendable, Codable {
    /// The recording toggle.
    public var enabled: Bool

    /// A command.
    public init(enabled: Bool) { self.enabled = enabled }
}

/// The body of `PATCH /v1/cameras/{camera}/privacy`; a switch that is absent stays as it is.
public struct PrivacyCommand: Hashable, Sendable, Codable {
    /// Everything stops, the link too.
    public var hard: Bool?
    /// Nothing is recorded.
    public var softRecording: Bool?
    /// Nothing is shown live.
    public var softLive: Bool?

    /// A command.
    public init(hard: Bool? = nil, softRecording: Bool? = nil, softLive: Bool? = nil) {
        self.hard = hard
        self.softRecording = softRecording
        self.softLive = softLive
    }
}

/// The body of `PUT /v1/clips/{clip}/protected`.
public struct ProtectCommand: Hashable, Sendable, Codable {
    /// Whether no rule may delete the clip.
    public var protected: Bool

    /// A command.
    public init(protected: Bool) { self.protected = protected }
}

/// The body of `PUT /v1/events/{event}/seen`.
public struct SeenCommand: Hashable, Sendable, Codable {
    /// Whether it counts as seen.
    public var seen: Bool

    /// A mark.
    public init(seen: Bool) { self.seen = seen }
}

/// The body of `POST /v1/policies/check`.
public struct PolicyCheckRequest: Hashable, Sendable, Codable {
    /// The text of a policy file.
    public var text: String

    /// A text to check.
    public init(text: String) { self.text = text }
}

/// The body of `PUT /v1/policies/{name}`.
public struct ApplyCommand: Hashable, Sendable, Codable {
    /// The text of the policy file.
    public var text: String
    /// The revision from which the text was made; absent to create a policy that is not there yet.
    public var expectedRevision: String?

    /// A text to apply.
    public init(text: String, expectedRevision: String?) {
        self.text = text
        self.expectedRevision = expectedRevision
    }
}

/// The answer of `POST /v1/reload`: what the configuration and policy files changed.
public struct ReloadReport: Hashable, Sendable, Codable {
    /// Cameras that were added, removed or changed, and policies that have another revision.
    public var changed: [String]

    /// A report.
    public init(changed: [String]) { self.changed = changed }
}
