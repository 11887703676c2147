import Machines
import Testing

/// What the comparison with the model found, one story each.
@Suite("What the model found in the camera machine")
struct CameraFindingsTests {
    @Test("The first step reports the first label")
    func firstLabel() {
        var camera = Camera(intent: Intent(enabled: false))
        #expect(camera.nextDeadline == Instant(ms: 0))
        let effects = camera.step(.enabled(false), at: Instant(ms: 5))
        #expect(
            effects == [
                .label(.disabled), .report(.coverage(from: .recorderDown, to: .disabled)), .ignored(.duplicate),
            ])
    }

    @Test("A mode that is off forgets a silent window, though the toggle is off too (T7)")
    func silentWindow() {
        var harness = CameraStoryTests.streaming(10, 5, 20, enabled: false)
        harness.send(.detected(level: .low, zones: .anywhere))
        let policy = harness.camera.intent.policy
        harness.send(.policy(Policy(mode: .off), until: nil))
        #expect(harness.camera.trigger.state == .quiet)
        harness.send(.policy(policy, until: nil))
        harness.send(.enabled(true))
        #expect(harness.camera.trigger.active == nil)
    }

    @Test("An opening that was given up and then fails is a clip that failed, not one that was closed")
    func givenUp() throws {
        var harness = try CameraHarness.opening()
        harness.pass(10_000)
        #expect(harness.camera.recorder.closing.map(\.opened) == [false])
        #expect(harness.send(.openFailed(ClipNumber(1))) == [.report(.clipFailed(ClipNumber(1), retryMs: nil))])
        #expect(harness.camera.recorder.failures == 1)
    }

    @Test("A clip that was open and is being closed cannot fail to open")
    func openedOnce() {
        var harness = CameraStoryTests.streaming(mode: .continuous)
        harness.answerKindly()
        harness.send(.streamChanged(ClipNumber(1), at: harness.now))
        #expect(harness.send(.openFailed(ClipNumber(1))) == [.ignored(.duplicate)])
        #expect(harness.camera.recorder.closing.count == 1)
    }

    @Test("Where the first clip of an event could not be opened, the next one asks for pre-roll again")
    func preRoll() {
        var harness = CameraStoryTests.streaming(30, 5, 60)
        harness.send(.detected(level: .low, zones: .anywhere))
        harness.send(.openFailed(ClipNumber(1)))
        #expect(CameraHarness.orders(harness.send(.tick, after: 1_500)).map(\.preRollMs) == [5_000])
    }

    @Test("A toggle does not cut a retry wait short (S16)")
    func retryWait() throws {
        var harness = try CameraHarness.opening()
        harness.send(.viewers(1))  // Keeps the link.
        harness.send(.openFailed(ClipNumber(1)))
        harness.send(.enabled(false))
        #expect(CameraHarness.orders(harness.send(.enabled(true))) == [])
        #expect(CameraHarness.orders(harness.send(.tick, after: 1_500)).count == 1)
    }

    @Test("A source that comes in privacy is reported suppressed, once, and counts when that is over (T6)")
    func sourceInPrivacy() {
        var harness = CameraStoryTests.streaming()
        harness.send(.privacy(Privacy(softRecording: true)))
        #expect(harness.send(.asserted(SourceNumber(0), staleMs: 60_000)) == [.report(.suppressed(nil, .privacy))])
        #expect(harness.send(.asserted(SourceNumber(0), staleMs: 60_000)) == [])
        harness.send(.privacy(Privacy()))
        #expect(harness.camera.trigger.active != nil)
    }

    @Test("A mode that changes back while a clip opens does not cut that clip")
    func modeChangesBack() throws {
        var harness = try CameraHarness.opening()
        let policy = harness.camera.intent.policy
        var event = policy
        event.mode = .event
        harness.send(.policy(event, until: nil))
        harness.send(.policy(policy, until: nil))
        harness.answerKindly()
        #expect(harness.open == ClipNumber(1) && !harness.cutting)
    }

    @Test("A fact that cannot be true yet is early, and a key frame while streaming feeds the silence bound")
    func early() throws {
        var harness = CameraHarness(Intent(policy: Policy(mode: .continuous)))
        harness.send(.tick)
        let dial = try #require(harness.camera.link.current)
        #expect(harness.send(.keyframe(dial)) == [.ignored(.early)])
        #expect(harness.send(.hungUp(dial)) == [.ignored(.early)])
        harness.send(.dialed(dial))
        harness.send(.keyframe(dial))
        #expect(harness.send(.keyframe(dial), after: 9_000) == [])
        harness.pass(5_000)
        #expect(harness.camera.link.phase == .streaming)
    }
}
