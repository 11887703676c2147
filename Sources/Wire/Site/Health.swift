/// Whether the daemon does its work, as `/healthz` tells it to anybody. Says nothing about cameras.
public struct Health: Hashable, Sendable, Codable {
    /// Whether the daemon does its work. A single camera that is late is no reason to say no, and is told in `reason`.
    public var ok: Bool
    /// The reason in one line, with no name of a camera, address or path in it.
    public var reason: String

    /// A verdict.
    public init(ok: Bool, reason: String) {
        self.ok = ok
        self.reason = reason
    }
}
