/// How much the daemon uses of something that is limited for it.
public struct LimitState: Hashable, Sendable, Codable {
    /// `memory` (bytes), `tasks` (threads) or `files` (open descriptors).
    public var name: String
    /// What is used now.
    public var used: Int64
    /// What may be used.
    public var limit: Int64
    /// Whether so much is used that the limit is near.
    public var isNear: Bool

    /// A limit.
    public init(name: String, used: Int64, limit: Int64, isNear: Bool) {
        self.name = name
        self.used = used
        self.limit = limit
        self.isNear = isNear
    }
}
