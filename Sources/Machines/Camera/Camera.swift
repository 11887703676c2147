/// The machine of one camera: Link × Trigger × Recorder under one intent (docs/design/rules.md "A camera").
///
/// Owns every decision about one camera; never reads a clock, draws a random number, logs, traps or waits. Called by one
/// actor per camera, which journals each event, steps, and hands the effects to the shell in their order.
///
/// A step applies the deadlines due at or before its instant, earliest first, then the event; after each of these it
/// settles: whatever the changed facts call for is ordered at once, always in the same order (trigger, ring, recorder,
/// purge, link, coverage). Deadlines due at the same instant are applied in the order of `Due`.
public struct Camera: Hashable, Sendable, Codable {
    /// The bounds it works with.
    public let timing: Timing
    /// What is asked of the camera.
    public package(set) var intent: Intent
    /// The connection.
    public package(set) var link = Link()
    /// What starts and ends events.
    public package(set) var trigger = Trigger()
    /// What is recorded.
    public package(set) var recorder = Recorder()
    /// Whether the ring has been told to keep media.
    public package(set) var keepsMedia = false
    /// The label that was last reported; nil before the first step.
    public package(set) var label: Coverage?
    /// Nothing is owed any more after a drain; every later event is ignored.
    public package(set) var stopped = false

    /// A machine that has done nothing yet; its first step begins to act.
    public init(intent: Intent, timing: Timing = Timing()) {
        self.intent = intent
        self.timing = timing
    }

    /// Takes `event` at `now`, and everything that time has brought due before it; returns the orders it gives.
    /// Total: any event in any state; what does not fit is answered by `ignored` and changes nothing.
    public mutating func step(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        if label == nil { change(at: now, &effects) { _, _ in } }
        while !stopped, let (due, at) = firstDue(at: now, { deadline($0) }) {
            change(at: at, &effects) { $0.apply(due, at: at, &$1) }
        }
        if stopped { return event == .tick ? effects : effects + [.ignored(.stopped)] }
        change(at: now, &effects) { $0.take(event, at: now, &$1) }
        return effects
    }

    /// When `step(.tick, at:)` is due; nil if time alone changes nothing. The first step is due at once.
    public var nextDeadline: Instant? {
        if label == nil { return Instant(ms: 0) }
        return stopped ? nil : earliest(earliest(link.nextDeadline, trigger.nextDeadline), recorder.nextDeadline)
    }

    /// One change and what follows from it.
    private mutating func change(
        at now: Instant, _ effects: inout [Effect], _ body: (inout Camera, inout [Effect]) -> Void
    ) {
        body(&self, &effects)
        settleTrigger(at: now, &effects)
        keepMedia(&effects)
        settleRecorder(at: now, &effects)
        purgeMedia(&effects)
        settleLink(at: now, &effects)
        if label != coverage {
            effects.append(.label(coverage))
            effects.append(.report(.coverage(from: label ?? .recorderDown, to: coverage)))
            label = coverage
        }
        if isDone { stop(&effects) }
    }

    /// The end: nothing is owed, so nothing is held either.
    private mutating func stop(_ effects: inout [Effect]) {
        stopped = true
        intent.policyUntil = nil
        link = Link()
        trigger = Trigger()
        recorder = Recorder()
        effects.append(.stopped)
    }

    private var isDone: Bool {
        intent.draining && link.state == .off && link.hangingUp == nil && recorder.state == .idle
            && recorder.closing.isEmpty
    }

    /// Media is wanted in a clip.
    public var mediaWanted: Bool {
        intent.recordingWanted && (intent.policy.mode == .continuous || trigger.active != nil)
    }

    /// A connection is wanted. A clip that is open keeps it: on demand, too, the clip ends on a key frame.
    public var linkWanted: Bool {
        let needed = intent.policy.connection == .always || mediaWanted || recorder.clip != nil
        return !intent.draining && !intent.privacy.hard
            && (intent.viewers > 0 || intent.recordingWanted && needed)
    }

    /// The label of the present moment (S13): exactly one, the first that applies.
    public var coverage: Coverage {
        switch recorder.state {
        case .writing, .cutting: return .recorded
        case .idle, .opening: break
        }
        if intent.draining { return .recorderDown }
        if !intent.enabled { return .disabled }
        if intent.blocked { return .privacy }
        if intent.policy.mode == .off { return intent.policy.offBySchedule ? .offBySchedule : .offByPolicy }
        if intent.storage == .lost { return .storage }
        if linkWanted, link.phase != .streaming { return .linkLost }
        // Wanted, streaming, and nothing open: the storage is behind (a retry wait, or two clips still closing).
        if mediaWanted { return recorder.clip == nil ? .storage : .recorded }
        switch trigger.state {
        case .blind, .settling: return .blind
        case .quiet, .active, .silent: return .idle
        }
    }

    // MARK: Deadlines

