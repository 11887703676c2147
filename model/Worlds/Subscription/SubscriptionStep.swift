internal import Machines

/// One step as the properties look at it. In the first states the first load is due at their very instant: it is taken
/// off here, so that `before` is what the event met.
struct SubscriptionStep {
    let before: Subscription
    let event: SubscriptionWorld.Event
    let effects: [Subscription.Effect]
    let after: Subscription
    /// The first load was due and was not ordered before everything else.
    let missesFirstLoad: Bool
    /// Loads ordered before the event.
    let loads: UInt32

    init(_ source: Subscription, _ label: SubscriptionWorld.Action, _ target: Subscription) {
        event = label.event
        after = target
        guard source.load == .next(at: SubscriptionWorld.zero) else {
            (before, effects, loads, missesFirstLoad) = (source, label.effects, source.loads, false)
            return
        }
        var begun = source
        begun.load = .ask(
            SubscriptionWorld.outstanding, until: SubscriptionWorld.zero + source.timing.answerMs)
        loads = source.loads + 1
        before = begun
        let first = label.effects.first == .load(Subscription.LoadNumber(loads))
        missesFirstLoad = !first
        effects = first ? Array(label.effects.dropFirst()) : label.effects
    }

    // MARK: What happened

    /// The milliseconds that passed.
    var passedMs: Int64 { event == .tick ? SubscriptionWorld.tickMs : 0 }
    /// A tick reaches a deadline that was `leftMs` away.
    func reaches(_ leftMs: Int64?) -> Bool { event == .tick && leftMs == passedMs }
    /// What is left of `leftMs` after the step, if nothing else changes it.
    func rest(_ leftMs: Int64?) -> Int64? { leftMs.map { $0 - passedMs } }

    /// The plan came to its end.
    var ended: Bool { reaches(before.untilMs) }
    /// The provider's answer did not come in its time.
    var missed: Bool { reaches(before.askMs) }
    /// What the provider told.
    var told: SubscriptionWorld.Told? { if case .loaded(.cur, let told) = event { told } else { nil } }
    /// The load failed.
    var fails: Bool { missed || event == .loadFailed(.cur) }
    /// A drain that is not ignored.
    var drains: Bool { event == .drain && !before.isStopped }
    /// A load is called for and can be ordered.
    var loadIsDue: Bool {
        before.nextMs != nil && (ended || reaches(before.nextMs) || event == .refresh)
    }
    /// Something was stored, before what is over was purged.
    var held: Bool { if case .stored(let stored) = event, !before.isStopped { stored } else { before.stored } }
    /// What is stored is over.
    var purges: Bool { !after.isStopped && !after.hasPlan && held && after.goneMs == 0 }
    /// Why the event must be ignored, if it must.
    var ignored: Subscription.Ignored? {
        if before.isStopped { return event == .tick ? nil : .stopped }
        switch event {
        case .loaded(.late, _), .loadFailed(.late): return .late
        case .loaded(.unknown, _), .loadFailed(.unknown): return .unknown
        case .stored(let stored): return stored == before.stored ? .duplicate : nil
        case .refresh: return before.askMs == nil ? nil : .duplicate
        case .tick, .drain, .loaded(.cur, _), .loadFailed(.cur): return nil
        }
    }

    /// How often an effect of this kind was ordered.
    func count(_ kind: (Subscription.Effect) -> Bool) -> Int { effects.filter(kind).count }
    /// The effects of this kind are exactly these.
    func orders(_ wanted: [Subscription.Effect], among kind: (Subscription.Effect) -> Bool) -> Bool {
        effects.filter(kind) == wanted
    }
}

extension Subscription {
    var isStopped: Bool { load == .stopped }
    /// A plan holds.
    var hasPlan: Bool { if case .active = kept.plan { true } else { false } }
    /// What is left of the plan; nil without one, or once stopped.
    var untilMs: Int64? { if case .active(let until) = kept.plan, !isStopped { until.ms } else { nil } }
    /// What is left of the retention, 0 if it is over; nil if that is not known.
    var goneMs: Int64? {
        switch kept.gone {
        case .unknown: nil
        case .at(let end): end.ms
        case .over: 0
        }
    }
    /// What is left of the bound of the answer.
    var askMs: Int64? { if case .ask(_, let until) = load { until.ms } else { nil } }
    /// What is left until the next load.
    var nextMs: Int64? { if case .next(let at) = load { at.ms } else { nil } }
    /// Which of the six states holds, by the table of docs/design/subscription.md.
    var reportByDefinition: Report {
        switch (failed, kept.plan, stored) {
        case (true, _, _): .loadFailed
        case (false, .none, _): .noService
        case (false, .active, true): .validData
        case (false, .active, false): .noData
        case (false, .expired, true): .expiredData
        case (false, .expired, false): .expiredNoData
        }
    }
}
