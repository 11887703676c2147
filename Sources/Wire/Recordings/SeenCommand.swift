/// The body of `PUT /v1/events/{event}/seen`.
public struct SeenCommand: Hashable, Sendable, Codable {
    /// Whether it counts as seen.
    public var seen: Bool

    /// A mark.
    public init(seen: Bool) { self.seen = seen }
}
