import SiteSimulation
import Testing

/// What a failure says: the story, the rule, and the command that repeats it.
private func words(_ outcome: Simulation.Outcome, _ plan: Simulation.Plan) -> Comment {
    let again = "make simulate ARGS=\"--seed \(plan.seed) --hours \(plan.hours) --cameras \(plan.cameras)\""
    return Comment(rawValue: (outcome.story + outcome.violations + [again]).joined(separator: "\n"))
}

@Suite("The daemon's shell under virtual time")
struct SiteSimulationTests {
    @Test("No rule is violated by any of these seeds", arguments: 1...6 as ClosedRange<UInt64>)
    func holds(seed: UInt64) {
        let plan = Simulation.Plan(seed: seed, hours: 2, cameras: 3)
        let outcome = Simulation.run(plan)
        #expect(outcome.violations.isEmpty, words(outcome, plan))
        #expect(outcome.ms >= 2 * 3_600_000 || !outcome.violations.isEmpty)
    }

    @Test(
        "A shell that is broken on purpose is noticed",
        arguments: [.closesUnsynced, .removesUnsynced, .hidesFailures] as [ShellBreak])
    func notices(_ shellBreak: ShellBreak) {
        let outcomes = (1...8 as ClosedRange<UInt64>).lazy.map { seed in
            var plan = Simulation.Plan(seed: seed, hours: 4, cameras: 3)
            plan.breaks = [shellBreak]
            return Simulation.run(plan)
        }
        #expect(outcomes.contains { !$0.violations.isEmpty })
    }

    @Test("The same seed tells the same story, to the last state and effect")
    func repeats() {
        let plan = Simulation.Plan(seed: 4711, hours: 1, cameras: 3)
        let (one, two) = (Simulation.run(plan), Simulation.run(plan))
        #expect(one.digest == two.digest)
        #expect(one.stateHash == two.stateHash)
        #expect(one.counts == two.counts)
        let other = Simulation.run(Simulation.Plan(seed: 4712, hours: 1, cameras: 3))
        #expect(one.digest != other.digest)
    }
}
