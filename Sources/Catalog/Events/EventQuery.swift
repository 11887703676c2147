public import Machines

/// Which events to list.
public struct EventQuery: Hashable, Sendable {
    /// Only this camera's.
    public var camera: String?
    /// Only those of these cameras, at most some hundred; nil for all. Not beside `camera`.
    public var cameras: [String]?
    /// Only events that began at or after this, UTC epoch milliseconds.
    public var fromWallMs: Int64?
    /// Only events that began before this, UTC epoch milliseconds.
    public var toWallMs: Int64?
    /// Only events that a detection of one of these levels began; empty: whatever began them.
    public var levels: [Sensitivity] = []
    /// Only events with a detection in one of these zones, an empty name for the part outside every zone; empty: wherever it was.
    /// An event that is active has none yet.
    public var zones: [String] = []
    /// Only events during which one of these was recognised; empty: whatever was.
    public var labels: [String] = []
    /// Only events that one of these began; empty: any.
    public var causes: [ClipCause] = []
    /// Only events that nobody has marked as seen.
    public var isUnseen = false
    /// How many events are passed over first, 0 or more.
    public var offset = 0
    /// Only events after this one, in the order.
    public var after: (wallMs: Int64, id: EventID)? {
        get { afterKey.map { ($0.wallMs, $0.id) } }
        set { afterKey = newValue.map { AfterKey(wallMs: $0.wallMs, id: $0.id) } }
    }
    /// Events on one page, 1…`ClipQuery.limitMax`.
    public var limit: Int
    /// Newest first; else oldest first.
    public var newestFirst: Bool

    private struct AfterKey: Hashable, Sendable {
        let wallMs: Int64
        let id: EventID
    }
    private var afterKey: AfterKey?

    /// All events, oldest first, a thousand at a time, unless said otherwise.
    public init(
        camera: String? = nil, fromWallMs: Int64? = nil, toWallMs: Int64? = nil, limit: Int = 1000,
        newestFirst: Bool = false
    ) {
        self.camera = camera
        self.fromWallMs = fromWallMs
        self.toWallMs = toWallMs
        self.limit = limit
        self.newestFirst = newestFirst
    }
}
