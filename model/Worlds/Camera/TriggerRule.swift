internal import Machines

/// T1–T9: what the trigger comes to, and what it tells on the way.
struct TriggerRule: Equatable {
    /// A window, in the terms of the rules.
    struct Window: Equatable {
        var end: Instant
        var previous: Instant?
        var limit: Instant
        var augmentation: Int64
        var blind: Int64
        var sensitivity: Sensitivity
        var commanded: Bool
        /// The greatest M that took part, and how long a command lasts beyond the limit.
        var longest: Int64
        var chained: Instant?

        var due: Instant { min(end, limit) }
        var canBeProlonged: Bool { previous == nil || previous.isDue }
    }

    enum State: Equatable {
        case quiet
        case active(Window)
        case silent(Window)
        case settling(blind: Int64)
        case blind(until: Instant)
    }

    var state: State
    var source: Instant?
    /// That the source does not count has been told.
    var isSuppressed: Bool
    var told: [String] = []

    /// What a state of the machine is in these terms.
    init(_ trigger: Trigger) {
        source = trigger.sources.first?.staleAt
        isSuppressed = trigger.sources.first?.suppressed != nil
        let window = trigger.window.map {
            Window(
                end: $0.end, previous: $0.previousEnd, limit: $0.limit, augmentation: $0.augmentationMs,
                blind: $0.blindMs, sensitivity: $0.sensitivity, commanded: $0.commanded,
                longest: $0.limit.ms == .max ? .max : $0.limit - $0.began, chained: $0.chained?.end)
        }
        switch (trigger.state, window) {
        case (.active, let window?): state = .active(window)
        case (.silent, let window?): state = .silent(window)
        case (.settling(_, let blindMs), _): state = .settling(blind: blindMs)
        case (.blind(let until), _): state = .blind(until: until)
        default: state = .quiet
        }
    }

    /// What the step must come to.
    static func following(_ step: CameraStep) -> TriggerRule {
        var rule = TriggerRule(step.aged.trigger)
        guard step.fits else { return rule }
        let intent = step.after.intent
        switch step.fact {
        case .tick: rule.pass(step)
        case .detected(let level, let inZone): rule.detect(level, inZone, intent)
        case .asserted: rule.source = Instant(ms: CameraConfiguration.ms(step.view.stale))
        case .cleared: rule.forgetSource()
        case .command: rule.command(step.view.command, intent)
        default: break
        }
        rule.settle(step)
        if step.after.stopped {
            rule.state = .quiet
            rule.forgetSource()
        }
        return rule
    }

    /// A source tells that it does not count; a detection is noted too.
    private mutating func suppress(_ why: Camera.Suppression, noted: Bool = false) {
        if noted { told.append("noteSuppressed(\(why.rawValue))") }
        told.append("report(suppressed,\(why.rawValue))")
    }

    private mutating func forgetSource() {
        source = nil
        isSuppressed = false
    }

    private mutating func tellBegun() { told += ["beginEvent", "report(eventBegan)"] }

    private mutating func tellEnded(_ why: String) { told += ["endEvent(\(why))", "report(eventEnded,\(why))"] }

    private mutating func begin(_ control: TimeControl, _ intent: Intent, commanded: Bool = false) {
        let window = Window(
            end: Instant(ms: control.initialMs), previous: nil, limit: Instant(ms: control.maxMs),
            augmentation: control.augmentationMs, blind: commanded ? 0 : control.blindMs,
            sensitivity: intent.policy.sensitivity, commanded: commanded, longest: control.maxMs, chained: nil)
        if intent.enabled {
            state = .active(window)
            tellBegun()
        } else {
            state = .silent(window)
        }
    }

    /// T2. A silent window tells nothing of it.
    private mutating func prolong() {
        switch state {
        case .active(var window) where window.canBeProlonged:
            let due = window.due
            window.previous = window.end
            window.end = window.end + window.augmentation
            if window.due != due { told.append("report(eventProlonged)") }
            state = .active(window)
        case .silent(var window) where window.canBeProlonged:
            window.previous = window.end
            window.end = window.end + window.augmentation
            state = .silent(window)
        default: break
        }
    }

