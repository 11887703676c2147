// T1–T9 of docs/design/rules.md.
extension Camera {
    // MARK: Events

    mutating func detected(_ level: Sensitivity, _ zones: Zones, at now: Instant, _ effects: inout [Effect]) {
        if let suppression = forbidden { return suppress(level, suppression, &effects) }
        if let filter = intent.policy.zones, !zones.intersects(filter) { return suppress(level, .zone, &effects) }
        guard level <= sensitivityInForce else { return suppress(level, .sensitivity, &effects) }
        switch trigger.state {
        case .quiet: begin(.detection, level: level, at: now, &effects)
        case .active, .silent: prolong(at: now, &effects)
        case .settling, .blind: return suppress(level, .blind, &effects)
        }
        guard let (number, _) = trigger.active else { return suppress(level, .disabled, &effects) }
        effects.append(.noteDetection(number, zones))
    }

    mutating func asserted(_ source: SourceNumber, staleMs: Int64, at now: Instant, _ effects: inout [Effect]) {
        guard staleMs > 0 else { return effects.append(.ignored(.invalid)) }
        if let index = trigger.sources.firstIndex(where: { $0.number == source }) {
            trigger.sources[index].staleAt = now + staleMs
        } else if trigger.sources.count < Trigger.maxSources {
            let index = trigger.sources.firstIndex { $0.number > source } ?? trigger.sources.endIndex
            trigger.sources.insert(
                Trigger.Source(number: source, staleAt: now + staleMs, suppressed: nil), at: index)
        } else {
            effects.append(.ignored(.full))
        }
    }

    mutating func cleared(_ source: SourceNumber, _ effects: inout [Effect]) {
        let count = trigger.sources.count
        trigger.sources.removeAll { $0.number == source }
        if trigger.sources.count == count { effects.append(.ignored(.duplicate)) }
    }

    /// T5: a command is never blind, and lifts a running event instead of beginning a second one. What it asks for beyond the
    /// greatest max length is an event of its own, chained to this one.
    mutating func commanded(_ control: TimeControl, at now: Instant, _ effects: inout [Effect]) {
        guard control.initialMs > 0, control.maxMs >= control.initialMs, control.augmentationMs >= 0 else {
            return effects.append(.ignored(.invalid))
        }
        if let suppression = forbidden ?? (intent.enabled ? nil : .disabled) {
            return effects.append(.report(.refused(suppression)))
        }
        guard case .active(let number, var window) = trigger.state else {
            return begin(.command, level: nil, control: control, at: now, &effects)
        }
        let until = window.due
        window.limit = max(window.limit, window.began + control.maxMs)
        window.end = max(window.end, now + control.initialMs)
        window.commanded = true
        window.chain(control, until: now + control.initialMs)
        trigger.state = .active(number, window)
        if window.due != until { effects.append(.report(.eventProlonged(number, until: window.due))) }
    }

    // MARK: Deadlines

    mutating func expireSources(at now: Instant, _ effects: inout [Effect]) {
        for source in trigger.sources where source.staleAt <= now {
            effects.append(.report(.sourceExpired(source.number)))
        }
        trigger.sources.removeAll { $0.staleAt <= now }
    }

    mutating func endWindow(at now: Instant, _ effects: inout [Effect]) {
        switch trigger.state {
        case .active(let number, let window):
            end(number, window.why, &effects)
            let blind = window.blindMs > 0 && !window.commanded
            trigger.state = blind ? .settling(number, blindMs: window.blindMs) : .quiet
            eventEnded(number, window.why == .limit ? .limit : .quiet)
            guard let chained = window.chained else { break }
            let control = TimeControl(
                initialMs: chained.end - now, augmentationMs: chained.augmentationMs, maxMs: chained.maxMs)
            begin(.command, level: nil, control: control, at: now, &effects)
        case .silent: trigger.state = .quiet
        case .quiet, .settling, .blind: break
        }
    }

    /// T2: the first time, and from then on once the previous window end has passed.
    mutating func prolong(at now: Instant, _ effects: inout [Effect]) {
        switch trigger.state {
        case .active(let number, var window):
            guard window.canProlong(at: now) else { return }
            let until = window.due
            window.previousEnd = window.end
            window.end = window.end + window.augmentationMs
            trigger.state = .active(number, window)
            if window.due != until { effects.append(.report(.eventProlonged(number, until: window.due))) }
        case .silent(var window):
            guard window.canProlong(at: now) else { return }
            window.previousEnd = window.end
            window.end = window.end + window.augmentationMs
            trigger.state = .silent(window)
        case .quiet, .settling, .blind: break
        }
    }

    // MARK: What follows

