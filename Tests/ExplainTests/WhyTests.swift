import Journal
import Machines
import Testing
import Trace

@testable import Explain

@Suite("Why a moment was recorded or not")
struct WhyTests {
    static func event(
        _ sensitivity: Sensitivity = .medium, _ control: TimeControl = TimeControl(), zones: Zones? = nil,
        preRollMs: Int64 = 5_000, connection: ConnectionMode = .always
    ) -> Policy {
        Policy(
            mode: .event, sensitivity: sensitivity, zones: zones, timeControl: control, preRollMs: preRollMs,
            connection: connection)
    }

    static func detected(_ level: Sensitivity, _ zones: Zones = .anywhere) -> Camera.Event {
        .detected(level: level, zones: zones)
    }

    static func explain(_ records: [TraceRecord], _ seconds: Double) -> Explanation {
        var explainer = Explainer(camera: "front", wallMs: TraceHarness.wall(TraceHarness.at(seconds)))
        for record in records where !explainer.take(record) { break }
        return explainer.explanation
    }

    static func explain(
        _ intent: Intent, at seconds: Double, _ deeds: [(Double, TraceHarness.Deed)] = []
    ) -> Explanation {
        var harness = TraceHarness(intent)
        for (second, deed) in deeds { harness.at(second, deed) }
        harness.pass(until: TraceHarness.at(600))
        return explain(harness.records, seconds)
    }

    @Test("Where something moved, the moment is recorded, pre-roll too, and nothing is proposed")
    func recorded() {
        let deeds: [(Double, TraceHarness.Deed)] = [(60, .tell(Self.detected(.low)))]
        for second in [56.0, 60, 65] {
            let answer = Self.explain(Intent(policy: Self.event()), at: second, deeds)
            #expect(answer.label == .known(.recorded))
            #expect(answer.remedy == .none && answer.failed.isEmpty)
        }
        #expect(Self.explain(Intent(policy: Self.event()), at: 56, deeds).machineLabel == .idle)
    }

    @Test("Without a detection only continuous mode would have recorded it")
    func nothing() {
        let answer = Self.explain(Intent(policy: Self.event()), at: 60)
        #expect(answer.label == .known(.idle))
        #expect(answer.failed == [.event])
        #expect(answer.remedy == .change([.mode(.continuous, nil)]))
        #expect(answer.quiet != nil && answer.isWithoutDetections && answer.mayLackEvents)
    }

    @Test(
        "A weak movement asks for more sensitivity, and no more than it takes", arguments: [Sensitivity.medium, .high])
    func sensitivity(level: Sensitivity) {
        let answer = Self.explain(Intent(policy: Self.event(.low)), at: 62, [(60, .tell(Self.detected(level)))])
        #expect(answer.failed == [.event, .sensitivity])
        #expect(answer.remedy == .change([.sensitivity(level)]))
        #expect(answer.suppressed.map(\.notice.why) == [.sensitivity])
    }

    @Test("A switch that somebody set comes before any change of policy, two switches together where it takes both")
    func switches() {
        let moved = (60.0, TraceHarness.Deed.tell(Self.detected(.low)))
        let off = Self.explain(
            Intent(policy: Self.event()), at: 62, [(30, .tell(.enabled(false))), moved])
        #expect(off.label == .known(.disabled) && off.failed.first == .toggle)
        #expect(off.remedy == .change([.enable]))
        let covered = Self.explain(
            Intent(policy: Self.event()), at: 62, [(30, .tell(.privacy(Privacy(softRecording: true)))), moved])
        #expect(covered.label == .known(.privacy))
        #expect(covered.remedy == .change([.privacyOff]))
        let both = Self.explain(
            Intent(enabled: false, policy: Self.event(), privacy: Privacy(softRecording: true)), at: 62, [moved])
        #expect(both.remedy == .change([.enable, .privacyOff]))
        let quiet = Self.explain(Intent(enabled: false, policy: Self.event()), at: 62)
        #expect(quiet.remedy == .change([.enable, .mode(.continuous, nil)]))
    }

    @Test("What goes on longer than the max length asks for a longer one; blind time for none")
    func lengths() {
        let control = TimeControl(initialMs: 5_000, augmentationMs: 5_000, maxMs: 10_000, blindMs: 30_000)
        let moving = (0..<60).map { (60 + Double($0), TraceHarness.Deed.tell(Self.detected(.low))) }
        let soon = Self.explain(Intent(policy: Self.event(.medium, control)), at: 74, moving)
        #expect(soon.label == .known(.blind))
        #expect(soon.failed == [.event, .blind])
        #expect(soon.remedy == .change([.maxLength(15_000)]))
        // A second movement, long after the first was over.
        let later = Self.explain(
            Intent(policy: Self.event(.medium, control)), at: 82,
            [(60, .tell(Self.detected(.low))), (80, .tell(Self.detected(.low)))])
        #expect(later.remedy == .change([.noBlindTime]))
    }