    /// T1, T8, T9: what passes zone and sensitivity begins or prolongs; a window keeps the sensitivity it began with.
    private mutating func detect(_ level: Sensitivity, _ inZone: Bool, _ intent: Intent) {
        if let why = intent.forbids { return suppress(why, noted: true) }
        if !inZone { return suppress(.zone, noted: true) }
        var sensitivity = intent.policy.sensitivity
        if case .active(let window) = state { sensitivity = window.sensitivity }
        if case .silent(let window) = state { sensitivity = window.sensitivity }
        if level > sensitivity { return suppress(.sensitivity, noted: true) }
        switch state {
        case .settling, .blind: return suppress(.blind, noted: true)
        case .quiet: begin(intent.policy.timeControl, intent)
        case .active, .silent: prolong()
        }
        if intent.enabled { told.append("noteDetection") } else { suppress(.disabled, noted: true) }
    }

    /// T5.
    private mutating func command(_ control: TimeControl, _ intent: Intent) {
        if let why = intent.forbids ?? (intent.enabled ? nil : .disabled) {
            return told.append("refused(\(why.rawValue))")
        }
        guard case .active(var window) = state else { return begin(control, intent, commanded: true) }
        let due = window.due
        let asked = Instant(ms: control.initialMs)
        if control.maxMs > window.longest {
            window.limit = control.maxMs == .max ? Instant(ms: .max) : window.limit + (control.maxMs - window.longest)
            window.longest = control.maxMs
        }
        window.end = max(window.end, asked)
        window.commanded = true
        window.chained = max(window.chained ?? asked, asked)
        if let chained = window.chained, chained <= window.limit { window.chained = nil }
        if window.due != due { told.append("report(eventProlonged)") }
        state = .active(window)
    }

    /// T3. A tick: a stale source goes before a window that ends, that before a blind time that ends.
    private mutating func pass(_ step: CameraStep) {
        if source.isDue {
            forgetSource()
            told.append("report(sourceExpired)")
        }
        switch state {
        case .active(let window) where Optional(window.due).isDue:
            tellEnded(window.end > window.limit ? "limit" : "quiet")
            state = window.blind > 0 && !window.commanded ? .settling(blind: window.blind) : .quiet
            if let chained = window.chained {
                var control = step.view.command
                control.initialMs = chained.ms
                begin(control, step.after.intent, commanded: true)
            }
        case .silent(let window) where Optional(window.due).isDue: state = .quiet
        case .blind(let until) where Optional(until).isDue: state = .quiet
        default: break
        }
    }

    /// T6, T7 and the beginning of the blind time.
    private mutating func settle(_ step: CameraStep) {
        let intent = step.after.intent
        switch state {
        case .active where !intent.allowsEvents:
            let why = intent.forbids == .off ? nil : intent.forbids?.rawValue
            tellEnded(why ?? (intent.enabled ? "policy" : "disabled"))
            state = .quiet
        case .silent where intent.forbids != nil: state = .quiet
        case .silent(let window) where intent.enabled:
            state = .active(window)
            tellBegun()
        case .settling(let blind):
            let owed =
                step.after.recorder.clip?.event == EventNumber(2)
                || step.after.recorder.closing.contains { $0.event != nil }
            if !owed { state = .blind(until: Instant(ms: blind)) }
        default: break
        }
        if source != nil { count(intent) }
    }

    /// T6: a source that does not count tells so once.
    private mutating func count(_ intent: Intent) {
        if intent.forbids == nil {
            if state == .quiet { begin(intent.policy.timeControl, intent) }
            prolong()
        }
        var why = intent.forbids
        switch state {
        case .settling, .blind: why = why ?? .blind
        case .silent: why = why ?? .disabled
        case .quiet, .active: break
        }
        guard !isSuppressed, let why else { return }
        isSuppressed = true
        suppress(why)
    }
}
