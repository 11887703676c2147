internal import Explorer
internal import Machines

// What must hold of a transport in every world.
extension TransportWorld {
    /// What is asked in every world.
    public static let properties: [Property<TransportWorld>] = safety + windows + requests + [blindEnds]
    /// What is asked where nobody asks for anything.
    public static let calmProperties: [Property<TransportWorld>] = properties + [windowEnds]

    private static func steps(
        _ name: String, _ holds: @escaping @Sendable (TransportStep) -> Bool
    ) -> Property<TransportWorld> {
        Property(name, .steps { holds(TransportStep($0, $1, $2)) })
    }

    private static let safety: [Property<TransportWorld>] = [
        steps("S6 after each step it records exactly if it may and its trigger says so") { step in
            !step.missesFirst && (step.after.recording != nil) == step.after.mayRecord
        },
        steps("S3 a recording ends for the cause that came, and motion ends none") { step in
            step.ends.allSatisfy { expected($0, step) }
        },
        steps("S11 what begins has not begun, and what ends has: begins and ends alternate") { step in
            var isOpen = step.before.recording != nil
            for effect in step.effects {
                switch effect {
                case .begin:
                    if isOpen { return false }
                    isOpen = true
                case .end:
                    if !isOpen { return false }
                    isOpen = false
                case .refused, .ignored, .removed, .stopped: break
                }
            }
            return isOpen == (step.after.recording != nil)
        },
        steps("S9 what is ignored or refused changes nothing and orders nothing else") { step in
            !step.isRefused || step.effects.count == 1 && step.after == step.before
        },
        steps("S9 what comes and changes nothing is answered, unless it is time or asks for no more than there is") {
            step in
            if case .triggered = step.event { return true }
            return step.event == .tick || step.after != step.before || !step.effects.isEmpty
        },
        steps("S8 once over nothing happens") { step in
            step.before.phase != .over
                || step.after == step.before && step.effects == (step.event == .tick ? [] : [.ignored(.over)])
        },
        Property(
            "S8 once over nothing is due and nothing recorded",
            .always {
                $0.phase != .over || $0.nextDeadline == nil && $0.recording == nil
            }),
        steps("S8 it is over when it is removed, when its time is over and when it is drained, and never else") {
            step in
            guard step.before.phase != .over else { return true }
            let isOver = step.event == .deallocated || step.event == .drain || runsOut(step)
            let last: PushTransport.Effect =
                step.event == .drain ? .stopped : .removed(step.event == .deallocated ? .deallocated : .expired)
            return isOver == (step.after.phase == .over) && (!isOver || step.effects.last == last)
        },
    ]

    /// Whether `why` is the cause of an end in this step.
    private static func expected(_ why: PushTransport.Why, _ step: TransportStep) -> Bool {
        switch step.event {
        case .tick:
            if why == .expired { return runsOut(step) }
            guard step.before.leftMs == tickMs, let window = step.before.window else { return false }
            return why == (window.end > window.limit ? .limit : .quiet)
        case .status(.inactive): return why == .inactive
        case .modified(let kind, _): return why == .modified && kind != TransportWorld.kind(step.before.trigger)
        case .blocked(.privacy): return why == .privacy
        case .blocked(.disabled): return why == .disabled
        case .blocked(.off): return why == .off
        case .deallocated: return why == .deallocated
        case .drain: return why == .draining
        case .motion, .held, .triggered, .status(.active), .blocked(nil): return false
        }
    }

    private static func runsOut(_ step: TransportStep) -> Bool {
        step.event == .tick && step.before.expiry?.ms == tickMs
    }

    private static let windows: [Property<TransportWorld>] = [
        steps("S4 motion never moves the limit, nor beyond it what is left") { step in
            guard case .motion = step.event, let before = step.before.window, let after = step.after.window else {
                return true
            }
            return after.limit == before.limit && (step.after.leftMs ?? 0) <= before.limit.ms
        },
        steps("S4 what motion begins lasts as its options say, and is prolonged once at most until that has passed") {
            step in
            guard case .motion(.fits) = step.event, let after = step.after.window,
                case .motion(_, _, let control) = step.after.trigger
            else { return true }
            guard let before = step.before.window else {
                return after.end.ms == control.initialMs && after.limit.ms == control.maxMs && after.previousEnd == nil
                    && !after.commanded
            }
            if after == before { return true }
            return (before.previousEnd?.ms ?? 0) == 0 && after.end == before.end + before.augmentationMs
                && after.previousEnd == before.end
        },
        steps("S4 a command lasts at least as long as it says, and shortens nothing") { step in
            guard case .triggered = step.event, !step.isRefused, let after = step.after.window else { return true }
            let before = step.before.window
            return after.commanded && after.end >= (before?.end ?? after.end)
                && after.limit >= (before?.limit ?? after.limit)
        },
        steps("S5 blind time follows the end of a recording of motion by time alone, and lasts as it began") { step in
            guard let blindMs = step.after.blindMs, step.before.blindMs == nil else { return true }
            return (step.ends == [.quiet] || step.ends == [.limit]) && step.before.window?.commanded == false
                && step.before.window?.blindMs == blindMs
        },
        steps("S5 it does follow it") { step in
            guard step.event == .tick, let window = step.before.window, step.before.recording != nil, !window.commanded,
                window.blindMs > 0, step.before.leftMs == tickMs, step.after.phase != .over
            else { return true }
            return step.after.blindMs == window.blindMs
        },
        steps("S5 only time, a command, another kind of trigger and the transport's own end take blind time away") {
            step in
            guard let blindMs = step.before.blindMs else { return true }
            switch step.event {
            case .tick: return (step.after.blindMs ?? 0) == blindMs - tickMs || step.after.phase == .over
            case .triggered, .modified, .deallocated, .drain: return true
            case .motion, .held, .status, .blocked: return step.after.blindMs == blindMs
            }
        },
        steps("T6 what is held counts whenever motion would") { step in
            guard step.after.held, step.after.block == nil, step.after.isOfMotion else { return true }
            switch step.after.phase {
            case .idle: return false
            case .detected(let window):
                return window.augmentationMs == 0 || window.end >= window.limit || (window.previousEnd?.ms ?? 0) > 0
            case .blind, .over: return true
            }
        },
    ]

