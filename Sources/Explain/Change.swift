public import Machines

/// A change of what is asked of a camera, as an owner would make it.
public enum Change: Hashable, Sendable {
    /// The recording toggle stays on.
    case enable
    /// No privacy switch covers the recording.
    case privacyOff
    /// At least this sensitivity.
    case sensitivity(Sensitivity)
    /// At least this max event length, in milliseconds.
    case maxLength(Int64)
    /// No blind time.
    case noBlindTime
    /// At least this pre-roll, in milliseconds.
    case preRoll(Int64)
    /// Movement counts in the whole picture.
    case anywhere
    /// The link is kept while nothing needs media.
    case alwaysConnected
    /// At least this mode (off, event, continuous), in an interval of the schedule or always.
    case mode(Mode, Interval?)

    /// A time in which the schedule left the policy as it was.
    public struct Interval: Hashable, Sendable {
        /// When it came into force; the begin of what was read where it was in force before.
        public let from: Instant
        /// When the schedule ended it.
        public let until: Instant

        /// An interval.
        public init(from: Instant, until: Instant) {
            self.from = from
            self.until = until
        }
    }

    /// The max event lengths that a policy can have, in milliseconds.
    static let lengthsMs: [Int64] = [10_000, 15_000, 30_000, 60_000, 120_000, 180_000]
    /// The pre-rolls that are tried, in milliseconds.
    static let preRollsMs: [Int64] = [5_000, 10_000, 15_000, 30_000, 60_000]

    /// Makes the change in an intent that holds from `at` on.
    func apply(to intent: inout Intent, at: Instant) {
        switch self {
        case .enable: intent.enabled = true
        case .privacyOff: intent.privacy = Self.uncovered(intent.privacy)
        default: apply(to: &intent.policy, at: at)
        }
    }

    /// Makes the change in what happened at `at`.
    func apply(to event: inout Camera.Event, at: Instant) {
        switch event {
        case .enabled where self == .enable: event = .enabled(true)
        case .privacy(let privacy) where self == .privacyOff: event = .privacy(Self.uncovered(privacy))
        case .policy(var policy, let until):
            apply(to: &policy, at: at)
            event = .policy(policy, until: until)
        default: break
        }
    }

    private func apply(to policy: inout Policy, at: Instant) {
        switch self {
        case .enable, .privacyOff: break
        case .sensitivity(let sensitivity): policy.sensitivity = max(policy.sensitivity, sensitivity)
        case .maxLength(let ms): policy.timeControl.maxMs = max(policy.timeControl.maxMs, ms)
        case .noBlindTime: policy.timeControl.blindMs = 0
        case .preRoll(let ms): policy.preRollMs = max(policy.preRollMs, ms)
        case .anywhere: policy.zones = nil
        case .alwaysConnected: policy.connection = .always
        case .mode(let mode, let interval):
            guard interval.map({ $0.from <= at && at < $0.until }) ?? true, policy.mode < mode else { break }
            policy.mode = mode
            policy.offBySchedule = false
        }
    }

    private static func uncovered(_ privacy: Privacy) -> Privacy { Privacy(softLive: privacy.softLive) }
}

extension Mode {
    /// Records less.
    static func < (lhs: Mode, rhs: Mode) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int {
        switch self {
        case .off: 0
        case .event: 1
        case .continuous: 2
        }
    }
}
