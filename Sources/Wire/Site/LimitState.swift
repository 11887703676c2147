/// How much the daemon uses of something that is limited for it.
public struct LimitState: Hashable, Sendable, Codable {
    /// `memory` (in bytes), `tasks` (threads) or `files` (open descriptors).
    public var name: String
    /// What is used now, in the unit that `name` says.
    public var used: Int64
    /// What may be used, in the same unit.
    public var limit: Int64
    /// Whether the limit is near, as the journal told (`limitNear`, and `limitClear` when it is over).
    public var isNear: Bool

    /// A limit.
    public init(name: String, used: Int64, limit: Int64, isNear: Bool) {
        self.name = name
        self.used = used
        self.limit = limit
        self.isNear = isNear
    }
}
