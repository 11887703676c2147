import Machines
import Testing

@Suite("What another policy would have recorded")
struct RehearsalTests {
    static let origin = Instant(ms: 1_000_000)

    static func at(_ seconds: Double) -> Instant { origin + Int64(seconds * 1_000) }

    static func rehearsal(
        _ policy: Policy, reachable: Bool = true, from seconds: Double = -60
    ) -> Rehearsal {
        Rehearsal(intent: Intent(policy: policy), reachable: reachable, at: at(seconds))
    }

    static func event(
        _ control: TimeControl = TimeControl(), sensitivity: Sensitivity = .medium, preRollMs: Int64 = 5_000,
        connection: Connection = .always
    ) -> Policy {
        Policy(
            mode: .event, sensitivity: sensitivity, timeControl: control, preRollMs: preRollMs,
            connection: connection)
    }

    static func detected(_ level: Sensitivity = .medium) -> Rehearsal.Fact {
        .event(.detected(level: level, zones: .anywhere))
    }

    @Test("An event with pre-roll ends on the key frame after it")
    func oneEvent() {
        var rehearsal = Self.rehearsal(Self.event())
        rehearsal.take(Self.detected(), at: Self.at(0))
        rehearsal.pass(until: Self.at(60))
        #expect(rehearsal.events.map(\.ended) == [Self.at(10)])
        // Key frames every 2 s: pre-roll of 5 s begins at -6.
        #expect(rehearsal.clips.map(\.start) == [Self.at(-6)])
        #expect(rehearsal.clips.map(\.end) == [Self.at(12)])
        #expect(rehearsal.clips.map(\.ended) == [.quiet])
        #expect(rehearsal.records(Self.at(-6)) && !rehearsal.records(Self.at(12)))
    }

    @Test("A detection above the sensitivity is listed as suppressed")
    func sensitivity() {
        var rehearsal = Self.rehearsal(Self.event(sensitivity: .low))
        rehearsal.take(Self.detected(.high), at: Self.at(0))
        rehearsal.pass(until: Self.at(5))
        #expect(rehearsal.events.isEmpty)
        #expect(rehearsal.suppressed.map(\.why) == [.sensitivity])
    }

    @Test("A camera that cannot be reached records nothing, and the rest of the event when it is back")
    func unreachable() {
        var rehearsal = Self.rehearsal(Self.event())
        rehearsal.take(.reachable(false), at: Self.at(-1))
        rehearsal.take(Self.detected(), at: Self.at(0))
        rehearsal.take(.reachable(true), at: Self.at(4))
        rehearsal.pass(until: Self.at(30))
        #expect(rehearsal.clips.map(\.start) == [Self.at(4)])
        #expect(rehearsal.labels.map(\.label).contains(.linkLost))
    }

    @Test("Blind time suppresses, and continuous mode records everything")
    func modes() {
        let control = TimeControl(initialMs: 5_000, augmentationMs: 0, maxMs: 10_000, blindMs: 30_000)
        var blind = Self.rehearsal(Self.event(control))
        var continuous = Self.rehearsal(Policy(mode: .continuous))
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
        var rehearsal = Self.rehearsal(Self.event(connection: .onDemand))
        rehearsal.take(Self.detected(), at: Self.at(0))
        rehearsal.pass(until: Self.at(60))
        #expect(rehearsal.clips.map(\.start) == [Self.at(0)])
        #expect(rehearsal.camera.link.phase == .off)
    }

    @Test("Whatever happens, clips hold no moment twice, and higher sensitivity begins no later", arguments: 0..<40)
    func walks(seed: Int) {
        var random = Walk(state: UInt64(seed))
        let control = TimeControl(
            initialMs: Int64.random(in: 1...20, using: &random) * 1_000,
            augmentationMs: Int64.random(in: 0...20, using: &random) * 1_000,
            maxMs: Int64.random(in: 20...180, using: &random) * 1_000,
            blindMs: Int64.random(in: 0...1, using: &random) * 30_000)
        var rehearsals = Sensitivity.allCases.map { Self.rehearsal(Self.event(control, sensitivity: $0)) }
        var seconds = 0.0
        for _ in 0..<300 {
            seconds += Double.random(in: 0...8, using: &random)
            let fact: Rehearsal.Fact =
                switch Int.random(in: 0..<24, using: &random) {
                case 0: .reachable(false)
                case 1, 2: .reachable(true)
                case 3: .event(.enabled(Bool.random(using: &random)))
                case 4: .event(.privacy(Privacy(softRecording: Bool.random(using: &random))))
                case 5: .event(.commanded(control))
                default: Self.detected(Sensitivity.allCases.randomElement(using: &random) ?? .low)
                }
            for index in rehearsals.indices { rehearsals[index].take(fact, at: Self.at(seconds)) }
        }
        for rehearsal in rehearsals {
            for clip in rehearsal.clips { #expect(clip.start <= clip.end) }
            for (left, right) in zip(rehearsal.clips, rehearsal.clips.dropFirst()) { #expect(left.end <= right.start) }
            #expect(rehearsal.events.dropLast().allSatisfy { $0.ended != nil })
        }
        let firsts = rehearsals.map { $0.events.first?.began ?? Instant(ms: .max) }
        #expect(firsts[0] >= firsts[1] && firsts[1] >= firsts[2])
    }
}
