import Foundation
import Journal
import Machines
import Policies
import Replay
import Testing

@testable import Explain

@Suite("What another policy would have recorded")
struct ForecastTests {
    static let night = """
        name: night
        recording: { mode: off, initial: 5s, maxEventLength: 10s, preRoll: 5s }
        schedule:
          - { days: daily, from: "22:30", to: "23:00", mode: event }

        """

    /// An hour from 22:15 on in UTC with a movement at 22:20, 22:40 and 23:10.
    static func hour(_ intent: Intent, _ told: [(Double, Policy, Double?)] = []) throws -> [CameraHistory] {
        var harness = TraceHarness(intent)
        var deeds = told.map { second, policy, until in
            (second, Camera.Event.policy(policy, until: until.map(TraceHarness.at)))
        }
        deeds += [300.0, 1_500, 3_300].map { ($0, .detected(level: .low, zones: .anywhere)) }
        for (second, event) in deeds.sorted(by: { $0.0 < $1.0 }) { harness.at(second, event) }
        harness.at(3_600, .tick)
        var reader = CameraHistoryReader()
        for record in harness.records { reader.take(record) }
        return reader.histories(of: "front")
    }

    private func simulated(_ histories: [CameraHistory], _ time: Range<Int64>) throws -> SimulatedRecording {
        let document = try ConfigurationLoader.policy(text: Self.night, file: "night.yaml").policy
        return SimulatedRecording(histories, time: time) { $0.simulate(policies: $0.policies(of: document, in: .gmt)) }
    }

    private let time = TraceHarness.wall(TraceHarness.at(0))..<TraceHarness.wall(TraceHarness.at(3_600))

    @Test("A schedule holds from boundary to boundary in the site's time zone")
    func schedule() throws {
        let histories = try Self.hour(Intent(policy: Policy(mode: .continuous)))
        let comparison = Comparison(
            before: SimulatedRecording(histories, time: time) { $0.simulate() }, after: try simulated(histories, time))
        #expect(comparison.after.events == 1)
        #expect(comparison.after.clips.map(\.cause) == [.detection])
        #expect(comparison.after.suppressed == [.off: 2])
        let begin = try #require(comparison.after.clips.first?.time.lowerBound)
        #expect((TraceHarness.wall(TraceHarness.at(1_493))...TraceHarness.wall(TraceHarness.at(1_495))).contains(begin))
        // The clips of an hour of continuous recording, but for the one with the event.
        #expect(comparison.before.clips.count == 6 && comparison.lost.count == 5 && comparison.gained.isEmpty)
        #expect(comparison.lostMs == comparison.before.recordedMs - comparison.after.recordedMs)
    }

    @Test("The policy in force gains and loses nothing, though the machine is told of a boundary a little late")
    func inForce() throws {
        let document = try ConfigurationLoader.policy(text: Self.night, file: "night.yaml").policy
        let boundaries: [Double] = [0, 900, 2_700]
        let policies = boundaries.map {
            document.effective(atUnixMs: TraceHarness.wall(TraceHarness.at($0)), in: .gmt).policy
        }
        let histories = try Self.hour(
            Intent(policy: policies[0]), [(900.3, policies[1], 2_700), (2_700.45, policies[2], nil)])
        let same = Comparison(
            before: SimulatedRecording(histories, time: time) { $0.simulate() }, after: try simulated(histories, time))
        #expect(same.before.events == 1 && same.after.events == 1)
        #expect(same.gainedMs == 0 && same.lostMs == 0)
    }

    @Test("A policy that prolongs by less than the detector was followed for is told not to be known")
    func rested() throws {
        func kinds(_ augmentation: String) throws -> [Unknown] {
            let text = "name: brief\nrecording: { mode: event, initial: 5s, augmentation: \(augmentation) }\n"
            let document = try ConfigurationLoader.policy(text: text, file: "brief.yaml").policy
            let histories = try Self.hour(Intent(policy: WhyTests.event(.medium, TimeControl())))
            return Unknown.all(histories, time: time) { $0.policies(of: document, in: .gmt) }.filter {
                $0.kind == .rested
            }
        }
        let unknown = try #require(try kinds("2s").first)
        #expect(unknown.ms > 3_590_000 && unknown.times.count == 1)
        #expect(Narrator { "\($0)" }.words(unknown).contains("less often than this policy prolongs"))
        for known in ["5s", "10s", "0s"] { #expect(try kinds(known).isEmpty) }
    }

    @Test("Only the time that was asked for counts, and the ladder's lengths are kept")
    func window() throws {
        var harness = TraceHarness(
            Intent(policy: WhyTests.event(.medium, TimeControl(initialMs: 5_000, maxMs: 30_000))))
        for second in stride(from: 60.0, to: 180, by: 1) {
            harness.at(second, .detected(level: second < 120 ? .low : .high, zones: .anywhere))
        }
        harness.at(300, .tick)
        var reader = CameraHistoryReader()
        for record in harness.records { reader.take(record) }
        let all = TraceHarness.wall(TraceHarness.at(0))..<TraceHarness.wall(TraceHarness.at(300))
        let ladder = Ladder(reader.histories, time: all)
        #expect(ladder.rungs.count == 18 && ladder.modes == [.event])
        #expect(ladder.rungs.filter(\.isToday).map(\.maxMs) == [30_000])
        let events = Dictionary(grouping: ladder.rungs, by: \.sensitivity).mapValues { $0.map(\.simulated.events) }
        // A minute of movement that low notices, two that high does.
        #expect(events[.low] == events[.medium] && events[.low]?.first == 6 && events[.high]?.first == 12)
        let late = TraceHarness.wall(TraceHarness.at(240))..<TraceHarness.wall(TraceHarness.at(300))
        #expect(Ladder(reader.histories, time: late).rungs.allSatisfy { $0.simulated.clips.isEmpty })
    }

    @Test("A clock that is set is followed; the least delay of the journal is taken for none")
    func clock() {
        var line = WallOffsets()
        #expect(line.wallMs(at: TraceHarness.at(0)) == nil)
        line.note(at: Instant(ms: 1_000), wallMs: 51_040)
        line.note(at: Instant(ms: 2_000), wallMs: 52_003)
        #expect(line.wallMs(at: Instant(ms: 1_000)) == 51_003)
        line.note(at: Instant(ms: 3_000), wallMs: 9_003)
        #expect(line.wallMs(at: Instant(ms: 2_500)) == 52_503 && line.wallMs(at: Instant(ms: 3_500)) == 9_503)
        #expect(line.instant(atWallMs: 9_503) == Instant(ms: 3_500))
    }

    @Test("A course knows its value at each moment, and where it was one of some")
    func course() {
        var course = ValueOverTime(1, at: Instant(ms: 10))
        for (at, value) in [(20, 2), (25, 2), (30, 3), (40, 1)] as [(Int64, Int)] {
            course.note(value, at: Instant(ms: at))
        }
        #expect([0, 10, 20, 29, 30, 99].map { course.value(at: Instant(ms: $0)) } == [1, 1, 2, 2, 3, 1])
        let spans = course.spans(until: Instant(ms: 50)) { $0 > 1 }
        #expect(spans == [Instant(ms: 20)..<Instant(ms: 40)])
    }
}
