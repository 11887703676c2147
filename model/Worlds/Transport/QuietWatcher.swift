public import Machines

/// Waits out B after each recording that ended for its time and had no command in it. Meanwhile motion is blind; before and afterwards
/// it is not.
public struct QuietWatcher: TransportBystander {
    private let blindMs: Int64
    private var told: TransportListener
    /// A command took part in the recording that runs.
    private var isCommanded = false
    /// What is left of B; nil: motion counts.
    private var leftMs: Int64?

    /// Knows B.
    public init(_ world: TransportWorld, _ transport: PushTransport) {
        blindMs = world.motion.blindMs
        told = TransportListener(transport)
    }

    /// Nothing begins by motion within B, and motion is told to be blind exactly then.
    public mutating func sees(_ event: TransportWorld.Event, _ effects: [PushTransport.Effect]) -> Bool {
        let kind = told.kind
        told.hears(event, effects)
        if event == .tick { leftMs = leftMs.map { $0 - TransportWorld.tickMs }.flatMap { $0 > 0 ? $0 : nil } }
        let isTaken = !effects.contains(where: \.isAnswer) && !told.isOver
        if case .triggered = event, isTaken { (isCommanded, leftMs) = (true, nil) }
        if told.kind != kind || told.isOver { leftMs = nil }
        var isGood = true
        for effect in effects {
            switch effect {
            case .begin(_, let cause):
                isCommanded = cause == .command
                if cause == .motion, leftMs != nil { isGood = false }
            case .end(_, .quiet), .end(_, .limit):
                if !isCommanded, blindMs > 0, !told.isOver { leftMs = blindMs }
            case .end, .refused, .ignored, .removed, .stopped: break
            }
        }
        if event == .motion(.fits), told.kind == .motion, told.block == nil, !told.isOver {
            isGood = isGood && effects.contains(.ignored(.blind)) == (leftMs != nil)
        }
        if told.held, told.kind == .motion, told.mayRecord {
            isGood = isGood && (told.recording != nil) == (leftMs == nil)
        }
        return isGood
    }
}
