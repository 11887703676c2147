import Machines
import Testing

/// The stories of RECORDING's rules, one each; exploration does the rest.
@Suite("Stories of the camera machine")
struct CameraStoryTests {
    /// A camera that streams, in event mode, with the given time control in seconds.
    static func streaming(
        mode: Mode = .event, _ i: Int64 = 10, _ a: Int64 = 5, _ m: Int64 = 60, _ b: Int64 = 0,
        enabled: Bool = true
    ) -> World {
        let control = TimeControl(
            initialMs: i * 1_000, augmentationMs: a * 1_000, maxMs: m * 1_000, blindMs: b * 1_000)
        // Bounds so long that the link stays up without being fed.
        var world = World(
            Intent(enabled: enabled, policy: Policy(mode: mode, timeControl: control)),
            timing: Timing(silenceMs: 100_000_000, graceMs: 1_000_000, closeMs: 1_000_000))
        world.send(.tick)
        world.answerKindly()
        world.answerKindly()
        return world
    }

    /// When the event ends, in seconds from its beginning, with detections at the given seconds.
    func end(_ i: Int64, _ a: Int64, _ m: Int64, detections: [Int64]) -> Int64? {
        let begin = Self.streaming(i, a, m).now
        var ended: Int64?
        for second in 0..<60 where ended == nil {
            var world = Self.streaming(i, a, m)
            for detection in detections where detection <= second {
                world.pass(begin + detection * 1_000 - world.now)
                world.send(.detected(level: .low, zones: .anywhere))
            }
            world.pass(begin + Int64(second) * 1_000 - world.now)
            let over = world.reports.contains { if case .eventEnded(EventNumber(1), _) = $0 { true } else { false } }
            if over { ended = Int64(second) }
        }
        return ended
    }

    @Test("The worked traces of the time control, with the inclusive comparison")
    func traces() {
        #expect(end(5, 2, 15, detections: [0]) == 5)
        #expect(end(5, 2, 15, detections: [0, 1]) == 7)
        #expect(end(5, 2, 15, detections: [0, 1, 4]) == 7)
        #expect(end(5, 2, 15, detections: [0, 1, 6]) == 9)
        #expect(end(5, 2, 15, detections: Array(0..<15)) == 15)
        #expect(end(5, 15, 10, detections: [0, 1]) == 10)
        #expect(end(5, 0, 30, detections: Array(0..<30)) == 5)
        #expect(end(5, 1, 30, detections: [0, 2, 4]) == 6)
        #expect(end(5, 3, 30, detections: [0, 4, 8]) == 8)
    }

