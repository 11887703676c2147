/// What an export will hold, as `GET /v1/cameras/{camera}/export/plan` tells it.
public struct PlannedExport: Hashable, Sendable, Codable {
    /// A stretch of the wish for which there is no media.
    public struct Hole: Hashable, Sendable, Codable {
        /// Its begin.
        public var from: WallTime
        /// Its end.
        public var to: WallTime

        /// A hole.
        public init(from: WallTime, to: WallTime) {
            self.from = from
            self.to = to
        }
    }

    /// The camera's name.
    public var camera: String
    /// Where the media begins: the first key frame at or before the wish, or later where there is none.
    public var from: WallTime
    /// Where the media ends.
    public var to: WallTime
    /// The clips it is taken from, oldest first.
    public var clips: [Int64]
    /// The size to expect; exact within a few percent.
    public var bytes: Int64
    /// Media in it, in milliseconds.
    public var durationMs: Int64
    /// What is missing from the wish.
    public var holes: [Hole]

    /// A plan.
    public init(
        camera: String, from: WallTime, to: WallTime, clips: [Int64], bytes: Int64, durationMs: Int64, holes: [Hole]
    ) {
        self.camera = camera
        self.from = from
        self.to = to
        self.clips = clips
        self.bytes = bytes
        self.durationMs = durationMs
        self.holes = holes
    }
}