    private static let requests: [Property<TransportWorld>] = [
        steps("S7 nothing begins where the camera may not record, and privacy refuses to be set active") { step in
            if step.before.phase == .over { return true }
            switch step.event {
            case .status(.active) where step.before.status == .inactive:
                return (step.before.block == .privacy) == (step.effects == [.refused(.blocked)])
            case .triggered: return step.before.block == nil || step.effects == [.refused(.blocked)]
            case .motion: return step.before.block == nil || step.isRefused
            default: return true
            }
        },
        steps("T5 a command is refused by an inactive transport, a continuous one, and without a time control") {
            step in
            guard case .triggered(let brings) = step.event, step.before.phase != .over, step.before.block == nil else {
                return true
            }
            if step.before.status == .inactive { return step.effects == [.refused(.inactive)] }
            switch TransportWorld.kind(step.before.trigger) {
            case .continuous: return step.effects == [.refused(.continuous)]
            case .command:
                return brings ? step.after.window?.commanded == true : step.effects == [.refused(.noTimeControl)]
            case .motion: return step.after.window?.commanded == true
            }
        },
        steps("T1 motion counts if it lies in a zone, is strong enough, and no blind time runs") { step in
            guard case .motion(let motion) = step.event, step.before.phase != .over, step.before.block == nil else {
                return true
            }
            let counts = step.before.isOfMotion && motion == .fits && step.before.blindMs == nil
            return counts ? step.after.window != nil : step.isRefused
        },
        steps("T7 motion that is remembered counts when the transport is set active") { step in
            guard step.event == .status(.active), step.before.window != nil, step.before.status == .inactive,
                step.before.block == nil
            else { return true }
            return step.begins.count == 1 && step.after.window == step.before.window
        },
    ]

    // MARK: What must come about

    /// F-time of model/README.md.
    private static var timePasses: Fairness<Action> {
        Fairness(
            .weak, "F-time",
            because: "the shell steps each machine at its next deadline; the watchdog restarts a process that does not"
        ) { $0.event == .tick }
    }

    private static let blindEnds = Property<TransportWorld>(
        "L7 blind time ends",
        .leadsTo({ $0.blindMs != nil }, { $0.blindMs == nil }, fairness: { _ in [timePasses] }))

    private static let windowEnds = Property<TransportWorld>(
        "S4 however much moves, a recording of motion ends",
        .leadsTo({ $0.window != nil }, { $0.window == nil }, fairness: { _ in [timePasses] }))

    /// Each is a case that some property speaks of.
    public static let cases: [Property<TransportWorld>] =
        PushTransport.Why.allCases.map { why in
            Property("S3 reached: \(why.rawValue)", happens { $0.ends.contains(why) })
        }
        + PushTransport.Cause.allCases.map { cause in
            Property("S11 reached: begun by \(cause.rawValue)", happens { $0.begins.contains(cause) })
        } + [
            Property("S5 reached: motion in blind time", happens { $0.effects == [.ignored(.blind)] }),
            Property(
                "S5 reached: a command in blind time", happens { $0.before.blindMs != nil && $0.after.window != nil }),
            Property(
                "S4 reached: motion that comes too early to prolong", happens { $0.effects == [.ignored(.early)] }),
            Property(
                "S4 reached: a command that lifts the limit of a recording of motion",
                happens { step in
                    guard case .triggered = step.event, let before = step.before.window, let after = step.after.window
                    else {
                        return false
                    }
                    return !before.commanded && after.limit > before.limit
                }),
            Property(
                "T6 reached: what is held goes on beyond the limit", happens { !$0.ends.isEmpty && !$0.begins.isEmpty }),
            Property("T7 reached: remembered motion", .sometimes { $0.window != nil && $0.status == .inactive }),
        ]

    private static func happens(
        _ holds: @escaping @Sendable (TransportStep) -> Bool
    ) -> Property<TransportWorld>.Question {
        .sometimesStep { holds(TransportStep($0, $1, $2)) }
    }
}
