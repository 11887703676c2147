public import Machines

/// Watches the blind time where nothing is recorded (T4, T9): it is that of the policy under which the event began, runs from the
/// event's end, and ends with a command. What counts comes outside of it, what is told as blind within.
public struct BlindWatcher: Bystander {
    /// The blind time of the policy in force, in ticks.
    private var policy: Int
    /// That of the event that is active, in ticks.
    private var owed = 0
    /// The event began in a window that ran silently, maybe under another policy.
    private var isUnknown = false
    /// What is left of it, in ticks; nil: not known.
    private var left: Int? = 0

    /// Nothing has begun yet.
    public init(_ view: CameraConfiguration) { policy = Self.blind(view.start) }

    private static func blind(_ name: CameraPolicy) -> Int { Int(name.policy.timeControl.blindMs / 1_000) }

    /// No detection or source counts in blind time, and none is told as blind outside of it.
    public mutating func sees(_ fact: CameraFact, _ effects: [Camera.Effect]) -> Bool {
        if fact == .tick { left = left.map { max($0 - 1, 0) } }
        if case .policy(let name) = fact { policy = Self.blind(name) }
        if fact == .command, !effects.contains(where: { if case .report(.refused) = $0 { true } else { false } }) {
            (owed, isUnknown) = (0, false)
        }
        var isGood = true
        for effect in effects {
            switch effect {
            case .report(.eventBegan(_, let cause, _, _)):
                if cause != .command, let left, left > 0 { isGood = false }
                (owed, isUnknown, left) = (cause == .command ? 0 : policy, fact == .enabled(true), 0)
            case .report(.eventEnded(_, let why)):
                left = why == .quiet || why == .limit ? (isUnknown ? nil : owed) : 0
            case .report(.suppressed(_, .blind)): if left == 0 { isGood = false }
            case .noteDetection: if let left, left > 0 { isGood = false }
            case .report(.coverage(_, to: .blind)): if left == 0 { isGood = false }
            default: break
            }
        }
        return isGood
    }
}

extension CameraProperties {
    /// What who waits for the end of the blind time watches for.
    public static let blinds = [
        WatchedCamera<BlindWatcher>.promise("S5 blind time is that of the policy under which its event began")
    ]
}
