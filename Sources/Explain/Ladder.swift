public import Machines

/// What each combination of sensitivity and max event length would have recorded of a camera.
public struct Ladder: Sendable {
    /// One combination.
    public struct Rung: Sendable {
        /// The sensitivity.
        public let sensitivity: Sensitivity
        /// The max event length, in milliseconds.
        let maxMs: Int64
        /// What it would have recorded.
        public let simulated: SimulatedRecording
        /// It is what was in force last.
        public let isToday: Bool
    }

    /// The 18 combinations, by sensitivity, then by length.
    public let rungs: [Rung]
    /// The modes that were in force in the time.
    let modes: Set<Mode>
    /// The policy that was in force last; nil where no history was read.
    public let today: Policy?

    /// The ladder over the histories of one camera. All else stays as it was in force; `asEvents` takes continuous mode for event
    /// mode, since continuous recording does not depend on either value.
    public init(_ histories: [CameraHistory], time: Range<Int64>, asEvents: Bool = false) {
        self.init(histories, time: time, asEvents: asEvents, look: {})
    }

    /// The same; `look` is called before each combination and may break off.
    public init(_ histories: [CameraHistory], time: Range<Int64>, asEvents: Bool, look: () throws -> Void) rethrows {
        let today = histories.last?.intents.turns.last?.value.policy
        self.today = today
        modes = Set(histories.flatMap { history in history.intents.turns.map(\.value.policy.mode) })
        rungs = try Sensitivity.allCases.flatMap { sensitivity in
            try Change.lengthsMs.map { maxMs in
                try look()
                let simulated = SimulatedRecording(histories, time: time) { history in
                    history.simulate { policy in
                        policy.sensitivity = sensitivity
                        policy.timeControl.maxMs = maxMs
                        policy.timeControl.initialMs = min(policy.timeControl.initialMs, maxMs)
                        if asEvents, policy.mode == .continuous { policy.mode = .event }
                    }
                }
                let isToday = today.map { $0.sensitivity == sensitivity && $0.timeControl.maxMs == maxMs } ?? false
                return Rung(sensitivity: sensitivity, maxMs: maxMs, simulated: simulated, isToday: isToday)
            }
        }
    }
}
