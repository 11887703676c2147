/// Which clips to list. Pages follow each other by key, so that a page costs the same wherever it lies.
public struct ClipQuery: Hashable, Sendable {
    /// In which order.
    public enum Order: Hashable, Sendable {
        /// Oldest start first.
        case oldestFirst
        /// Newest start first.
        case newestFirst
    }

    /// Where a page ended: give it to the next query.
    public struct Key: Hashable, Sendable, Codable {
        /// Start of the last clip, UTC epoch milliseconds.
        public var startWallMs: Int64
        /// The last clip.
        public var id: ClipID

        /// The key of a clip.
        public init(startWallMs: Int64, id: ClipID) {
            self.startWallMs = startWallMs
            self.id = id
        }
    }

    /// The most clips that one page holds.
    public static let limitMax = 10_000

    /// Only this camera's.
    public var camera: String?
    /// Only those of these cameras, at most some hundred; nil for all. Not beside `camera`.
    public var cameras: [String]?
    /// Only clips that end after this, UTC epoch milliseconds.
    public var fromWallMs: Int64?
    /// Only clips that start before this, UTC epoch milliseconds.
    public var toWallMs: Int64?
    /// Clips on one page, 1…`limitMax`.
    public var limit: Int
    /// In which order.
    public var order: Order
    /// Whether clips that are still being written are listed.
    public var includingOpen: Bool
    /// Only clips after this one, in the order.
    public var after: Key?

    /// All closed clips, oldest first, a thousand at a time, unless said otherwise.
    public init(
        camera: String? = nil, fromWallMs: Int64? = nil, toWallMs: Int64? = nil, limit: Int = 1000,
        order: Order = .oldestFirst, includingOpen: Bool = false, after: Key? = nil
    ) {
        self.camera = camera
        self.fromWallMs = fromWallMs
        self.toWallMs = toWallMs
        self.limit = limit
        self.order = order
        self.includingOpen = includingOpen
        self.after = after
    }
}
