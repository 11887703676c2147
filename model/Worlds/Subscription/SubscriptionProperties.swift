internal import Explorer
internal import Machines

// What must hold of the subscription in every world.
extension SubscriptionWorld {
    /// What is asked in every world.
    public static let properties: [Property<SubscriptionWorld>] = safety + facts + [keepsLoading]
    /// What is asked where the provider does not move the dates of a plan.
    public static let steadyProperties: [Property<SubscriptionWorld>] = [uncoveredIsGone, planEnds]

    static func steps(
        _ name: String, _ holds: @escaping @Sendable (SubscriptionStep) -> Bool
    ) -> Property<SubscriptionWorld> {
        Property(name, .steps { holds(SubscriptionStep($0, $1, $2)) })
    }

    private static func steps(
        restating name: String, _ holds: @escaping @Sendable (SubscriptionStep) -> Bool
    ) -> Property<SubscriptionWorld> {
        Property(restating: name, .steps { holds(SubscriptionStep($0, $1, $2)) })
    }

    static let safety: [Property<SubscriptionWorld>] = [
        Property("S8 once stopped nothing is due", .always { !$0.isStopped || $0.nextDeadline == nil }),
        steps("S8 once stopped nothing happens") { step in
            !step.before.isStopped
                || step.after == step.before && step.effects == (step.event == .tick ? [] : [.ignored(.stopped)])
        },
        steps("S9 a late or unknown answer is ignored as what it is") { step in
            let why: Subscription.Ignored? =
                switch step.event {
                case .loaded(.late, _), .loadFailed(.late): .late
                case .loaded(.unknown, _), .loadFailed(.unknown): .unknown
                default: nil
                }
            return step.before.isStopped || why.map { step.effects == [.ignored($0)] } ?? true
        },
        steps("S11 a load that fails is told, unless the last one failed too, and one that comes is believed") { step in
            switch step.event {
            case .loadFailed(.cur): step.after.isStopped || step.after.failed
            case .loaded(.cur, let told):
                step.after.isStopped || !step.after.failed && (told == .none) == (step.after.kept.plan == .none)
            case .stored(let stored): step.after.isStopped || step.after.stored == stored || step.purges
            default: true
            }
        },
        steps("S14 a load that fails takes no plan away") { step in
            step.event != .loadFailed(.cur) || step.after.isStopped
                || step.after.hasPlan == step.before.hasPlan
                    && (step.after.kept.plan == .none) == (step.before.kept.plan == .none)
        },
        steps("S16 a load that failed is tried again, not at once and within the wait of a failure") { step in
            guard step.fails, !step.after.isStopped, let next = step.after.nextMs else { return true }
            return 0 < next && next <= step.after.timing.retryMs
        },
        steps("S12 with time alone what is stored goes only when its retention is over") { step in
            step.event != .tick || step.reaches(step.before.goneMs)
                || step.count { if case .purgeRemote = $0 { true } else { false } } == 0
                    && step.after.stored == step.before.stored
        },
        steps("S9 what is ignored changes nothing") { step in
            step.count { if case .ignored = $0 { true } else { false } } == 0
                || step.effects.count == 1 && step.after == step.before
        },
        steps("S8 a drain stops, and nothing else does") { step in
            step.orders(step.drains ? [.stopped] : []) { $0 == .stopped }
                && step.after.isStopped == (step.before.isStopped || step.drains)
        },
        steps(restating: "S9 what does not fit is ignored for its reason and changes nothing; all else is taken") {
            step in
            let ignores = step.orders(step.ignored.map { [.ignored($0)] } ?? []) {
                if case .ignored = $0 { true } else { false }
            }
            return ignores && (step.ignored == nil || step.effects.count == 1 && step.after == step.before)
        },
        steps(restating: "S10 a load is ordered exactly when one is due and none is outstanding") { step in
            let number = Subscription.LoadNumber(step.loads + 1)
            return !step.missesFirstLoad
                && step.orders(step.loadIsDue ? [.load(number)] : []) { if case .load = $0 { true } else { false } }
        },
        steps(restating: "S10 a load is given up exactly when its bound passes or the machine stops") { step in
            let givenUp = step.missed || step.drains && step.before.askMs != nil
            let number = Subscription.LoadNumber(step.loads)
            return step.orders(givenUp ? [.abandon(number)] : []) { if case .abandon = $0 { true } else { false } }
        },
        steps(restating: "S10 orders come in their order, and those of a later deadline after those of an earlier one")
        { step in
            let later = step.ofTheLastDeadline
            let first = step.effects.dropLast(later.count)
            return Array(step.effects.suffix(later.count)) == later
                && zip(first, first.dropFirst()).allSatisfy { rank($0) <= rank($1) }
        },
        steps(restating: "S11 each change of the state is reported, once, and nothing else") { step in
            step.orders(step.reports.map { .report($0) }) { if case .report = $0 { true } else { false } }
        },
        steps("S11 uploads are switched exactly when they change") { step in
            let (before, after) = (step.before.hasPlan && !step.before.isStopped, step.after.uploadsAllowed)
            return step.orders(before == after ? [] : [.uploads(after)]) {
                if case .uploads = $0 { true } else { false }
            }
        },
        steps(restating: "S12 remote video is purged exactly when it has outlived its plan, and the rule is named") {
            step in
            step.after.stored == (step.held && !step.purges)
                && step.orders(step.purges ? [.purgeRemote(.planRetention)] : []) {
                    if case .purgeRemote = $0 { true } else { false }
                }
        },
        steps(restating: "S12 stored video outlives its plan by the retention") { step in
            step.after.isStopped || step.after.goneMs == step.goneByDefinition
        },
        Property("S14 the six states are reported by their definition", .always { $0.report == $0.reportByDefinition }),
        Property("S14 uploads are allowed while a plan holds", .always { $0.uploadsAllowed == ($0.untilMs != nil) }),
        steps(restating: "S14 the plan is the one last told, until its end") { step in
            let plan = step.planByDefinition
            return step.after.isStopped
                ? step.after.hasPlan == step.before.hasPlan
                    && (step.after.kept.plan == .none) == (step.before.kept.plan == .none)
                : step.after.kept.plan == plan
        },
        steps(restating: "S14 a load has failed until one has not") { step in
            step.after.failed == (step.told == nil && (step.before.failed || step.fails))
        },
        steps(restating: "L each answer, good or bad, brings the next load in its time") { step in
            if step.after.isStopped { return true }
            let timing = step.after.timing
            let asked = step.loadIsDue ? timing.answerMs : step.rest(step.before.askMs)
            if step.told != nil { return step.after.nextMs == timing.refreshMs }
            if step.fails { return step.after.nextMs == timing.retryMs }
            if step.loadIsDue || step.before.askMs != nil { return step.after.askMs == asked }
            return step.after.nextMs == step.rest(step.before.nextMs)
        },
    ]

