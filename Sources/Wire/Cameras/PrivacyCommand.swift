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
