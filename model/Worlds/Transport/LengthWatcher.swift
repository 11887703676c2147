public import Machines

/// Adds up the times of what takes part in a recording: I for the motion that begins it, A for each further motion that is not refused,
/// and I of each command from when it came; never more than M from the first, or from a command if that is later.
public struct LengthWatcher: TransportBystander {
    private let motion: TimeControl
    private let command: TimeControl
    private var told: TransportListener
    /// What is left of the times of all that took part, and of the longest M, in milliseconds; nil: no recording by motion or command
    /// runs.
    private var left: Left?

    private struct Left: Hashable {
        var timeMs: Int64
        var mostMs: Int64
        /// Nobody hears when what is held counts again, nor how old remembered motion is: then `timeMs` is the least that is left,
        var isTimeKnown = true
        /// and of remembered motion `mostMs` is the most.
        var isMostKnown = true

        init(_ control: TimeControl) { (timeMs, mostMs) = (control.initialMs, control.maxMs) }
    }

    /// Knows the time controls.
    public init(_ world: TransportWorld, _ transport: PushTransport) {
        (motion, command) = (world.motion, world.command)
        told = TransportListener(transport)
    }

    /// It ends for its time exactly when that is over, `limit` where M has cut it short.
    public mutating func sees(_ event: TransportWorld.Event, _ effects: [PushTransport.Effect]) -> Bool {
        let ran = told.recording != nil
        told.hears(event, effects)
        if event == .tick {
            left?.timeMs -= TransportWorld.tickMs
            left?.mostMs -= TransportWorld.tickMs
        }
        var isGood = true
        for effect in effects {
            switch effect {
            case .begin(_, .motion):
                left = Left(motion)
                left?.isTimeKnown = event == .motion(.fits)
                if event == .status(.active) {
                    left?.timeMs = 0
                    left?.isMostKnown = false
                }
            case .begin(_, .command): left = Left(times(event) ?? motion)
            case .end(_, let why):
                isGood = isGood && isDue(why)
                left = nil
            case .begin(_, .continuous), .refused, .ignored, .removed, .stopped: break
            }
        }
        if ran, !effects.contains(where: \.isAnswer) { takesPart(event) }
        if told.held { left?.isTimeKnown = false }
        return isGood && (left.map { $0.mostMs > 0 && (!$0.isTimeKnown || $0.timeMs > 0) } ?? true)
    }

    private mutating func takesPart(_ event: TransportWorld.Event) {
        guard let now = left else { return }
        if event == .motion(.fits) { left?.timeMs += motion.augmentationMs }
        if let times = times(event) {
            left?.timeMs = max(now.timeMs, times.initialMs)
            left?.mostMs = max(now.mostMs, times.maxMs)
            if now.mostMs <= times.maxMs { left?.isMostKnown = true }
        }
    }

    private func times(_ event: TransportWorld.Event) -> TimeControl? {
        guard case .triggered(let brings) = event else { return nil }
        return brings ? command : motion
    }

    private func isDue(_ why: PushTransport.Why) -> Bool {
        guard let left else { return why != .quiet && why != .limit }
        switch why {
        case .quiet: return left.timeMs <= 0
        case .limit: return (!left.isMostKnown || left.mostMs <= 0) && (!left.isTimeKnown || left.timeMs > 0)
        case .inactive, .modified, .privacy, .disabled, .off, .deallocated, .expired, .draining: return true
        }
    }
}
