public import Machines

extension Upload: ReplayedMachine {
    /// It has stopped.
    public var isOver: Bool { stopped }

    /// Every bound is a length of time.
    public var hasBounds: Bool {
        timing.progressMs > 0 && timing.answerMs > 0 && timing.pollMs > 0 && timing.runMs > 0 && timing.backoffMs > 0
            && timing.backoffMaxMs > 0 && timing.stepBytes > 0
    }

    /// The first step is a tick at the instant in which the job was taken in hand: it changes nothing.
    public func beginning(at instant: Instant) -> Upload {
        Upload(restoring: record, encode: encode, timing: timing, at: instant)
    }

    /// No order was added since traces of uploads are kept.
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
