public import Machines

/// What was learnt of an event while it was active.
public struct EventDetail: Hashable, Sendable {
    /// Detections that passed, the first one too.
    public var detections: Int
    /// Names of the zones in which they were, in the order in which they came; an empty name is the part outside every
    /// zone. Empty: they were not located.
    public var zones: [String]
    /// Arrival of the frame with most motion, monotonic milliseconds of the event's boot; nil if no detector saw it.
    public var pictureMonotonicMs: Int64?

    /// A detail.
    public init(detections: Int = 0, zones: [String] = [], pictureMonotonicMs: Int64? = nil) {
        self.detections = detections
        self.zones = zones
        self.pictureMonotonicMs = pictureMonotonicMs
    }

    /// The zones as their column has them, a line each.
    static func zones(_ column: String?) -> [String] {
        column?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
    }
}

/// A run of detections that began and prolonged nothing, for one reason.
public struct SuppressedRun: Hashable, Sendable {
    /// The camera.
    public var camera: String
    /// The event that was active, or whose blind time ran.
    public var event: EventID?
    /// The first of them.
    public var first: Moment
    /// The last of them, UTC epoch milliseconds.
    public var lastWallMs: Int64
    /// How many, 1 or more.
    public var count: Int
    /// The least of their levels.
    public var level: Sensitivity
    /// The rule.
    public var why: Camera.Suppression

    /// A run.
    public init(
        camera: String, event: EventID?, first: Moment, lastWallMs: Int64, count: Int, level: Sensitivity,
        why: Camera.Suppression
    ) {
        self.camera = camera
        self.event = event
        self.first = first
        self.lastWallMs = lastWallMs
        self.count = count
        self.level = level
        self.why = why
    }
}
