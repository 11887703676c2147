public import Machines

/// Watches how long events are (S4), and that a command is given what it asks for (T5).
public struct EventWatcher: Bystander {
    /// The time control of a command, in ticks, and the longest max length of any policy.
    private let (initial, most, longest): (Int, Int, Int)
    /// The max length of the policy in force.
    private var policy: Int
    /// For how many ticks the event has been active; nil: none is.
    private var age: Int?
    /// The greatest max length of all that took part in it.
    private var greatest = 0
    /// For how many ticks yet a command is to be followed.
    private var owed = 0

    /// Nothing has begun yet.
    public init(_ view: CameraConfiguration) {
        initial = view.commandI
        most = view.commandM
        longest = view.policies.map(Self.most).max() ?? 0
        policy = Self.most(view.start)
    }

    private static func most(_ name: CameraPolicy) -> Int { Int(name.policy.timeControl.maxMs / 1_000) }

    /// No event is longer than the greatest max length that took part, and no event ends before what a command asked for is over,
    /// unless recording is forbidden or the next event begins at once.
    public mutating func sees(_ fact: CameraFact, _ effects: [Camera.Effect]) -> Bool {
        if fact == .tick {
            age = age.map { $0 + 1 }
            owed = max(owed - 1, 0)
        }
        if case .policy(let name) = fact { policy = Self.most(name) }
        var isGood = true
        for effect in effects {
            switch effect {
            case .report(.eventBegan(_, let cause, _, _)):
                age = 0
                // What ran silently began under a policy that may have changed since.
                greatest = cause == .command ? most : fact == .enabled(true) ? longest : policy
            case .report(.eventEnded(_, let why)):
                if let age, age > greatest { isGood = false }
                age = nil
                if why != .quiet, why != .limit { owed = 0 }
            default: break
            }
        }
        if fact == .command, age != nil {
            greatest = max(greatest, most)
            owed = initial
        }
        if let age, age >= greatest { isGood = false }
        return isGood && (owed == 0 || age != nil)
    }
}

extension CameraProperties {
    /// What who watches events watches for.
    public static let lengths = [
        WatchedCamera<EventWatcher>.promise(
            "S4 no event is longer than what took part allows, and a command has its time")
    ]
}
