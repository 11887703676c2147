public import Machines

extension Session: ReplayedMachine {
    /// It has ended.
    public var isOver: Bool { hasEnded }

    /// Every bound is a length of time.
    public var hasBounds: Bool { bounds.answerMs > 0 && bounds.durationMs > 0 && bounds.liveMax > 0 }

    /// The first step is a tick at the instant in which the session was opened: it changes nothing.
    public func beginning(at instant: Instant) -> Session { Session(privacy: privacy, at: instant, bounds: bounds) }

    /// No order was added since traces of sessions are kept.
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