    @Test("A detection above the sensitivity is suppressed and says so")
    func sensitivity() {
        var world = Self.streaming()
        #expect(
            world.send(.detected(level: .high, zones: .anywhere)) == [.report(.suppressed(.high, .sensitivity))])
    }

    @Test("An event opens a clip with pre-roll, and its end cuts it at a key frame")
    func clipFollowsEvent() throws {
        var world = Self.streaming()
        let effects = world.send(.detected(level: .low, zones: .anywhere))
        let orders = effects.compactMap { if case .openClip(let order) = $0 { order } else { nil } }
        let order = try #require(orders.first)
        #expect(order.preRollMs == 5_000 && order.trigger == world.now && order.cause == .detection)
        world.send(.opened(order.number, start: world.now + -5_000, shortfall: nil))
        #expect(world.camera.coverage == .recorded)
        world.pass(10_000)
        #expect(world.cutting)
        world.send(.cut(order.number, at: world.now))
        world.send(.closed(order.number, complete: true))
        #expect(world.camera.coverage == .idle)
        #expect(world.breaches == [])
    }

    @Test("TC-2.13: motion inside the blind time of a motion clip begins nothing; a manual clip has no blind time")
    func blind() {
        var world = Self.streaming(5, 2, 15, 3)
        world.send(.detected(level: .low, zones: .anywhere))
        world.answerKindly()
        world.pass(5_000)
        #expect(world.send(.detected(level: .low, zones: .anywhere)).contains(.report(.suppressed(.low, .blind))))
        world.answerKindly()
        world.answerKindly()
        #expect(world.camera.coverage == .blind)
        world.pass(3_000)
        world.send(.commanded(TimeControl(initialMs: 4_000, augmentationMs: 0, maxMs: 4_000)))
        world.answerKindly()
        world.pass(4_000)
        world.send(.detected(level: .low, zones: .anywhere))
        #expect(world.camera.trigger.active != nil)
        #expect(world.breaches == [])
    }

    @Test("TC-2.12: motion while disabled runs silently; enabling inside the window begins the rest of the event")
    func silent() {
        var world = Self.streaming(10, 5, 20, 1, enabled: false)
        world.send(.detected(level: .low, zones: .anywhere))
        #expect(world.camera.trigger.active == nil)
        world.pass(4_000)
        world.send(.enabled(true))
        world.pass(0)
        #expect(world.camera.trigger.active != nil)
        world.pass(6_000)
        #expect(world.camera.trigger.active == nil)
    }

    @Test("A command lifts a running event without a second beginning")
    func command() {
        var world = Self.streaming(5, 2, 10)
        world.send(.detected(level: .low, zones: .anywhere))
        world.send(.commanded(TimeControl(initialMs: 30_000, maxMs: 30_000)), after: 1_000)
        world.pass(29_000)
        #expect(world.camera.trigger.active != nil)
        world.pass(1_000)
        #expect(world.camera.trigger.active == nil)
        let begun = world.reports.filter { if case .eventBegan = $0 { true } else { false } }
        #expect(begun.count == 1)
    }

    @Test("A lost off cannot record for ever: a level source that is not refreshed expires")
    func stale() {
        var world = Self.streaming(5, 5, 180)
        world.send(.asserted(SourceNumber(0), staleMs: 20_000))
        world.pass(60_000)
        #expect(world.camera.trigger.active == nil)
        #expect(world.reports.contains(.sourceExpired(SourceNumber(0))))
    }

    @Test("A source that stays on past the max length begins the next event at once, chained by the same cut")
    func chained() {
        var world = Self.streaming(5, 5, 10)
        world.send(.asserted(SourceNumber(0), staleMs: 60_000))
        world.answerKindly()
        world.pass(10_000)
        #expect(world.camera.trigger.active?.number == EventNumber(2))
        #expect(world.cutting)
        world.send(.cut(ClipNumber(1), at: world.now))
        #expect(world.opening == ClipNumber(2))
        #expect(world.breaches == [])
    }

    @Test("A lost link neither ends nor shortens an event; the next clip belongs to the same one, without pre-roll")
    func reconnectInsideEvent() throws {
        var world = Self.streaming(30, 5, 60)
        world.send(.detected(level: .low, zones: .anywhere))
        world.answerKindly()
        world.send(.lost(try #require(world.camera.link.current), .closed), after: 5_000)
        #expect(world.camera.coverage == .linkLost)
        world.pass(2_000)
        world.send(.dialed(try #require(world.camera.link.current)))
        let effects = world.send(.keyframe(try #require(world.camera.link.current)))
        let order = effects.compactMap { if case .openClip(let order) = $0 { order } else { nil } }.first
        #expect(order?.event == EventNumber(1) && order?.preRollMs == 0)
    }

    @Test("Continuous mode cuts after the clip length at a key frame, and a cut without key frame is forced")
    func continuous() {
        var world = Self.streaming(mode: .continuous)
        world.answerKindly()
        world.pass(600_000)
        #expect(world.cutting && world.open == ClipNumber(1))
        world.pass(1_000_000)
        #expect(world.open == nil && world.opening == ClipNumber(2))
        #expect(world.breaches == [])
    }

    @Test("Privacy closes the clip before the ring is purged, and forgets what moves meanwhile")
    func privacy() {
        var world = Self.streaming(mode: .continuous)
        world.answerKindly()
        let effects = world.send(.privacy(Privacy(softRecording: true)))
        let close = effects.firstIndex(of: .closeClip(ClipNumber(1), .now, .privacy))
        let purge = effects.firstIndex(of: .keepMedia(false))
        #expect(close != nil && purge != nil && (close ?? 0) < (purge ?? 0))
        world.send(.detected(level: .low, zones: .anywhere))
        #expect(world.camera.trigger.state == .quiet)
        #expect(world.camera.coverage == .privacy)
    }

    @Test("A refused login waits long; every other failure backs off 1, 2, 4, 8, 16, 30 s plus at most a fifth")
    func backoff() throws {
        var world = World(Intent(policy: Policy(mode: .continuous)))
        world.send(.tick)
        for base in [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000] as [Int64] {
            world.send(.dialFailed(try #require(world.camera.link.current), .refused))
            let wait = try #require(world.camera.nextDeadline) - world.now
            #expect(wait >= base && wait <= base + base / 5)
            world.pass(wait)
        }
        world.send(.dialFailed(try #require(world.camera.link.current), .unauthorized))
        #expect(try #require(world.camera.nextDeadline) - world.now == world.camera.timing.unauthorizedMs)
    }

    @Test("A camera with very distant key frames is warned about and kept")
    func longGOP() throws {
        var world = World(Intent(policy: Policy(mode: .continuous)))
        world.send(.tick)
        let dial = try #require(world.camera.link.current)
        world.send(.dialed(dial))
        for _ in 0..<100 {
            world.send(.packets(dial, last: world.now), after: 1_000)
        }
        #expect(world.reports.contains(.noKeyFrame(dial)))
        world.send(.keyframe(dial))
        #expect(world.camera.link.phase == .streaming)
    }

    @Test("Auto mode tries the LAN first, then alternates for as long as it fails")
    func alternates() throws {
        var world = World(Intent(policy: Policy(mode: .continuous), connect: .auto))
        var endpoints: [Endpoint] = []
        func note(_ effects: [Camera.Effect]) {
            for effect in effects { if case .dial(_, let endpoint) = effect { endpoints.append(endpoint) } }
        }
        note(world.send(.tick))
        for _ in 0..<20 {
            world.send(.dialFailed(try #require(world.camera.link.current), .unreachable))
            let wait = try #require(world.camera.nextDeadline) - world.now
            note(world.send(.tick, after: wait))
        }
        #expect(endpoints == (0...20).map { $0.isMultiple(of: 2) ? .lan : .internet })
    }

    @Test("An on-demand camera keeps its link until the clip of its event has ended on a key frame")
    func onDemand() throws {
        let control = TimeControl(initialMs: 5_000, augmentationMs: 0, maxMs: 10_000)
        var world = World(Intent(policy: Policy(mode: .event, timeControl: control, connection: .onDemand)))
        world.send(.tick)
        #expect(world.camera.link.phase == .off)
        world.send(.detected(level: .low, zones: .anywhere))
        for _ in 0..<3 { world.answerKindly() }
        #expect(world.open != nil)
        world.pass(5_000)
        #expect(world.cutting && world.camera.link.phase == .streaming)
        world.send(.cut(ClipNumber(1), at: world.now))
        #expect(world.camera.link.phase == .off)
        #expect(world.breaches == [])
    }

    @Test("While two clips are still closing, what is wanted and cannot be opened is labelled storage")
    func twoClosing() throws {
        var world = Self.streaming(mode: .continuous)
        for number in 1...2 as ClosedRange<UInt32> {
            world.send(.opened(ClipNumber(number), start: world.now, shortfall: nil))
            world.send(.streamChanged(ClipNumber(number), at: world.now))
        }
        #expect(world.camera.recorder.closing.count == 2 && world.opening == nil)
        #expect(world.camera.coverage == .storage)
        world.send(.closed(ClipNumber(1), complete: true))
        #expect(world.opening == ClipNumber(3))
    }

    @Test("An event's clip ends with its event though the mode became continuous, and blind time waits only for it")
    func modeChangesInsideEvent() {
        var world = Self.streaming(5, 0, 10, 3)
        world.send(.detected(level: .low, zones: .anywhere))
        world.answerKindly()
        var policy = world.camera.intent.policy
        policy.mode = .continuous
        world.send(.policy(policy, until: nil))
        world.pass(5_000)
        #expect(world.cutting)
        world.send(.cut(ClipNumber(1), at: world.now))
        world.send(.closed(ClipNumber(1), complete: true))
        #expect(world.opening == ClipNumber(2))
        if case .blind = world.camera.trigger.state {} else { Issue.record("not blind: \(world.camera.trigger.state)") }
    }
}
