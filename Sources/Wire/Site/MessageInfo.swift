/// What an operator should know until somebody clears it, as `GET /v1/messages` tells it.
public struct MessageInfo: Hashable, Sendable, Codable {
    /// Its number, 1 or more; never used twice.
    public var id: Int64
    /// The message kind of the journal, such as `linkLost`.
    public var kind: String
    /// The camera; null where it is about the site.
    public var camera: String?
    /// `warning` or more urgent.
    public var priority: String
    /// What was said last, in one line, without the camera's name.
    public var message: String
    /// What to do about it; null where a newer Vigil has said it.
    public var remedy: String?
    /// How often it was said.
    public var count: Int
    /// When it was said first.
    public var first: WallTime
    /// When it was said last.
    public var last: WallTime
    /// Since when it is over; null while it holds.
    public var over: WallTime?

    /// A message.
    public init(
        id: Int64, kind: String, camera: String?, priority: String, message: String, remedy: String?, count: Int,
        first: WallTime, last: WallTime, over: WallTime?
    ) {
        self.id = id
        self.kind = kind
        self.camera = camera
        self.priority = priority
        self.message = message
        self.remedy = remedy
        self.count = count
        self.first = first
        self.last = last
        self.over = over
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind, forKey: .kind)
        try container.encode(camera, forKey: .camera)
        try container.encode(priority, forKey: .priority)
        try container.encode(message, forKey: .message)
        try container.encode(remedy, forKey: .remedy)
        try container.encode(count, forKey: .count)
        try container.encode(first, forKey: .first)
        try container.encode(last, forKey: .last)
        try container.encode(over, forKey: .over)
    }
}

/// How many messages were cleared.
public struct ClearedMessages: Hashable, Sendable, Codable {
    /// How many.
    public var cleared: Int

    /// So many.
    public init(cleared: Int) { self.cleared = cleared }
}
