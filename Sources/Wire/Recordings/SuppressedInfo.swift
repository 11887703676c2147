public import Machines

/// Detections that began and prolonged nothing, for one reason.
public struct SuppressedInfo: Hashable, Sendable, Codable {
    /// The reason.
    public var why: Camera.Suppression
    /// The least sensitivity that noticed them.
    public var level: Sensitivity
    /// How many, 1 or more; the detector tells at most some two a second.
    public var count: Int
    /// The first of them.
    public var from: WallTime
    /// The last of them.
    public var to: WallTime
    /// The event that was active, or whose blind time ran; null where none was.
    public var event: Int64?

    /// Some detections.
    public init(
        why: Camera.Suppression, level: Sensitivity, count: Int, from: WallTime, to: WallTime, event: Int64?
    ) {
        self.why = why
        self.level = level
        self.count = count
        self.from = from
        self.to = to
        self.event = event
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(why, forKey: .why)
        try container.encode(level, forKey: .level)
        try container.encode(count, forKey: .count)
        try container.encode(from, forKey: .from)
        try container.encode(to, forKey: .to)
        try container.encode(event, forKey: .event)
    }
}
