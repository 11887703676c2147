import Machines

extension PolicySimulation {
    /// `policy` on the machine that records, in event mode and wherever something moves: a detection at each of these moments,
    /// in seconds, and then nothing until `until`. Key frames are so near that clips end with their events.
    static func movement(atSeconds seconds: some Sequence<Int64>, _ policy: Policy, until: Int64) -> PolicySimulation {
        var policy = policy
        policy.mode = .event
        policy.zones = nil
        var simulation = PolicySimulation(
            intent: Intent(policy: policy), reachable: true, keyframeMs: 1, at: Instant(ms: 0))
        for second in seconds {
            simulation.take(.event(.detected(level: .low, zones: .anywhere)), at: Instant(ms: second * 1_000))
        }
        simulation.pass(until: Instant(ms: until * 1_000))
        return simulation
    }

    /// A movement that goes on, seen each second, for as long as an event and its blind time can last and a little longer.
    static func steadyMovement(_ policy: Policy) -> PolicySimulation {
        let until = (policy.timeControl.maxMs + policy.timeControl.blindMs) / 1_000 + 3
        return movement(atSeconds: 0...until, policy, until: until)
    }
}
