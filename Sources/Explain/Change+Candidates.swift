internal import Machines

extension Change {
    /// What might have recorded a moment of a history, the smallest change first; what would have changed nothing is left out.
    ///
    /// One change comes before two: the switches that somebody set, then the policy from its finest value to its mode, an interval
    /// of the schedule before all times. Then both switches, then a switch with a change of policy, then all three. Continuous
    /// mode with both switches lies at the end, and asks for every moment: where it fails too, no policy would have recorded.
    static func candidates(for history: CameraHistory, at moment: Instant) -> [[Change]] {
        let turn = history.intents.turn(at: moment)
        let switches = switches(history, until: moment)
        let changes = policies(turn.value.policy, interval(history, at: moment))
        let singles = (switches + changes).map { [$0] }
        let pairs = switches.flatMap { one in changes.map { [one, $0] } }
        guard switches.count == 2 else { return singles + pairs }
        return singles + [switches] + pairs + changes.map { switches + [$0] }
    }

    /// A switch counts where it was set at any time in what was read: a window, or media in the ring, may reach over its end.
    private static func switches(_ history: CameraHistory, until moment: Instant) -> [Change] {
        let intents = history.intents.turns.filter { $0.at <= moment }.map(\.value)
        var changes: [Change] = []
        if intents.contains(where: { !$0.enabled }) { changes.append(.enable) }
        if intents.contains(where: \.blocked) { changes.append(.privacyOff) }
        return changes
    }

    private static func policies(_ policy: Policy, _ interval: Interval?) -> [Change] {
        var changes = Sensitivity.allCases.filter { $0 > policy.sensitivity }.map(Change.sensitivity)
        changes += lengthsMs.filter { $0 > policy.timeControl.maxMs }.map(Change.maxLength)
        if policy.timeControl.blindMs > 0 { changes.append(.noBlindTime) }
        changes += preRollsMs.filter { $0 > policy.preRollMs }.map(Change.preRoll)
        if policy.zones != nil { changes.append(.anywhere) }
        if policy.connection != .always { changes.append(.alwaysConnected) }
        for mode in [Mode.event, .continuous] where policy.mode < mode {
            if let interval { changes.append(.mode(mode, interval)) }
            changes.append(.mode(mode, nil))
        }
        return changes
    }

    /// The interval of the schedule that a moment lies in; nil where the policy has no end.
    private static func interval(_ history: CameraHistory, at moment: Instant) -> Interval? {
        let intents = history.intents.turns.filter { $0.at <= moment }
        guard let last = intents.last, let until = last.value.policyUntil else { return nil }
        // Switches and storage change the intent too; the interval began with the policy.
        let same = intents.reversed().prefix { $0.value.policy == last.value.policy }
        return Interval(from: same.last?.at ?? last.at, until: until)
    }
}
