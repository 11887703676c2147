internal import Machines
internal import RandomSource

/// A subscription that an earlier run kept with a plan, perhaps one that has ended since, and that nobody answers.
struct RestoredPlanCase: Sendable, CustomStringConvertible {
    /// When the plan ends, in ticks from the restart; below 0 it had ended before.
    let end: Int64
    /// Its retention, in ticks.
    let retention: Int64
    /// When what is stored is purged, in ticks from the restart; nil: not within 20.
    let purged: Int64?
    /// What was answered to numbers that no load had.
    let strange: [[Subscription.Effect]]

    init(end: Int64, retention: Int64) {
        (self.end, self.retention) = (end, retention)
        func instant(_ ticks: Int64) -> Instant { Instant(ms: ticks * SubscriptionWorld.tickMs) }
        let kept = Subscription.Kept(
            plan: .active(until: instant(end)), retentionMs: retention * SubscriptionWorld.tickMs)
        var machine = Subscription(kept, stored: true, timing: SubscriptionWorld().timing, at: instant(0))
        purged = (0...20).first { now in
            machine.step(.tick, at: instant(now)).contains { if case .purgeRemote = $0 { true } else { false } }
        }
        _ = machine.step(.tick, at: instant(20))
        let never = [0, machine.loads + 1].map { Subscription.LoadNumber(rawValue: $0) }
        strange = never.map { machine.step(.loaded($0, .none), at: instant(20)) }
    }

    var description: String { "end \(end), retention \(retention), purged \(purged.map { "\($0)" } ?? "never")" }
}

/// What docs/design/rules.md promises of a plan that an earlier run kept.
enum RestoredPlanClaims {
    static let walks = PlanWalks<RestoredPlanCase>(
        count: 20,
        walk: { random in
            (1...5).map { _ in RestoredPlanCase(end: random.number(-8...4), retention: random.number(0...6)) }
        },
        claims: [
            Claim("L10 what is stored outlives a plan by its retention, also one that ended while nobody looked") {
                $0.purged == max($0.end + $0.retention, 0)
            },
            Claim(
                "S12 what outlived its plan before the restart is purged at once",
                when: { $0.end + $0.retention <= 0 }
            ) { $0.purged == 0 },
            Claim("S9 what has a number that no load had is ignored") {
                $0.strange == [[.ignored(.unknown)], [.ignored(.unknown)]]
            },
        ])
}
