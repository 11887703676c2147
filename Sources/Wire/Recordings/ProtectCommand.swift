/// The body of `PUT /v1/clips/{clip}/protected`.
public struct ProtectCommand: Hashable, Sendable, Codable {
    /// Whether no rule may delete the clip.
    public var protected: Bool

    /// A command.
    public init(protected: Bool) { self.protected = protected }
}
