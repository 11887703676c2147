import Machines
import Testing

/// What the comparison with the model found, one story each.
@Suite("What the model found in the camera machine")
struct CameraFindingsTests {
    private func orders(_ effects: [Camera.Effect]) -> [Camera.ClipOrder] {
        effects.compactMap { if case .openClip(let order) = $0 { order } else { nil } }
    }

    /// A camera in continuous mode whose first clip is being opened.
    private func opening() throws -> World {
        var world = World(Intent(policy: Policy(mode: .continuous)), timing: Timing(silenceMs: 100_000_000))
        world.send(.tick)
        let dial = try #require(world.camera.link.current)
        world.send(.dialed(dial))
        world.send(.keyframe(dial))
        #expect(world.opening == ClipNumber(1))
        return world
    }

    @Test("The first step reports the first label")
    func firstLabel() {
        var camera = Camera(intent: Intent(enabled: false))
        #expect(camera.nextDeadline == Instant(ms: 0))
        let effects = camera.step(.enabled(false), at: Instant(ms: 5))
        #expect(effects == [.report(.coverage(from: .recorderDown, to: .disabled)), .ignored(.duplicate)])
    }

    @Test("A mode that is off forgets a silent window, though the toggle is off too")
    func silentWindow() {
        var world = CameraStoryTests.streaming(10, 5, 20, enabled: false)
        world.send(.detected(level: .low, zones: .anywhere))
        let policy = world.camera.intent.policy
        world.send(.policy(Policy(mode: .off), until: nil))
        #expect(world.camera.trigger.state == .quiet)
        world.send(.policy(policy, until: nil))
        world.send(.enabled(true))
        #expect(world.camera.trigger.active == nil)
    }

    @Test("An opening that was given up and then fails is a clip that failed, not one that was closed")
    func givenUp() throws {
        var world = try opening()
        world.pass(10_000)
        #expect(world.camera.recorder.closing.map(\.opened) == [false])
        #expect(world.send(.openFailed(ClipNumber(1))) == [.report(.clipFailed(ClipNumber(1), retryMs: nil))])
        #expect(world.camera.recorder.failures == 1)
    }

    @Test("A clip that was open and is being closed cannot fail to open")
    func openedOnce() {
        var world = CameraStoryTests.streaming(mode: .continuous)
        world.answerKindly()
        world.send(.streamChanged(ClipNumber(1), at: world.now))
        #expect(world.send(.openFailed(ClipNumber(1))) == [.ignored(.duplicate)])
        #expect(world.camera.recorder.closing.count == 1)
    }

    @Test("Where the first clip of an event could not be opened, the next one asks for pre-roll again")
    func preRoll() {
        var world = CameraStoryTests.streaming(30, 5, 60)
        world.send(.detected(level: .low, zones: .anywhere))
        world.send(.openFailed(ClipNumber(1)))
        #expect(orders(world.send(.tick, after: 1_500)).map(\.preRollMs) == [5_000])
    }

    @Test("A toggle does not cut a retry wait short")
    func retryWait() throws {
        var world = try opening()
        world.send(.viewers(1))  // Keeps the link.
        world.send(.openFailed(ClipNumber(1)))
        world.send(.enabled(false))
        #expect(orders(world.send(.enabled(true))) == [])
        #expect(orders(world.send(.tick, after: 1_500)).count == 1)
    }

    @Test("A source that comes in privacy is reported suppressed, once, and counts when that is over")
    func sourceInPrivacy() {
        var world = CameraStoryTests.streaming()
        world.send(.privacy(Privacy(softRecording: true)))
        #expect(world.send(.asserted(SourceNumber(0), staleMs: 60_000)) == [.report(.suppressed(nil, .privacy))])
        #expect(world.send(.asserted(SourceNumber(0), staleMs: 60_000)) == [])
        world.send(.privacy(Privacy()))
        #expect(world.camera.trigger.active != nil)
    }

    @Test("A mode that changes back while a clip opens does not cut that clip")
    func modeChangesBack() throws {
        var world = try opening()
        let policy = world.camera.intent.policy
        var event = policy
        event.mode = .event
        world.send(.policy(event, until: nil))
        world.send(.policy(policy, until: nil))
        world.answerKindly()
        #expect(world.open == ClipNumber(1) && !world.cutting)
    }

    @Test("A fact that cannot be true yet is early, and a key frame while streaming feeds the silence bound")
    func early() throws {
        var world = World(Intent(policy: Policy(mode: .continuous)))
        world.send(.tick)
        let dial = try #require(world.camera.link.current)
        #expect(world.send(.keyframe(dial)) == [.ignored(.early)])
        #expect(world.send(.hungUp(dial)) == [.ignored(.early)])
        world.send(.dialed(dial))
        world.send(.keyframe(dial))
        #expect(world.send(.keyframe(dial), after: 9_000) == [])
        world.pass(5_000)
        #expect(world.camera.link.phase == .streaming)
    }
}
