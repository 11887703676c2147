/// What each sensitivity and max event length would have recorded of a camera, as `GET /v1/cameras/{camera}/ladder` and
/// `vigil ladder` tell it.
public struct LadderAnswer: Hashable, Sendable, Codable {
    /// One combination.
    public struct Rung: Hashable, Sendable, Codable {
        /// The sensitivity: 1, 5 or 10.
        public var sensitivity: Int
        /// The max event length, in milliseconds.
        public var maxEventLengthMs: Int64
        /// It is what was in force last.
        public var isToday: Bool
        /// What it would have recorded.
        public var simulated: SimulatedRecordingAnswer

        /// A combination.
        public init(sensitivity: Int, maxEventLengthMs: Int64, isToday: Bool, simulated: SimulatedRecordingAnswer) {
            self.sensitivity = sensitivity
            self.maxEventLengthMs = maxEventLengthMs
            self.isToday = isToday
            self.simulated = simulated
        }
    }

    /// The camera's name.
    public var camera: String
    /// The time that counts.
    public var from, to: WallTime
    /// The 18 combinations, by sensitivity, then by length.
    public var rungs: [Rung]
    /// What is to be known beside that.
    public var remarks: [String]
    /// What cannot be known.
    public var notKnown: [UnknownAnswer]

    /// An answer.
    public init(
        camera: String, from: WallTime, to: WallTime, rungs: [Rung], remarks: [String], notKnown: [UnknownAnswer]
    ) {
        self.camera = camera
        self.from = from
        self.to = to
        self.rungs = rungs
        self.remarks = remarks
        self.notKnown = notKnown
    }
}
