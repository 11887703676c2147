/// The body of `PUT /v1/cameras/{camera}/enabled`.
public struct EnableCommand: Hashable, Sendable, Codable {
    /// The recording toggle.
    public var enabled: Bool

    /// A command.
    public init(enabled: Bool) { self.enabled = enabled }
}
