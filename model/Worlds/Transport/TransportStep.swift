internal import Machines

/// One step as the properties look at it. In the first states a recording is owed: it is taken off here, so that `before` is what the
/// event met.
struct TransportStep {
    let world: TransportWorld
    let before: PushTransport
    let event: TransportWorld.Event
    let effects: [PushTransport.Effect]
    let after: PushTransport
    /// A recording was owed and was not begun before everything else.
    let missesFirst: Bool

    init(
        _ world: TransportWorld, _ source: PushTransport, _ label: TransportWorld.Action, _ target: PushTransport
    ) {
        self.world = world
        event = label.event
        after = target
        guard source.mayRecord, source.recording == nil else {
            (before, effects, missesFirst) = (source, label.effects, false)
            return
        }
        var begun = source
        begun.recordings = 1
        begun.recording = RecordingNumber(rawValue: 1)
        before = begun
        var isBegun = false
        if case .begin = label.effects.first { isBegun = true }
        missesFirst = !isBegun
        effects = isBegun ? Array(label.effects.dropFirst()) : label.effects
    }

    var begins: [PushTransport.Cause] {
        effects.compactMap { if case .begin(_, let cause) = $0 { cause } else { nil } }
    }
    var ends: [PushTransport.Why] { effects.compactMap { if case .end(_, let why) = $0 { why } else { nil } } }
    /// It was answered, and not taken.
    var isRefused: Bool { effects.contains(where: \.isAnswer) }
    /// It was turned down for one of the reasons that hold, or none of them does and it was not.
    func isTurnedDown(for reasons: [PushTransport.Effect: Bool]) -> Bool {
        guard let answer = effects.first(where: \.isAnswer) else { return !reasons.values.contains(true) }
        return effects == [answer] && reasons[answer] == true
    }
}

// What the event says, whatever the machine made of it.
extension TransportStep {
    /// How much time passes with it.
    var elapsedMs: Int64 { event == .tick ? TransportWorld.tickMs : 0 }
    /// Its own time is over.
    var runsOut: Bool { event == .tick && before.expiry?.ms == TransportWorld.tickMs }
    /// It is removed or drained, or its own time is over.
    var isLast: Bool { before.phase != .over && (event == .deallocated || event == .drain || runsOut) }
    /// The time of the window is over.
    var isDue: Bool { event == .tick && before.leftMs == TransportWorld.tickMs }
    /// It gives the transport another kind of trigger.
    var isOfAnotherKind: Bool {
        guard case .modified(let kind, _) = event else { return false }
        return kind != TransportWorld.kind(before.trigger)
    }
    /// What runs has lost its ground: inactive, blocked, or another kind of trigger.
    var forgets: Bool {
        if isRefused { return false }
        return switch event {
        case .status(let status): status == .inactive
        case .blocked(let block): block != nil
        case .modified: isOfAnotherKind
        case .tick, .motion, .held, .triggered, .deallocated, .drain: false
        }
    }
    /// The window that goes on, seen from the end of the step: not over, and not forgotten.
    var kept: PushTransport.Window? {
        guard !isLast, !isDue, !forgets, var window = before.window else { return nil }
        window.end = Instant(ms: window.end.ms - elapsedMs)
        window.limit = Instant(ms: window.limit.ms - elapsedMs)
        window.previousEnd = window.previousEnd.map { Instant(ms: max($0.ms - elapsedMs, 0)) }
        return window
    }
    /// A command that was taken: the time control that it brings along, or else that of the options.
    var command: TimeControl? {
        guard case .triggered(let brings) = event, !isRefused else { return nil }
        return brings ? world.command : before.options
    }
    /// Motion counts in this step: it came and was taken, or something is held.
    var hears: Bool { event == .motion(.fits) && !isRefused || after.hearsWhatIsHeld }
}

extension PushTransport.Effect {
    /// The event was not taken.
    var isAnswer: Bool {
        switch self {
        case .ignored, .refused: true
        case .begin, .end, .removed, .stopped: false
        }
    }
    /// Nothing follows it.
    var isLast: Bool {
        switch self {
        case .removed, .stopped: true
        case .begin, .end, .ignored, .refused: false
        }
    }
}

extension PushTransport.Window {
    /// Motion that counts at the instant of the state moves its end: the first time, and when the end before the last prolonging
    /// has passed; not where it ends at its limit anyway.
    var canBeProlonged: Bool { augmentationMs > 0 && end < limit && (previousEnd?.ms ?? 0) <= 0 }

    /// Its end, and the one before, after motion that counts.
    func prolonged(_ hears: Bool) -> (end: Instant, previousEnd: Instant?) {
        hears && canBeProlonged ? (end + augmentationMs, end) : (end, previousEnd)
    }
}

extension PushTransport {
    /// It is active, the camera may record, and its trigger says so.
    var mayRecord: Bool {
        guard status == .active, block == nil, phase != .over else { return false }
        if trigger == .continuous { return true }
        return window != nil
    }

    var window: Window? { if case .detected(let window) = phase { window } else { nil } }
    var blindMs: Int64? { if case .blind(let until) = phase { until.ms } else { nil } }
    /// What is left of the window.
    var leftMs: Int64? { window.map { min($0.end, $0.limit).ms } }
    var isOfMotion: Bool { if case .motion = trigger { true } else { false } }
    /// The time control of motion.
    var options: TimeControl? { if case .motion(_, _, let control) = trigger { control } else { nil } }
    /// Something is held, and motion is looked at.
    var hearsWhatIsHeld: Bool { held && block == nil && isOfMotion && phase != .over }
}
