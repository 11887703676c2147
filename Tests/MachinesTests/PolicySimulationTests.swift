import Machines
import RandomSource
import Testing

@Suite("What another policy would have recorded")
struct PolicySimulationTests {
    static let origin = Instant(ms: 1_000_000)

    static func at(_ seconds: Double) -> Instant { origin + Int64(seconds * 1_000) }

    static func simulation(
        _ policy: Policy, reachable: Bool = true, from seconds: Double = -60
    ) -> PolicySimulation {
        PolicySimulation(intent: Intent(policy: policy), reachable: reachable, at: at(seconds))
    }

    static func event(
        _ control: TimeControl = TimeControl(), sensitivity: Sensitivity = .medium, preRollMs: Int64 = 5_000,
        connection: ConnectionMode = .always
    ) -> Policy {
        Policy(
            mode: .event, sensitivity: sensitivity, timeControl: control, preRollMs: preRollMs,
            connection: connection)
    }

    static func detected(_ level: Sensitivity = .medium) -> PolicySimulation.Fact {
        .event(.detected(level: level, zones: .anywhere))
    }

    @Test("An event with pre-roll ends on the key frame after it")
    func oneEvent() {
        var simulation = Self.simulation(Self.event())
        simulation.take(Self.detected(), at: Self.at(0))
        simulation.pass(until: Self.at(60))
        #expect(simulation.events.map(\.ended) == [Self.at(10)])
        // Key frames every 2 s: pre-roll of 5 s begins at -6.
        #expect(simulation.clips.map(\.start) == [Self.at(-6)])
        #expect(simulation.clips.map(\.end) == [Self.at(12)])
        #expect(simulation.clips.map(\.ended) == [.quiet])
        #expect(simulation.records(Self.at(-6)) && !simulation.records(Self.at(12)))
    }

    @Test("A detection above the sensitivity is listed as suppressed")
    func sensitivity() {
        var simulation = Self.simulation(Self.event(sensitivity: .low))
        simulation.take(Self.detected(.high), at: Self.at(0))
        simulation.pass(until: Self.at(5))
        #expect(simulation.events.isEmpty)
        #expect(simulation.suppressed.map(\.why) == [.sensitivity])
    }

    @Test("A camera that cannot be reached records nothing, and the rest of the event when it is back")
    func unreachable() {
        var simulation = Self.simulation(Self.event())
        simulation.take(.reachable(false), at: Self.at(-1))
        simulation.take(Self.detected(), at: Self.at(0))
        simulation.take(.reachable(true), at: Self.at(4))
        simulation.pass(until: Self.at(30))
        #expect(simulation.clips.map(\.start) == [Self.at(4)])
        #expect(simulation.labels.map(\.label).contains(.linkLost))
    }

    @Test("Blind time suppresses, and continuous mode records everything")
    func modes() {
        let control = TimeControl(initialMs: 5_000, augmentationMs: 0, maxMs: 10_000, blindMs: 30_000)
        var blind = Self.simulation(Self.event(control))
        var continuous = Self.simulation(Policy(mode: .continuous))
        for second in stride(from: 0.0, to: 60, by: 1) {
            blind.take(Self.detected(), at: Self.at(second))
            continuous.take(Self.detected(), at: Self.at(second))
        }
        #expect(blind.events.count == 2)
        #expect(blind.suppressed.contains { $0.why == .blind })
        continuous.pass(until: Self.at(1_300))
        #expect(continuous.clips.count == 3)
        for (left, right) in zip(continuous.clips, continuous.clips.dropFirst()) { #expect(left.end == right.start) }
    }

    @Test("On demand the link is up for the event only, and there is no pre-roll")
    func onDemand() {
        var simulation = Self.simulation(Self.event(connection: .onDemand))
        simulation.take(Self.detected(), at: Self.at(0))
        simulation.pass(until: Self.at(60))
        #expect(simulation.clips.map(\.start) == [Self.at(0)])
        #expect(simulation.camera.link.phase == .off)
    }

    @Test("Whatever happens, clips hold no moment twice, and higher sensitivity begins no later", arguments: 0..<40)
    func walks(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let control = TimeControl(
            initialMs: Int64.random(in: 1...20, using: &random) * 1_000,
            augmentationMs: Int64.random(in: 0...20, using: &random) * 1_000,
            maxMs: Int64.random(in: 20...180, using: &random) * 1_000,
            blindMs: Int64.random(in: 0...1, using: &random) * 30_000)
        var simulations = Sensitivity.allCases.map { Self.simulation(Self.event(control, sensitivity: $0)) }
        var seconds = 0.0
        for _ in 0..<300 {
            seconds += Double.random(in: 0...8, using: &random)
            let fact: PolicySimulation.Fact =
                switch Int.random(in: 0..<24, using: &random) {
                case 0: .reachable(false)
                case 1, 2: .reachable(true)
                case 3: .event(.enabled(Bool.random(using: &random)))
                case 4: .event(.privacy(Privacy(softRecording: Bool.random(using: &random))))
                case 5: .event(.commanded(control))
                default: Self.detected(Sensitivity.allCases.randomElement(using: &random) ?? .low)
                }
            for index in simulations.indices { simulations[index].take(fact, at: Self.at(seconds)) }
        }
        for simulation in simulations {
            #expect(!simulation.clips.isEmpty)
            for clip in simulation.clips { #expect(clip.start <= clip.end) }
            for (left, right) in zip(simulation.clips, simulation.clips.dropFirst()) {
                #expect(left.end <= right.start)
            }
            #expect(simulation.events.dropLast().allSatisfy { $0.ended != nil })
        }
        let firsts = simulations.map { $0.events.first?.began ?? Instant(ms: .max) }
        #expect(firsts[0] >= firsts[1] && firsts[1] >= firsts[2])
    }
}
