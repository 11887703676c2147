/// What a camera would have recorded in some time under one policy.
public struct SimulatedRecordingAnswer: Hashable, Sendable, Codable {
    /// How many events and clips.
    public var events, clips: Int
    /// How long there would be media, in milliseconds.
    public var recordedMs: Int64
    /// Its size by the measured rate of the camera's clips; absent where there is none.
    public var bytes: Int64?
    /// How many detections would not have counted, by reason.
    public var suppressed: [String: Int]

    /// A simulated recording.
    public init(events: Int, clips: Int, recordedMs: Int64, bytes: Int64?, suppressed: [String: Int]) {
        self.events = events
        self.clips = clips
        self.recordedMs = recordedMs
        self.bytes = bytes
        self.suppressed = suppressed
    }
}

/// Something that no simulation can know, and for how long.
public struct UnknownAnswer: Hashable, Sendable, Codable {
    /// A stretch of time.
    public struct Time: Hashable, Sendable, Codable {
        /// Its begin and its end.
        public var from, to: WallTime

        /// A stretch.
        public init(from: WallTime, to: WallTime) {
            self.from = from
            self.to = to
        }
    }

    /// What it is, such as `recorderDown`.
    public var kind: String
    /// For how long, in milliseconds.
    public var ms: Int64
    /// When; empty where it concerns the whole time.
    public var times: [Time]
    /// The same for people.
    public var words: String

    /// Something unknown.
    public init(kind: String, ms: Int64, times: [Time], words: String) {
        self.kind = kind
        self.ms = ms
        self.times = times
        self.words = words
    }
}
