public import Machines

/// What another policy would have recorded of one camera, as `POST /v1/simulate` and `vigil simulate` tell it.
public struct SimulateAnswer: Hashable, Sendable, Codable {
    /// A clip that one of the two policies would have recorded.
    public struct Clip: Hashable, Sendable, Codable {
        /// Its begin and its end.
        public var start, end: WallTime
        /// Why it was begun.
        public var cause: ClipCause

        /// A clip.
        public init(start: WallTime, end: WallTime, cause: ClipCause) {
            self.start = start
            self.end = end
            self.cause = cause
        }
    }

    /// The camera's name.
    public var camera: String
    /// The policy that was simulated, and its revision.
    public var policy, revision: String
    /// The time that counts.
    public var from, to: WallTime
    /// What was in force, rehearsed in the same way, and the policy that is asked about.
    public var inForce, simulated: SimulatedRecordingAnswer
    /// Clips of which the other side holds nothing.
    public var gained, lost: [Clip]
    /// Media that only one side holds, in milliseconds.
    public var gainedMs, lostMs: Int64
    /// What cannot be known.
    public var notKnown: [UnknownAnswer]

    /// An answer.
    public init(
        camera: String, policy: String, revision: String, from: WallTime, to: WallTime,
        inForce: SimulatedRecordingAnswer,
        simulated: SimulatedRecordingAnswer, gained: [Clip], lost: [Clip], gainedMs: Int64, lostMs: Int64,
        notKnown: [UnknownAnswer]
    ) {
        self.camera = camera
        self.policy = policy
        self.revision = revision
        self.from = from
        self.to = to
        self.inForce = inForce
        self.simulated = simulated
        self.gained = gained
        self.lost = lost
        self.gainedMs = gainedMs
        self.lostMs = lostMs
        self.notKnown = notKnown
    }
}
