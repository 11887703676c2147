import Journal
import Machines
import RandomSource
import Testing

@testable import Explain

@Suite("Explain holds for any history")
struct PropertyTests {
    static let seeds: [UInt64] = Array(1...16)

    static func histories(_ harness: TraceHarness) -> [CameraHistory] {
        var reader = CameraHistoryReader()
        for record in harness.records { reader.take(record) }
        return reader.histories
    }

    @Test(
        "The label is the machine's, or recorded where a clip has the moment; a change that is proposed records it, no smaller one does",
        arguments: seeds)
    func why(seed: UInt64) throws {
        let harness = TraceHarness.random(seed: seed)
        let history = try #require(Self.histories(harness).first)
        var random = SeededGenerator(seed: seed &* 77)
        var proposed = 0
        for _ in 0..<16 {
            let second = Double.random(in: 1...1_790, using: &random)
            let at = TraceHarness.at(second)
            let answer = WhyTests.explain(harness.records, second)
            #expect(answer.machineLabel == harness.label(at: at))
            let held = history.media.contains { $0.start <= at && at < $0.end ?? history.end + 1 }
            if held {
                #expect(answer.label == .known(.recorded) && answer.remedy == .none)
            } else if answer.machineLabel != .recorded {
                #expect(answer.label == answer.machineLabel.map(Explanation.Label.known))
            }
            guard case .known(let label) = answer.label, label != .recorded else { continue }
            let end = min(max(history.end, at + 1), at + 60_000)
            func records(_ changes: [Change]) -> Bool {
                history.simulate(changes, until: end, keyframeMs: 1).records(at)
            }
            let candidates = Change.candidates(for: history, at: at)
            switch answer.remedy {
            case .change(let changes):
                proposed += 1
                #expect(records(changes))
                let place = try #require(candidates.firstIndex(of: changes))
                #expect(!records([]) && !candidates[..<place].contains(where: records))
            case .noPolicy:
                #expect([.linkLost, .storage].contains(label) || !candidates.contains(where: records))
                let intent = history.intents.value(at: at)
                #expect(
                    intent.storage == .lost || history.connection.value(at: at) == .down || records([]),
                    "no reason why no policy records \(second) s, \(label)")
            case .none, .undecided, .unknown: break
            }
        }
        #expect(proposed > 0)
    }

    @Test(
        "What was in force, rehearsed, records what was recorded, but for the camera's and the disk's own delays",
        arguments: seeds)
    func faithful(seed: UInt64) throws {
        let harness = TraceHarness.random(seed: seed)
        let history = try #require(Self.histories(harness).first)
        let simulation = history.simulate()
        var different: Int64 = 0
        for ms in stride(from: history.begin.ms, to: history.end.ms, by: 250) {
            let at = Instant(ms: ms)
            let was = history.media.contains { $0.start <= at && at < $0.end ?? history.end + 1 }
            if was != simulation.records(at) { different += 250 }
        }
        // Each clip's ends may lie a distance of key frames apart, and a reconnect waits for its back-off.
        let bound =
            Int64(history.media.count + simulation.clips.count) * TraceHarness.keyframeMs
            + (history.end - history.begin) / 20
        #expect(different <= bound, "\(different) ms of \(history.end - history.begin)")
    }

    @Test("The same policy gains and loses nothing", arguments: seeds)
    func same(seed: UInt64) throws {
        let harness = TraceHarness.random(seed: seed)
        let histories = Self.histories(harness)
        let history = try #require(histories.first)
        let time = TraceHarness.wall(history.begin)..<TraceHarness.wall(history.end)
        let before = SimulatedRecording(histories, time: time) { $0.simulate() }
        let policies = history.intents.turns.map {
            CameraHistory.PolicyChange(at: $0.at, policy: $0.value.policy, until: $0.value.policyUntil)
        }
        let same = Comparison(
            before: before, after: SimulatedRecording(histories, time: time) { $0.simulate(policies: policies) })
        #expect(same.gained.isEmpty && same.lost.isEmpty && same.gainedMs == 0 && same.lostMs == 0)
        #expect(same.before.events == same.after.events && same.before.suppressed == same.after.suppressed)
    }

    @Test("With one policy all the time, the ladder's rung of today is what was in force")
    func today() throws {
        var asked = 0
        for seed in Self.seeds {
            let histories = Self.histories(TraceHarness.random(seed: seed))
            let history = try #require(histories.first)
            guard history.intents.turns.allSatisfy({ $0.value.policy == history.intent.policy }) else { continue }
            asked += 1
            let time = TraceHarness.wall(history.begin)..<TraceHarness.wall(history.end)
            let today = Ladder(histories, time: time).rungs.filter(\.isToday)
            #expect(
                today.map(\.simulated.clips) == [SimulatedRecording(histories, time: time) { $0.simulate() }.clips],
                "seed \(seed)")
        }
        #expect(asked > 0, "each of these histories changes its policy, so nothing was asked")
    }

    @Test(
        "Unknown times lie within the time that was asked for, and a whole history leaves none but what it tells itself"
    )
    func unknown() throws {
        let own: [Unknown.Kind] = [.unreachable, .unasked, .privacy]
        var met: [Unknown.Kind] = []
        for seed in Self.seeds {
            let histories = Self.histories(TraceHarness.random(seed: seed))
            let history = try #require(histories.first)
            let time = TraceHarness.wall(history.begin)..<TraceHarness.wall(history.end)
            for unknown in Unknown.all(histories, time: time) {
                met.append(unknown.kind)
                #expect(own.contains(unknown.kind))
                #expect(unknown.times.allSatisfy { time.contains($0.lowerBound) && $0.upperBound <= time.upperBound })
            }
        }
        #expect(own.allSatisfy(met.contains), "no history leaves one of these unknown: \(Set(met.map { "\($0)" }))")
    }
}