    @Test("Before a movement more pre-roll would have helped; outside the zones the whole picture")
    func preRollAndZones() {
        let early = Self.explain(Intent(policy: Self.event()), at: 52, [(60, .tell(Self.detected(.low)))])
        #expect(early.remedy == .change([.preRoll(10_000)]))
        let elsewhere = Self.explain(
            Intent(policy: Self.event(zones: Zones(inside: 1, outside: false))), at: 62,
            [(60, .tell(Self.detected(.low, Zones(inside: 2, outside: false))))])
        #expect(elsewhere.failed == [.event, .zone])
        #expect(elsewhere.remedy == .change([.anywhere]))
    }

    @Test("Off by its schedule, the interval is named; what nobody looked at is told to be that")
    func schedule() {
        let night = Policy(mode: .off, offBySchedule: true)
        let answer = Self.explain(
            Intent(policy: Self.event()), at: 130,
            [
                (100, .tell(.policy(night, until: TraceHarness.at(300)))),
                (300, .tell(.policy(Self.event(), until: nil))),
            ])
        #expect(answer.label == .known(.offBySchedule) && answer.failed.first == .schedule)
        let interval = Change.Interval(from: TraceHarness.at(100), until: TraceHarness.at(300))
        #expect(answer.remedy == .change([.mode(.continuous, interval)]))
        #expect(answer.wasUnasked && answer.quiet != nil)
        #expect(answer.interval == TraceHarness.wall(TraceHarness.at(100))..<TraceHarness.wall(TraceHarness.at(300)))
    }

    @Test("On demand the pre-roll is not there; a link that is kept would have had it")
    func onDemand() {
        let answer = Self.explain(
            Intent(policy: Self.event(connection: .onDemand)), at: 57, [(60, .tell(Self.detected(.low)))])
        #expect(answer.failed == [.event, .onDemand])
        #expect(answer.remedy == .change([.alwaysConnected]))
    }

    @Test("No policy records what did not come, could not be written, or passed while Vigil was down")
    func noPolicy() {
        let moved = (62.0, TraceHarness.Deed.tell(Self.detected(.low)))
        let lost = Self.explain(Intent(policy: Self.event()), at: 65, [(60, .reachable(false)), moved])
        #expect(lost.label == .known(.linkLost) && lost.failed == [.link])
        #expect(lost.remedy == .noPolicy)
        let full = Self.explain(Intent(policy: Self.event()), at: 65, [(60, .tell(.storage(.lost))), moved])
        #expect(full.label == .known(.storage) && full.failed.first == .storage)
        #expect(full.remedy == .noPolicy)
    }

    @Test("A clip that lacked its key frame is told as that, not as a camera that sent nothing")
    func keyFrame() {
        let moved = (62.0, TraceHarness.Deed.tell(Self.detected(.low)))
        // Before the clip is open, which takes the harness 50 ms, no key frame is there for it.
        let missing = (62.01, TraceHarness.Deed.tell(.keyframeMissing(ClipNumber(1))))
        let answer = Self.explain(Intent(policy: Self.event()), at: 65, [moved, missing])
        #expect(answer.label == .known(.linkLost) && answer.failed == [.keyFrame])
        #expect(answer.remedy == .undecided)
    }

    @Test("Between two runs the recorder was down; before the trace, and where records are missing, nothing is known")
    func gaps() {
        var first = TraceHarness(Intent(policy: Self.event()))
        first.pass(until: TraceHarness.at(120))
        var second = TraceHarness(
            Intent(policy: Self.event()), run: String(repeating: "b", count: 32), at: TraceHarness.at(900))
        second.pass(until: TraceHarness.at(1_200))
        let records = first.records + second.records
        let down = Self.explain(records, 500)
        #expect(down.label == .known(.recorderDown) && down.remedy == .noPolicy)
        #expect(down.stretch?.upperBound == TraceHarness.wall(TraceHarness.at(900)))
        #expect(Self.explain(records, -10).label == .unknown(.beforeTrace))
        #expect(Self.explain(records, 2_000).label == .unknown(.afterTrace))
        #expect(Self.explain([], 10).label == .unknown(.noTrace))
        // Until a whole state is read again, nothing is known after a hole.
        var holed = first.records
        holed.remove(at: 5)
        #expect(Self.explain(holed, 100).label == .unknown(.broken))
        #expect(Self.explain(holed, 100).remedy == .unknown)
    }
}
