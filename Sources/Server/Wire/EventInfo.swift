public import Machines

/// One event of a camera's trigger, as `GET /v1/events` tells it.
public struct EventInfo: Hashable, Sendable, Codable {
    /// The event's number in the catalog, 1 or more; never used twice.
    public var id: Int64
    /// The camera's name.
    public var camera: String
    /// Wall time of its begin.
    public var start: WallTime
    /// Wall time of its end; null while it is active.
    public var end: WallTime?
    /// Monotonic milliseconds of its begin since the boot `bootId`.
    public var startedMonotonicMs: Int64
    /// The kernel's boot id under which it began.
    public var bootId: String
    /// What began it: `detection`, `source` or `command`.
    public var cause: ClipCause
    /// Why it ended, such as `quiet` or `limit`; null while it is active.
    public var ended: ClipEnd?
    /// The clips that hold its media, oldest first.
    public var clips: [Int64]

    /// One event.
    public init(
        id: Int64, camera: String, start: WallTime, end: WallTime?, startedMonotonicMs: Int64, bootId: String,
        cause: ClipCause, ended: ClipEnd?, clips: [Int64]
    ) {
        self.id = id
        self.camera = camera
        self.start = start
        self.end = end
        self.startedMonotonicMs = startedMonotonicMs
        self.bootId = bootId
        self.cause = cause
        self.ended = ended
        self.clips = clips
    }

    /// Writes every key, null ones too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(camera, forKey: .camera)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encode(startedMonotonicMs, forKey: .startedMonotonicMs)
        try container.encode(bootId, forKey: .bootId)
        try container.encode(cause, forKey: .cause)
        try container.encode(ended, forKey: .ended)
        try container.encode(clips, forKey: .clips)
    }
}