    /// What time brings due, in the order in which ties are applied.
    enum Due: Int, CaseIterable {
        /// A level source was not refreshed.
        case sourceStale
        /// The window of an event, or a silent one, is over.
        case windowEnd
        /// An asserted source may prolong again.
        case sourceProlongs
        /// The blind time is over.
        case blindEnd
        /// A dial, silence or patience bound, a wait, or a hang-up bound.
        case link
        /// A cut, its grace, an opening bound, or a retry.
        case recorder
        /// A closing clip's bound.
        case closing
    }

    /// When `due` comes, if it does.
    func deadline(_ due: Due) -> Instant? {
        switch due {
        case .sourceStale: return trigger.sources.map(\.staleAt).min()
        case .windowEnd:
            switch trigger.state {
            case .active(_, let window), .silent(let window): return window.due
            case .quiet, .settling, .blind: return nil
            }
        case .sourceProlongs:
            if trigger.sources.isEmpty { return nil }
            switch trigger.state {
            case .active(_, let window), .silent(let window): return window.previousEnd
            case .quiet, .settling, .blind: return nil
            }
        case .blindEnd: if case .blind(let until) = trigger.state { return until } else { return nil }
        case .link: return link.nextDeadline
        case .recorder:
            switch recorder.state {
            case .idle: return recorder.retryAt
            case .opening(_, let deadline): return deadline
            case .writing(_, let cutAt): return cutAt
            case .cutting(_, _, let grace): return grace
            }
        case .closing: return recorder.closing.map(\.deadline).min()
        }
    }

    private mutating func apply(_ due: Due, at now: Instant, _ effects: inout [Effect]) {
        switch due {
        case .sourceStale: expireSources(at: now, &effects)
        case .windowEnd: endWindow(at: now, &effects)
        case .sourceProlongs: prolong(at: now, &effects)
        case .blindEnd: trigger.state = .quiet
        case .link: linkDeadline(at: now, &effects)
        case .recorder: recorderDeadline(at: now, &effects)
        case .closing: closingDeadline(at: now, &effects)
        }
    }

    // MARK: Events

    private mutating func take(_ event: Event, at now: Instant, _ effects: inout [Effect]) {
        switch event {
        case .tick: break
        case .dialed(let number): dialed(number, at: now, &effects)
        case .dialFailed(let number, let failure): dialFailed(number, failure, at: now, &effects)
        case .keyframe(let number): keyframe(number, at: now, &effects)
        case .packets(let number, let last): packets(number, last: last, at: now, &effects)
        case .lost(let number, let failure): lost(number, failure, at: now, &effects)
        case .hungUp(let number): hungUp(number, &effects)
        case .detected(let level, let zones): detected(level, zones, at: now, &effects)
        case .asserted(let source, let staleMs): asserted(source, staleMs: staleMs, at: now, &effects)
        case .cleared(let source): cleared(source, &effects)
        case .commanded(let control): commanded(control, at: now, &effects)
        case .opened(let number, let start, let shortfall): opened(number, start, shortfall, at: now, &effects)
        case .openFailed(let number): openFailed(number, at: now, &effects)
        case .keyframeMissing(let number): keyframeMissing(number, at: now, &effects)
        case .cut(let number, let end): cut(number, end, at: now, &effects)
        case .streamChanged(let number, let end): streamChanged(number, end, at: now, &effects)
        case .writeFailed(let number): writeFailed(number, at: now, &effects)
        case .closed(let number, let complete): closed(number, complete: complete, &effects)
        case .enabled(let enabled): change(&effects) { $0.enabled = enabled }
        case .policy(let policy, let until):
            change(&effects) {
                $0.policy = policy
                $0.policyUntil = until
            }
        case .privacy(let privacy): change(&effects) { $0.privacy = privacy }
        case .connect(let connect): reconnect(connect, at: now, &effects)
        case .viewers(let viewers):
            if viewers < 0 { effects.append(.ignored(.invalid)) } else { change(&effects) { $0.viewers = viewers } }
        case .storage(let storage): change(&effects) { $0.storage = storage }
        case .drain: change(&effects) { $0.draining = true }
        }
    }

    private mutating func change(_ effects: inout [Effect], _ body: (inout Intent) -> Void) {
        let before = intent
        body(&intent)
        guard intent != before else { return effects.append(.ignored(.duplicate)) }
        if intent.enabled != before.enabled { effects.append(.report(.enabled(intent.enabled))) }
        if intent.privacy != before.privacy { effects.append(.report(.privacy(intent.privacy))) }
        if intent.policy.mode != before.policy.mode {
            effects.append(.report(.mode(from: before.policy.mode, to: intent.policy.mode)))
        }
        if intent.storage != before.storage {
            effects.append(.report(.storage(from: before.storage, to: intent.storage)))
            if before.storage == .lost { recorder.retryAt = nil }
        }
    }
}