    /// The place of an effect among those of one change.
    private static func rank(_ effect: Subscription.Effect) -> Int {
        switch effect {
        case .abandon: 0
        case .uploads: 1
        case .purgeRemote: 2
        case .load: 3
        case .report, .ignored: 4
        case .stopped: 5
        }
    }
}

extension SubscriptionStep {
    /// A load that goes unanswered, or that is due by itself, is dealt with after the dates of plan and video.
    fileprivate var ofTheLastDeadline: [Subscription.Effect] {
        let number = Subscription.LoadNumber(loads)
        if missed { return [.abandon(number)] + (before.failed ? [] : [.report(.loadFailed)]) }
        return reaches(before.nextMs) && !ended ? [.load(Subscription.LoadNumber(loads + 1))] : []
    }

    /// What must be reported: an end of the plan, or of what is stored, comes before the failure of a load at the same tick.
    fileprivate var reports: [Subscription.Report] {
        var middle = after
        middle.failed = missed ? before.failed : after.failed
        let chain = [before.reportByDefinition, middle.reportByDefinition, after.reportByDefinition]
        return zip(chain, chain.dropFirst()).filter { $0 != $1 }.map { $1 }
    }

    fileprivate var planByDefinition: Subscription.Plan {
        switch told {
        case .some(.none): return .none
        case .active(let left): return .active(until: Instant(ms: left * SubscriptionWorld.tickMs))
        case .expired: return .expired
        case nil: break
        }
        if ended { return .expired }
        guard case .active(let until) = before.kept.plan else { return before.kept.plan }
        return .active(until: until + -passedMs)
    }

    /// What must be left of the retention.
    fileprivate var goneByDefinition: Int64? {
        switch told {
        case .active: return nil
        case .expired(let left): return left * SubscriptionWorld.tickMs
        case .some(.none), nil: break
        }
        if ended { return before.kept.retentionMs }
        if let left = before.goneMs { return max(left - passedMs, 0) }
        return held && !after.hasPlan ? before.kept.retentionMs : nil
    }
}
