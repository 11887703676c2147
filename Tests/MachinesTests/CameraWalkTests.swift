import Machines
import RandomSource
import Testing

@Suite("Random walks of the camera machine")
struct CameraWalkTests {
    @Test("No walk breaks an ordering duty, whatever the harness answers")
    func walks() {
        var clips: [UInt32] = []
        for seed in 0..<64 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var harness = CameraHarness(Intent(policy: Self.policy(&random)), timing: Timing(seed: seed))
            var opened: UInt32 = 0
            for step in 0..<2_000 where !harness.stopped {
                let event = Self.event(&random, harness)
                // What ends everything comes late enough for something to be broken before.
                if event == .drain, step < 1_000 { continue }
                harness.send(event, after: Int64.random(in: 0...4_000, using: &random))
                // Random answers alone hardly ever fit, so that nothing would be recorded.
                if Bool.random(using: &random) { harness.answerKindly() }
                harness.pass(0)
                opened = max(opened, harness.camera.recorder.clips)
            }
            #expect(harness.breaches == [], "seed \(seed)")
            clips.append(opened)
        }
        // Where hardly anything is recorded no duty can be broken.
        let recording = clips.count { $0 > 5 }
        #expect(recording >= 48, "\(clips)")
    }

    @Test(
        "After any walk a drain leads to stopped within the bounds, even if the harness never answers",
        arguments: 0..<32)
    func drains(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed) &+ 1_000)
        var harness = CameraHarness(Intent(policy: Self.policy(&random)))
        for _ in 0..<200 {
            let event = Self.event(&random, harness)
            if event == .drain { continue }
            harness.send(event, after: Int64.random(in: 0...4_000, using: &random))
        }
        harness.send(.drain)
        harness.pass(harness.camera.timing.closeMs + harness.camera.timing.hangUpMs)
        #expect(harness.stopped)
        #expect(harness.breaches == [])
    }

    @Test("After any walk a kind harness leads to recording", arguments: 0..<32)
    func recovers(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed) &+ 2_000)
        var harness = CameraHarness(Intent(policy: Self.policy(&random)))
        for _ in 0..<300 {
            let event = Self.event(&random, harness)
            if event == .drain { continue }
            harness.send(event, after: Int64.random(in: 0...4_000, using: &random))
        }
        harness.send(.storage(.ok))
        harness.send(.privacy(Privacy()))
        harness.send(.enabled(true))
        harness.send(.policy(Policy(mode: .continuous), until: nil))
        for _ in 0..<400 where harness.camera.coverage != .recorded || harness.open == nil {
            harness.answerKindly()
            harness.pass(1_000)
        }
        #expect(harness.open != nil)
        #expect(harness.breaches == [])
    }

    static func policy(_ random: inout SeededGenerator) -> Policy {
        Policy(
            mode: Mode.allCases.randomElement(using: &random) ?? .event,
            sensitivity: Sensitivity.allCases.randomElement(using: &random) ?? .medium,
            timeControl: TimeControl(
                initialMs: 5_000, augmentationMs: [0, 2_000, 15_000].randomElement(using: &random) ?? 0,
                maxMs: [10_000, 15_000].randomElement(using: &random) ?? 0,
                blindMs: [0, 3_000].randomElement(using: &random) ?? 0),
            clipLengthMs: 20_000, connection: Bool.random(using: &random) ? .always : .onDemand)
    }

    /// Any event: mostly answers that fit, often late, duplicate or unknown ones.
    static func event(_ random: inout SeededGenerator, _ harness: CameraHarness) -> Camera.Event {
        let dial = DialNumber(near(harness.camera.link.dials, &random))
        let clip = ClipNumber(near(harness.camera.recorder.clips, &random))
        let failure = LinkFailure.allCases.randomElement(using: &random) ?? .closed
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<12: return .dialed(dial)
        case 12..<14: return .dialFailed(dial, failure)
        case 14..<26: return .keyframe(dial)
        case 26..<32: return .packets(dial, last: harness.now)
        case 32..<34: return .lost(dial, failure)
        case 34..<38: return .hungUp(dial)
        case 38..<50:
            return .detected(level: Sensitivity.allCases.randomElement(using: &random) ?? .low, zones: .anywhere)
        case 50..<53: return .asserted(SourceNumber(UInt8.random(in: 0...1, using: &random)), staleMs: 6_000)
        case 53..<55: return .cleared(SourceNumber(UInt8.random(in: 0...1, using: &random)))
        case 55..<57: return .commanded(TimeControl(initialMs: 4_000, maxMs: 20_000))
        case 57..<68: return .opened(clip, start: harness.now, shortfall: nil)
        case 68..<69: return .keyframeMissing(clip)
        case 69..<70: return .openFailed(clip)
        case 70..<76: return .cut(clip, at: harness.now)
        case 76..<77: return .streamChanged(clip, at: harness.now)
        case 77..<78: return .writeFailed(clip)
        case 78..<86: return .closed(clip, complete: Bool.random(using: &random))
        case 86..<88: return .enabled(Bool.random(using: &random))
        case 88..<91: return .policy(policy(&random), until: nil)
        case 91..<93:
            return .privacy(
                Privacy(hard: Int.random(in: 0..<4, using: &random) == 0, softRecording: Bool.random(using: &random)))
        case 93..<94: return .connect(DialOrder.allCases.randomElement(using: &random) ?? .auto)
        case 94..<96: return .viewers(Int.random(in: -1...1, using: &random))
        case 96..<98: return .storage(Storage.allCases.randomElement(using: &random) ?? .ok)
        default: return Int.random(in: 0..<40, using: &random) == 0 ? .drain : .tick
        }
    }

    private static func near(_ count: UInt32, _ random: inout SeededGenerator) -> UInt32 {
        Int.random(in: 0..<5, using: &random) == 0
            ? UInt32.random(in: 0...(count &+ 1), using: &random) : count
    }
}

extension CameraHarness {
    /// Answers the hang-ups that are owed.
    mutating func answerHangUps() {
        for number in hungUp.sorted(by: { $0.rawValue < $1.rawValue }) { send(.hungUp(number)) }
    }

    /// Answers everything that is owed, as a good camera and a good disk would.
    mutating func answerKindly() {
        answerHangUps()
        if let dial = camera.link.current {
            switch camera.link.phase {
            case .dialing: send(.dialed(dial))
            case .synchronizing: send(.keyframe(dial))
            case .streaming: send(.packets(dial, last: now))
            case .off, .waiting: break
            }
        }
        for number in closing.sorted(by: { $0.rawValue < $1.rawValue }) { send(.closed(number, complete: true)) }
        if let opening { send(.opened(opening, start: now, shortfall: nil)) }
        if cutting, let open { send(.cut(open, at: now)) }
    }
}
