internal import Explorer
internal import Machines

// What the rules say of any fact, told without the machine's tables: who hears what is ordered and told knows the state.
extension SubscriptionWorld {
    static let facts: [Property<SubscriptionWorld>] = [
        steps("S9 what comes and changes nothing is ignored") { step in
            step.event == .tick || step.after != step.before || !step.effects.isEmpty
        },
        steps("S9 a tick before every deadline is nothing but time, and one that has come changes something") { step in
            guard step.event == .tick, let deadline = step.before.nextDeadline, !step.missesFirstLoad else {
                return true
            }
            if deadline.ms > tickMs { return step.effects.isEmpty && step.isOnlyOlder }
            return !step.isOnlyOlder || step.reaches(step.before.goneMs) && !step.before.stored
        },
        steps("S10 a load that is outstanding was ordered, and one that is given up was outstanding") { step in
            var isOpen = step.before.askMs != nil
            if case .loaded(.cur, _) = step.event { isOpen = false }
            if step.event == .loadFailed(.cur) { isOpen = false }
            for effect in step.effects {
                switch effect {
                case .load:
                    if isOpen { return false }
                    isOpen = true
                case .abandon:
                    if !isOpen { return false }
                    isOpen = false
                default: break
                }
            }
            return isOpen == (step.after.askMs != nil)
        },
        steps("S10 uploads are stopped before what is stored is purged") { step in
            guard let stops = step.effects.firstIndex(of: .uploads(false)) else { return true }
            return !step.effects[..<stops].contains { if case .purgeRemote = $0 { true } else { false } }
        },
        steps("S11 the states that are told follow each other to the one that holds") { step in
            var at = step.before.report
            for case .report(let told) in step.effects {
                if told == at { return false }
                at = told
            }
            return at == step.after.report
        },
        steps("S12 what is stored is what was told, without what was purged") { step in
            var isHeld = step.before.stored
            if case .stored(let stored) = step.event, !step.before.isStopped { isHeld = stored }
            for case .purgeRemote in step.effects {
                if !isHeld { return false }
                isHeld = false
            }
            return isHeld == step.after.stored
        },
        steps("S14 loadFailed is told until a load has come") { step in
            !step.before.failed || step.told != nil || step.after.failed
        },
        steps("S14 a plan is asked for when it ends, as it may have been renewed") { step in
            !step.ended || step.after.isStopped || step.before.askMs != nil || step.after.askMs != nil
        },
        Property("S14 a plan that holds has not ended", .always { $0.untilMs.map { $0 > 0 } ?? true }),
        steps("L10 the retention is counted from the end that is told") { step in
            guard case .expired(let left) = step.told else { return true }
            return step.after.goneMs == left * tickMs
        },
    ]

    /// What is asked where plans end at the moment at which they are told, and have another retention than the one that was kept. The
    /// tables know no such plans.
    public static let endingProperties: [Property<SubscriptionWorld>] =
        properties.filter { !$0.restates } + [
            steps("L10 the retention is that of the plan that was told last") { step in
                step.told == nil || step.told == .some(.none) || step.after.kept.retentionMs == ending.retentionMs
            }
        ]
}

extension SubscriptionStep {
    /// Nothing but time has passed.
    fileprivate var isOnlyOlder: Bool {
        after.kept.plan.isLike(before.kept.plan) && after.stored == before.stored && after.failed == before.failed
            && (after.askMs == nil) == (before.askMs == nil) && rest(before.untilMs) == after.untilMs
            && rest(before.askMs) == after.askMs && rest(before.nextMs) == after.nextMs
            && (before.goneMs == 0 ? after.goneMs == 0 : rest(before.goneMs) == after.goneMs)
    }
}

extension Subscription.Plan {
    fileprivate func isLike(_ other: Self) -> Bool {
        switch (self, other) {
        case (.none, .none), (.active, .active), (.expired, .expired): true
        default: false
        }
    }
}
