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
    /// The level of the detection that began it: the least sensitivity that notices it; null where none began it.
    public var level: Sensitivity?
    /// Detections that began or prolonged it or came meanwhile and passed; 0 until it has ended.
    public var detections: Int
    /// The zones in which they were, in the order in which they came, null for the part outside every zone; empty until it has
    /// ended, and where they were not located.
    public var zones: [String?]
    /// What was recognised during it, in the order in which it was told; also while it is active.
    public var labels: [LabelInfo]
    /// The moment whose picture shows most motion; null until it has ended, and where no detector looked.
    public var picture: WallTime?
    /// Promised and delivered pre-roll of its first clip; null while it has none.
    public var preRoll: PreRollInfo?
    /// What did not count meanwhile and in the blind time that followed.
    public var suppressed: [SuppressedInfo]
    /// Why it ended, such as `quiet` or `limit`; null while it is active.
    public var ended: ClipEnd?
    /// The clips that hold its media, oldest first.
    public var clips: [Int64]
    /// Whether somebody has marked it as seen.
    public var seen: Bool

    /// One event.
    public init(
        id: Int64, camera: String, start: WallTime, end: WallTime?, startedMonotonicMs: Int64, bootId: String,
        cause: ClipCause, level: Sensitivity? = nil, detections: Int = 0, zones: [String?] = [],
        picture: WallTime? = nil, preRoll: PreRollInfo? = nil, suppressed: [SuppressedInfo] = [], ended: ClipEnd?,
        clips: [Int64], seen: Bool = false, labels: [LabelInfo] = []
    ) {
        self.id = id
        self.camera = camera
        self.start = start
        self.end = end
        self.startedMonotonicMs = startedMonotonicMs
        self.bootId = bootId
        self.cause = cause
        self.level = level
        self.detections = detections
        self.zones = zones
        self.labels = labels
        self.picture = picture
        self.preRoll = preRoll
        self.suppressed = suppressed
        self.ended = ended
        self.clips = clips
        self.seen = seen
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
        try container.encode(level, forKey: .level)
        try container.encode(detections, forKey: .detections)
        try container.encode(zones, forKey: .zones)
        try container.encode(labels, forKey: .labels)
        try container.encode(picture, forKey: .picture)
        try container.encode(preRoll, forKey: .preRoll)
        try container.encode(suppressed, forKey: .suppressed)
        try container.encode(ended, forKey: .ended)
        try container.encode(clips, forKey: .clips)
        try container.encode(seen, forKey: .seen)
    }
}
