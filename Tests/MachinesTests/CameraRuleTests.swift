import Machines
import Testing

/// Rules of the camera as somebody notices them who looks at it for long.
@Suite("Rules of the camera, seen from outside")
struct CameraRuleTests {
    private static func dials(_ effects: [Camera.Effect]) -> Int {
        effects.count { if case .dial = $0 { true } else { false } }
    }

    @Test("A camera that breaks off after each key frame is dialled a few dozen times in ten minutes (S16)")
    func flapping() {
        var harness = CameraHarness(Intent(policy: Policy(mode: .continuous)))
        let end = harness.now + 600_000
        var dials = Self.dials(harness.send(.tick))
        while harness.now < end {
            if let dial = harness.camera.link.current {
                harness.send(.dialed(dial))
                harness.send(.keyframe(dial), after: 200)
                harness.send(.lost(dial, .closed), after: 100)
            }
            dials += Self.dials(harness.send(.tick, after: 100))
        }
        #expect((10...30).contains(dials), "\(dials)")
        #expect(harness.breaches == [])
    }

    @Test("A camera that has streamed for half a minute is dialled again within about a second (S16)")
    func forgiven() throws {
        for (streamed, waits) in [(29_999, 16_000...20_000), (30_000, 1_000...1_200)] as [(Int64, ClosedRange<Int64>)] {
            var harness = CameraHarness(Intent(policy: Policy(mode: .continuous)), timing: Timing(silenceMs: 60_000))
            harness.send(.tick)
            for _ in 0..<4 {
                harness.send(.dialFailed(try #require(harness.camera.link.current), .refused))
                while harness.camera.link.phase == .waiting { harness.pass(100) }
            }
            let dial = try #require(harness.camera.link.current)
            harness.send(.dialed(dial))
            harness.send(.keyframe(dial))
            harness.send(.lost(dial, .closed), after: streamed)
            let lost = harness.now
            while harness.camera.link.phase == .waiting { harness.pass(100) }
            #expect(waits.contains(harness.now - lost), "after \(streamed) ms")
        }
    }

    @Test("The machine of a trace from before forgets the failures with the key frame, as it did then")
    func before() throws {
        var timing = Timing()
        timing.steadyMs = nil
        var harness = CameraHarness(Intent(policy: Policy(mode: .continuous)), timing: timing)
        harness.send(.tick)
        harness.send(.dialFailed(try #require(harness.camera.link.current), .refused))
        while harness.camera.link.phase == .waiting { harness.pass(100) }
        let dial = try #require(harness.camera.link.current)
        harness.send(.dialed(dial))
        harness.send(.keyframe(dial))
        #expect(harness.camera.link.failures == 0)
    }
}
