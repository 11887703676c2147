public import Machines

/// What the detector of a camera does and what it has cost since the daemon started.
public struct DetectionState: Hashable, Sendable, Codable {
    /// A condition in which the picture shows nothing that can be watched.
    public struct Impairment: Hashable, Sendable, Codable {
        /// `frozen`, `covered` or `moved`.
        public var condition: String
        /// Since when.
        public var since: WallTime

        /// A condition.
        public init(condition: String, since: WallTime) {
            self.condition = condition
            self.since = since
        }
    }

    /// The stream that is looked at, `main` or `sub`; absent while none is.
    public var stream: String?
    /// The level of the last look; absent where nothing moved.
    public var level: Sensitivity?
    /// When something last moved.
    public var lastMotion: WallTime?
    /// Frames of the stream.
    public var frames: UInt64
    /// Frames that were decoded.
    public var decoded: UInt64
    /// Pictures that were looked at.
    public var looked: UInt64
    /// Frames that were left out because the detector could not keep up. The recording has them.
    public var dropped: UInt64
    /// Processor time, in milliseconds.
    public var cpuMs: Int64
    /// What keeps the picture from being watched.
    public var impaired: [Impairment]

    /// A detector's state.
    public init(
        stream: String?, level: Sensitivity?, lastMotion: WallTime?, frames: UInt64, decoded: UInt64, looked: UInt64,
        dropped: UInt64, cpuMs: Int64, impaired: [Impairment]
    ) {
        self.stream = stream
        self.level = level
        self.lastMotion = lastMotion
        self.frames = frames
        self.decoded = decoded
        self.looked = looked
        self.dropped = dropped
        self.cpuMs = cpuMs
        self.impaired = impaired
    }
}

/// What all detectors together have cost since the daemon started.
public struct DetectionTotals: Hashable, Sendable, Codable {
    /// Frames of the streams that are looked at.
    public var frames: UInt64
    /// Frames that were decoded.
    public var decoded: UInt64
    /// Frames that were left out because the detectors could not keep up.
    public var dropped: UInt64
    /// Processor time, in milliseconds.
    public var cpuMs: Int64
    /// Cameras whose picture cannot be watched.
    public var impaired: Int

    /// The sum over some cameras.
    public init(of states: [DetectionState]) {
        frames = states.reduce(0) { $0 + $1.frames }
        decoded = states.reduce(0) { $0 + $1.decoded }
        dropped = states.reduce(0) { $0 + $1.dropped }
        cpuMs = states.reduce(0) { $0 + $1.cpuMs }
        impaired = states.count { !$0.impaired.isEmpty }
    }
}
