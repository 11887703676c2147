public import Machines

extension Subscription: ReplayedMachine {
    /// It has stopped.
    public var isOver: Bool { load == .stopped }

    /// Every bound is a length of time.
    public var hasBounds: Bool { timing.answerMs > 0 && timing.retryMs > 0 && timing.refreshMs > 0 }

    /// The first step is a tick a millisecond before its first deadline: it changes nothing.
    public func beginning(at instant: Instant) -> Subscription {
        Subscription(kept, stored: stored, timing: timing, at: instant + 1)
    }

    /// No order was added since traces of subscriptions are kept.
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
