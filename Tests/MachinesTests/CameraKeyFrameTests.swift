import Machines
import Testing

/// A clip that no key frame is there for, with the real bounds.
@Suite("A clip that no key frame is there for")
struct CameraKeyFrameTests {
    private func waitsOfClips(_ effects: [Camera.Effect]) -> [Int64?] {
        effects.compactMap { if case .report(.clipFailed(_, let wait)) = $0 { .some(wait) } else { nil } }
    }

    @Test("It is ordered with the next key frame, and until then the link is what is missing (L1, S13)")
    func orderedAnew() throws {
        var harness = try CameraHarness.opening()
        let dial = try #require(harness.camera.link.current)
        let effects = harness.send(.keyframeMissing(ClipNumber(1)), after: 200)
        #expect(effects.contains(.report(.link(from: .streaming, to: .synchronizing, failure: nil, retryMs: nil))))
        harness.pass(20_000)
        #expect(harness.opening == nil && harness.camera.coverage == .linkLost)
        #expect(CameraHarness.orders(harness.send(.keyframe(dial))).map(\.number) == [ClipNumber(2)])
        #expect(harness.camera.coverage == .recorded)
        #expect(harness.breaches == [])
    }

    @Test(
        "Its key frame is told as missing after 30 s, and waited for as long after that as the failures say (L2)",
        arguments: [(0, 150_000), (1, 300_000)])
    func patience(_ failures: Int, _ patienceMs: Int) throws {
        var harness = try CameraHarness.opening(failures: failures)
        let dial = try #require(harness.camera.link.current)
        harness.send(.keyframeMissing(ClipNumber(1)), after: 5_000)
        #expect(harness.camera.link.failures == failures)
        harness.pass(29_999)
        #expect(!harness.reports.contains(.noKeyFrame(dial)))
        #expect(harness.send(.tick, after: 1) == [.report(.noKeyFrame(dial))])
        harness.pass(Int64(patienceMs) - 1)
        #expect(harness.camera.link.phase == .synchronizing)
        #expect(harness.send(.tick, after: 1).contains(.hangUp(dial)))
        #expect(harness.camera.link.phase == .waiting && harness.camera.link.failures == failures + 1)
    }

    @Test("Silence is counted from the last packet, also where that came before (L2)")
    func silence() throws {
        var harness = try CameraHarness.opening(silenceMs: 10_000)
        let dial = try #require(harness.camera.link.current)
        harness.send(.keyframeMissing(ClipNumber(1)), after: 4_000)
        harness.pass(5_999)
        #expect(harness.camera.link.phase == .synchronizing)
        #expect(harness.send(.tick, after: 1).contains(.hangUp(dial)))
    }

    @Test("It leaves the failures of the recorder as they were, and no wait runs for it (S16)")
    func failures() throws {
        var harness = try CameraHarness.opening()
        let dial = try #require(harness.camera.link.current)
        harness.send(.openFailed(ClipNumber(1)))
        harness.pass(1_500)
        #expect(harness.opening == ClipNumber(2))
        #expect(waitsOfClips(harness.send(.keyframeMissing(ClipNumber(2)))) == [])
        #expect(harness.camera.recorder.failures == 1)
        #expect(CameraHarness.orders(harness.send(.keyframe(dial))).map(\.number) == [ClipNumber(3)])
        let waits = waitsOfClips(harness.send(.openFailed(ClipNumber(3)))).compactMap(\.self)
        #expect(waits.count == 1)
        #expect(waits.allSatisfy { (2_000...2_400).contains($0) }, "\(waits)")
    }

    @Test("The event goes on, and its next clip is the first one that asks for pre-roll (S2)")
    func event() throws {
        var harness = CameraStoryTests.streaming(30, 5, 60)
        let dial = try #require(harness.camera.link.current)
        harness.send(.detected(level: .low, zones: .anywhere))
        let event = try #require(harness.camera.trigger.active?.number)
        harness.send(.keyframeMissing(ClipNumber(1)), after: 300)
        #expect(harness.camera.trigger.active?.number == event)
        let order = try #require(CameraHarness.orders(harness.send(.keyframe(dial), after: 3_000)).first)
        #expect(order.event == event && order.preRollMs == 5_000)
        #expect(harness.breaches == [])
    }

    @Test("Where its event is over the blind time begins, and the next key frame opens nothing (T4)")
    func eventIsOver() throws {
        var harness = CameraStoryTests.streaming(5, 0, 5, 20)
        let dial = try #require(harness.camera.link.current)
        harness.send(.detected(level: .low, zones: .anywhere))
        harness.pass(5_000)
        #expect(harness.opening == ClipNumber(1) && harness.camera.trigger.active == nil)
        harness.send(.keyframeMissing(ClipNumber(1)), after: 1_000)
        let over = harness.now
        #expect(CameraHarness.orders(harness.send(.keyframe(dial), after: 1_000)) == [])
        #expect(harness.camera.coverage == .blind)
        while harness.camera.coverage == .blind { harness.pass(500) }
        #expect(harness.now - over == 20_000)
        #expect(harness.breaches == [])
    }

    @Test("Where it was given up before, it has failed, and the link streams on")
    func givenUp() throws {
        var harness = try CameraHarness.opening()
        harness.pass(10_000)
        #expect(harness.camera.recorder.closing.map(\.opened) == [false])
        #expect(harness.send(.keyframeMissing(ClipNumber(1))) == [.report(.clipFailed(ClipNumber(1), retryMs: nil))])
        #expect(harness.camera.link.phase == .streaming && harness.camera.recorder.failures == 1)
    }

    @Test("That it lacks a key frame is ignored where it is open, over or unknown (S9)")
    func ignored() throws {
        var harness = try CameraHarness.opening()
        let dial = try #require(harness.camera.link.current)
        harness.send(.keyframeMissing(ClipNumber(1)))
        #expect(harness.send(.keyframeMissing(ClipNumber(1))) == [.ignored(.late)])
        #expect(harness.send(.keyframeMissing(ClipNumber(9))) == [.ignored(.unknown)])
        harness.send(.keyframe(dial))
        harness.answerKindly()
        #expect(harness.open == ClipNumber(2))
        #expect(harness.send(.keyframeMissing(ClipNumber(2))) == [.ignored(.duplicate)])
        harness.send(.streamChanged(ClipNumber(2), at: harness.now))
        #expect(harness.send(.keyframeMissing(ClipNumber(2))) == [.ignored(.duplicate)])
        #expect(harness.camera.recorder.closing.count == 1)
    }

    @Test("A link that worked has worked also where it is lost while it lacks the key frame (L1)")
    func worked() throws {
        for (streamedMs, next) in [(1_000, Endpoint.lan), (40_000, .internet)] as [(Int64, Endpoint)] {
            var harness = try CameraHarness.opening(failures: 1)
            let dial = try #require(harness.camera.link.current)
            harness.answerKindly()
            harness.pass(streamedMs)
            let effects = harness.send(.streamChanged(ClipNumber(1), at: harness.now))
            #expect(CameraHarness.orders(effects).map(\.number) == [ClipNumber(2)])
            harness.send(.keyframeMissing(ClipNumber(2)))
            harness.send(.lost(dial, .closed))
            while harness.camera.link.phase == .waiting { harness.pass(100) }
            guard case .dialing(_, let endpoint, _) = harness.camera.link.state else {
                Issue.record("\(harness.camera.link.phase)")
                continue
            }
            #expect(endpoint == next, "streamed for \(streamedMs) ms")
        }
    }
}
