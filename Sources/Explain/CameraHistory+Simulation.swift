public import Machines

extension CameraHistory {
    /// How long after a moment a trigger may come whose pre-roll holds it, in milliseconds.
    static let preRollMsMax: Int64 = 60_000

    /// What would have been recorded with these changes, up to `end` at the latest.
    public func simulate(_ changes: [Change] = [], until end: Instant? = nil, keyframeMs: Int64 = 2_000)
        -> PolicySimulation
    {
        var intent = intent
        for change in changes { change.apply(to: &intent, at: begin) }
        return simulate(intent, until: end ?? self.end, keyframeMs) { event, at in
            var event = event
            for change in changes { change.apply(to: &event, at: at) }
            return event
        }
    }

    /// What would have been recorded under `policies`: the policy in force from each moment on.
    public func simulate(policies: [PolicyChange], until end: Instant? = nil, keyframeMs: Int64 = 2_000)
        -> PolicySimulation
    {
        var intent = intent
        let first = policies.last { $0.at <= begin } ?? policies.first
        if let first { (intent.policy, intent.policyUntil) = (first.policy, first.until) }
        let later = policies.filter { $0.at > begin }
        return simulate(intent, until: end ?? self.end, keyframeMs, adding: later) { event, _ in
            if case .policy = event { nil } else { event }
        }
    }

    /// What would have been recorded if every policy in force had been changed by `change`.
    public func simulate(
        until end: Instant? = nil, keyframeMs: Int64 = 2_000, changing change: (inout Policy) -> Void
    ) -> PolicySimulation {
        var intent = intent
        change(&intent.policy)
        return simulate(intent, until: end ?? self.end, keyframeMs) { event, _ in
            guard case .policy(var policy, let until) = event else { return event }
            change(&policy)
            return .policy(policy, until: until)
        }
    }

    /// A policy that comes into force.
    public struct PolicyChange: Sendable {
        /// When.
        public let at: Instant
        /// The policy.
        public let policy: Policy
        /// When its schedule changes it next; nil if that is not known.
        public let until: Instant?

        /// A policy that comes into force.
        public init(at: Instant, policy: Policy, until: Instant?) {
            self.at = at
            self.policy = policy
            self.until = until
        }
    }

    private func simulate(
        _ intent: Intent, until end: Instant, _ keyframeMs: Int64, adding added: [PolicyChange] = [],
        _ change: (Camera.Event, Instant) -> Camera.Event?
    ) -> PolicySimulation {
        var simulation = PolicySimulation(
            intent: intent, reachable: connection.turns.first?.value != .down, keyframeMs: keyframeMs, at: begin)
        var waiting = added[...]
        func bring(_ simulation: inout PolicySimulation, until moment: Instant) {
            while let next = waiting.first, next.at < moment {
                waiting = waiting.dropFirst()
                simulation.take(.event(.policy(next.policy, until: next.until)), at: next.at)
            }
        }
        for (at, what) in occurrences where at <= end {
            bring(&simulation, until: at)
            switch what {
            case .event(let event):
                // What became of the link in a step comes before what was told in it.
                bring(&simulation, until: at + 1)
                if let event = change(event, at) { simulation.take(.event(event), at: at) }
            case .reachable(let isReachable): simulation.take(.reachable(isReachable), at: at)
            case .connecting:
                // Whoever had kept its link has it still.
                simulation.pass(until: at)
                if simulation.camera.link.phase != .streaming { simulation.take(.reachable(false), at: at) }
            }
        }
        bring(&simulation, until: end + 1)
        simulation.pass(until: end)
        return simulation
    }
}
