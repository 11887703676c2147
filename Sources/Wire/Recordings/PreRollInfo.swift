public import Machines

/// Promised and delivered media before a clip's trigger.
public struct PreRollInfo: Hashable, Sendable, Codable {
    /// What the policy promised, in milliseconds.
    public var promisedMs: Int64
    /// What the clip holds, in milliseconds.
    public var deliveredMs: Int64
    /// Why less was delivered; null where it was not.
    public var shortfall: Shortfall?

    /// A pre-roll.
    public init(promisedMs: Int64, deliveredMs: Int64, shortfall: Shortfall?) {
        self.promisedMs = promisedMs
        self.deliveredMs = deliveredMs
        self.shortfall = shortfall
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(promisedMs, forKey: .promisedMs)
        try container.encode(deliveredMs, forKey: .deliveredMs)
        try container.encode(shortfall, forKey: .shortfall)
    }
}
