internal import Explorer
internal import Machines

// What must hold of the subscription in every world.
extension SubscriptionWorld {
    /// What is asked in every world.
    public static let properties: [Property<SubscriptionWorld>] = safety + [keepsLoading]
    /// What is asked where the provider does not move the dates of a plan.
    public static let steadyProperties: [Property<SubscriptionWorld>] = [uncoveredIsGone, planEnds]

    private static func steps(
        _ name: String, _ holds: @escaping @Sendable (SubscriptionStep) -> Bool
    ) -> Property<SubscriptionWorld> {
        Property(name, .steps { holds(SubscriptionStep($0, $1, $2)) })
    }

    static let safety: [Property<SubscriptionWorld>] = [
        Property("S8 once stopped nothing is due", .always { !$0.isStopped || $0.nextDeadline == nil }),
        steps("S8 once stopped nothing happens") { step in
            !step.before.isStopped
                || step.after == step.before && step.effects == (step.event == .tick ? [] : [.ignored(.stopped)])
        },
        steps("S8 a drain stops, and nothing else does") { step in
            step.orders(step.drains ? [.stopped] : []) { $0 == .stopped }
                && step.after.isStopped == (step.before.isStopped || step.drains)
        },
        steps("S9 what does not fit is ignored for its reason and changes nothing; all else is taken") { step in
            let ignores = step.orders(step.ignored.map { [.ignored($0)] } ?? []) {
                if case .ignored = $0 { true } else { false }
            }
            return ignores && (step.ignored == nil || step.effects.count == 1 && step.after == step.before)
        },
        steps("S10 a load is ordered exactly when one is due and none is outstanding") { step in
            let number = Subscription.LoadNumber(step.loads + 1)
            return !step.missesFirstLoad
                && step.orders(step.loadIsDue ? [.load(number)] : []) { if case .load = $0 { true } else { false } }
        },
        steps("S10 a load is given up exactly when its bound passes or the machine stops") { step in
            let givenUp = step.missed || step.drains && step.before.askMs != nil
            let number = Subscription.LoadNumber(step.loads)
            return step.orders(givenUp ? [.abandon(number)] : []) { if case .abandon = $0 { true } else { false } }
        },
        steps("S10 orders come in their order, and those of a later deadline after those of an earlier one") { step in
            let later = step.ofTheLastDeadline
            let first = step.effects.dropLast(later.count)
            return Array(step.effects.suffix(later.count)) == later
                && zip(first, first.dropFirst()).allSatisfy { rank($0) <= rank($1) }
        },
        steps("S11 each change of the state is reported, once, and nothing else") { step in
            step.orders(step.reports.map { .report($0) }) { if case .report = $0 { true } else { false } }
        },
        steps("S11 uploads are switched exactly when they change") { step in
            let (before, after) = (step.before.hasPlan && !step.before.isStopped, step.after.uploadsAllowed)
            return step.orders(before == after ? [] : [.uploads(after)]) {
                if case .uploads = $0 { true } else { false }
            }
        },
        steps("S12 remote video is purged exactly when it has outlived its plan, and the rule is named") { step in
            step.after.stored == (step.held && !step.purges)
                && step.orders(step.purges ? [.purgeRemote(.planRetention)] : []) {
                    if case .purgeRemote = $0 { true } else { false }
                }
        },
        steps("S12 stored video outlives its plan by the retention") { step in
            step.after.isStopped || step.after.goneMs == step.goneByDefinition
        },
        Property("S14 the six states are reported by their definition", .always { $0.report == $0.reportByDefinition }),
        Property("S14 uploads are allowed while a plan holds", .always { $0.uploadsAllowed == ($0.untilMs != nil) }),
        steps("S14 the plan is the one last told, until its end") { step in
            let plan = step.planByDefinition
            return step.after.isStopped
                ? step.after.hasPlan == step.before.hasPlan
                    && (step.after.kept.plan == .none) == (step.before.kept.plan == .none)
                : step.after.kept.plan == plan
        },
        steps("S14 a load has failed until one has not") { step in
            step.after.failed == (step.told == nil && (step.before.failed || step.fails))
        },
        steps("L each answer, good or bad, brings the next load in its time") { step in
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
