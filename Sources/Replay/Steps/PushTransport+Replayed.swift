public import Machines

extension PushTransport: ReplayedMachine {
    /// It is removed, expired or drained.
    public var isOver: Bool { phase == .over }

    /// What a window is prolonged by, and the blind time after it, are lengths of time.
    public var hasBounds: Bool {
        guard case .detected(let window) = phase else { return true }
        return window.augmentationMs >= 0 && window.blindMs >= 0
    }

    /// The first step is a tick: it begins what is owed at the start, and ends what is over by then.
    public func beginning(at instant: Instant) -> PushTransport {
        guard phase == .over else {
            return PushTransport(trigger, status: status, expiry: expiry, block: block, held: held)
        }
        // What is over keeps its trigger alone. What it was shows in whether it has recorded, which only continuous recording and
        // what is held can begin in a first step.
        guard recordings > 0 else { return PushTransport(trigger, expiry: instant) }
        return PushTransport(trigger, status: .active, expiry: instant, held: trigger != .continuous)
    }

    /// No order was added since traces of transports are kept.
    public static func isEntry(_ effect: Effect) -> Bool { false }

    /// What it took, in words.
    public static func words(_ event: Event, _ narrator: Narrator) -> String { narrator.words(event) }

    /// What it ordered, in words.
    public static func words(_ effects: [Effect], _ narrator: Narrator) -> String {
        effects.isEmpty ? "nothing" : effects.map(narrator.words).joined(separator: "; ")
    }

    /// The whole of it, in one line.
    public func summary(_ narrator: Narrator) -> String { narrator.summary(self) }
}