    /// Ends what is no longer allowed, lets asserted sources count, starts blind time, wakes a silent window.
    mutating func settleTrigger(at now: Instant, _ effects: inout [Effect]) {
        switch (trigger.state, whyForbidden) {
        case (.active(let number, _), let why?):
            end(number, why, &effects)
            trigger.state = .quiet
        case (.silent, _) where forbidden != nil: trigger.state = .quiet
        case (.silent(let window), nil): activate(window, &effects)
        case (.quiet, _), (.active, nil), (.silent, _), (.settling, _), (.blind, _): break
        }
        if case .settling(let number, let blindMs) = trigger.state, !recorder.owes(number) {
            trigger.state = .blind(until: now + blindMs)
        }
        if !trigger.sources.isEmpty { countSources(at: now, &effects) }
    }

    /// T6: an asserted source counts as a detection whenever that would begin or prolong something. One that does not count is told
    /// as suppressed the first time, and never again while it is on.
    private mutating func countSources(at now: Instant, _ effects: inout [Effect]) {
        if forbidden == nil {
            if case .quiet = trigger.state { begin(.source, level: nil, at: now, &effects) }
            prolong(at: now, &effects)
        }
        guard let why = whySourcesDoNotCount else { return }
        for index in trigger.sources.indices where trigger.sources[index].suppressed == nil {
            trigger.sources[index].suppressed = why
            effects.append(.report(.suppressed(nil, why)))
        }
    }

    private var whySourcesDoNotCount: Suppression? {
        if let forbidden { return forbidden }
        switch trigger.state {
        case .settling, .blind: return .blind
        case .silent: return .disabled
        case .quiet, .active: return nil
        }
    }

    /// T1: begins an event, or a silent window while the toggle is off.
    private mutating func begin(
        _ cause: ClipCause, level: Sensitivity?, control: TimeControl? = nil, at now: Instant,
        _ effects: inout [Effect]
    ) {
        let rules = control ?? intent.policy.timeControl
        let window = Trigger.Window(
            began: now, cause: cause, level: level, end: now + max(rules.initialMs, 1_000), previousEnd: nil,
            limit: now + max(rules.maxMs, 1_000), augmentationMs: max(rules.augmentationMs, 0),
            blindMs: control == nil ? max(rules.blindMs, 0) : 0, sensitivity: intent.policy.sensitivity,
            commanded: control != nil, chained: nil)
        if intent.enabled { activate(window, &effects) } else { trigger.state = .silent(window) }
    }

    private mutating func activate(_ window: Trigger.Window, _ effects: inout [Effect]) {
        trigger.events &+= 1
        let number = EventNumber(trigger.events)
        trigger.state = .active(number, window)
        effects.append(.beginEvent(number, window.cause, level: window.level))
        effects.append(.report(.eventBegan(number, window.cause, level: window.level, until: window.due)))
    }

    private func end(_ number: EventNumber, _ why: Trigger.Why, _ effects: inout [Effect]) {
        effects.append(.endEvent(number, why))
        effects.append(.report(.eventEnded(number, why)))
    }

    private func suppress(_ level: Sensitivity, _ why: Suppression, _ effects: inout [Effect]) {
        effects.append(.noteSuppressed(level, why, during: trigger.latest))
        effects.append(.report(.suppressed(level, why)))
    }

    /// Why no detection counts at all, not even silently (T7).
    private var forbidden: Suppression? {
        if intent.draining { return .draining }
        if intent.blocked { return .privacy }
        return intent.policy.mode == .off ? .off : nil
    }

    /// Why no event may be active.
    private var whyForbidden: Trigger.Why? {
        if intent.draining { return .draining }
        if intent.blocked { return .privacy }
        if !intent.enabled { return .disabled }
        return intent.policy.mode == .off ? .policy : nil
    }

    /// T9: a running window keeps the sensitivity it began with.
    private var sensitivityInForce: Sensitivity {
        switch trigger.state {
        case .active(_, let window), .silent(let window): window.sensitivity
        case .quiet, .settling, .blind: intent.policy.sensitivity
        }
    }
}

extension Trigger.Window {
    /// A command lasts until `end`: what lies beyond the limit is left to the next event. Of that nothing is needed any longer where
    /// the limit has been lifted so far.
    fileprivate mutating func chain(_ control: TimeControl, until end: Instant) {
        if end > limit {
            let before = chained ?? Trigger.Chained(end: end, maxMs: 0, augmentationMs: 0)
            chained = Trigger.Chained(
                end: max(before.end, end), maxMs: max(before.maxMs, control.maxMs),
                augmentationMs: max(before.augmentationMs, control.augmentationMs))
        } else if let before = chained, before.end <= limit {
            chained = nil
        }
    }
}
