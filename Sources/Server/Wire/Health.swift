/// Whether the daemon does its work, as `/healthz` tells it to anybody. Says nothing about cameras.
public struct Health: Hashable, Sendable, Codable {
    /// Whether no obligation is overdue.
    public var ok: Bool
    /// The reason in one line, with no name of a camera, address or path in it.
    public var reason: String

    /// A verdict.
    public init(ok: Bool, reason: String) {
        self.ok = ok
        self.reason = reason
    }
}
