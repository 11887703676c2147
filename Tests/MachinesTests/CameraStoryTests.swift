import Machines
import Testing

/// The stories of the rules, one each; exploration does the rest.
@Suite("Stories of the camera machine")
struct CameraStoryTests {
    /// A camera that streams, in event mode, with the given time control in seconds.
    static func streaming(
        mode: Mode = .event, _ i: Int64 = 10, _ a: Int64 = 5, _ m: Int64 = 60, _ b: Int64 = 0,
        enabled: Bool = true
    ) -> CameraHarness {
        let control = TimeControl(
            initialMs: i * 1_000, augmentationMs: a * 1_000, maxMs: m * 1_000, blindMs: b * 1_000)
        // Bounds so long that the link stays up without being fed.
        var harness = CameraHarness(
            Intent(enabled: enabled, policy: Policy(mode: mode, timeControl: control)),
            timing: Timing(silenceMs: 100_000_000, graceMs: 1_000_000, closeMs: 1_000_000))
        harness.send(.tick)
        harness.answerKindly()
        harness.answerKindly()
        return harness
    }

    /// When the event ends, in seconds from its beginning, with detections at the given seconds.
    func end(_ i: Int64, _ a: Int64, _ m: Int64, detections: [Int64]) -> Int64? {
        let begin = Self.streaming(i, a, m).now
        var ended: Int64?
        for second in 0..<60 where ended == nil {
            var harness = Self.streaming(i, a, m)
            for detection in detections where detection <= second {
                harness.pass(begin + detection * 1_000 - harness.now)
                harness.send(.detected(level: .low, zones: .anywhere))
            }
            harness.pass(begin + Int64(second) * 1_000 - harness.now)
            let over = harness.reports.contains { if case .eventEnded(EventNumber(1), _) = $0 { true } else { false } }
            if over { ended = Int64(second) }
        }
        return ended
    }

    @Test("The worked traces of the time control, with the inclusive comparison (T1, T2, T3)")
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

    @Test("A detection above the sensitivity is suppressed and says so (T1)")
    func sensitivity() {
        var harness = Self.streaming()
        #expect(
            harness.send(.detected(level: .high, zones: .anywhere)) == [
                .noteSuppressed(.high, .sensitivity, during: nil), .report(.suppressed(.high, .sensitivity)),
            ])
    }

    @Test("An event opens a clip with pre-roll, and its end cuts it at a key frame")
    func clipFollowsEvent() throws {
        var harness = Self.streaming()
        let effects = harness.send(.detected(level: .low, zones: .anywhere))
        let orders = effects.compactMap { if case .openClip(let order) = $0 { order } else { nil } }
        let order = try #require(orders.first)
        #expect(order.preRollMs == 5_000 && order.trigger == harness.now && order.cause == .detection)
        harness.send(.opened(order.number, start: harness.now + -5_000, shortfall: nil))
        #expect(harness.camera.coverage == .recorded)
        harness.pass(10_000)
        #expect(harness.cutting)
        harness.send(.cut(order.number, at: harness.now))
        harness.send(.closed(order.number, complete: true))
        #expect(harness.camera.coverage == .idle)
        #expect(harness.breaches == [])
    }

    @Test("TC-2.13: motion in the blind time of a motion clip begins nothing; a manual clip has none (T4, T5)")
    func blind() {
        var harness = Self.streaming(5, 2, 15, 3)
        harness.send(.detected(level: .low, zones: .anywhere))
        harness.answerKindly()
        harness.pass(5_000)
        #expect(harness.send(.detected(level: .low, zones: .anywhere)).contains(.report(.suppressed(.low, .blind))))
        harness.answerKindly()
        harness.answerKindly()
        #expect(harness.camera.coverage == .blind)
        harness.pass(3_000)
        harness.send(.commanded(TimeControl(initialMs: 4_000, augmentationMs: 0, maxMs: 4_000)))
        harness.answerKindly()
        harness.pass(4_000)
        harness.send(.detected(level: .low, zones: .anywhere))
        #expect(harness.camera.trigger.active != nil)
        #expect(harness.breaches == [])
    }

    @Test("TC-2.12: motion while disabled runs silently; enabling inside the window begins the rest of the event (T7)")
    func silent() {
        var harness = Self.streaming(10, 5, 20, 1, enabled: false)
        harness.send(.detected(level: .low, zones: .anywhere))
        #expect(harness.camera.trigger.active == nil)
        harness.pass(4_000)
        harness.send(.enabled(true))
        harness.pass(0)
        #expect(harness.camera.trigger.active != nil)
        harness.pass(6_000)
        #expect(harness.camera.trigger.active == nil)
    }

    @Test("A command lifts a running event without a second beginning (T5)")
    func command() {
        var harness = Self.streaming(5, 2, 10)
        harness.send(.detected(level: .low, zones: .anywhere))
        harness.send(.commanded(TimeControl(initialMs: 30_000, maxMs: 31_000)), after: 1_000)
        harness.pass(29_000)
        #expect(harness.camera.trigger.active != nil)
        harness.pass(1_000)
        #expect(harness.camera.trigger.active == nil)
        let begun = harness.reports.filter { if case .eventBegan = $0 { true } else { false } }
        #expect(begun.count == 1)
    }

    @Test("A lost off cannot record for ever: a level source that is not refreshed expires (T6)")
    func stale() {
        var harness = Self.streaming(5, 5, 180)
        harness.send(.asserted(SourceNumber(0), staleMs: 20_000))
        harness.pass(60_000)
        #expect(harness.camera.trigger.active == nil)
        #expect(harness.reports.contains(.sourceExpired(SourceNumber(0))))
    }

    @Test("A source that stays on past the max length begins the next event at once, chained by the same cut (T6)")
    func chained() {
        var harness = Self.streaming(5, 5, 10)
        harness.send(.asserted(SourceNumber(0), staleMs: 60_000))
        harness.answerKindly()
        harness.pass(10_000)
        #expect(harness.camera.trigger.active?.number == EventNumber(2))
        #expect(harness.cutting)
        harness.send(.cut(ClipNumber(1), at: harness.now))
        #expect(harness.opening == ClipNumber(2))
        #expect(harness.breaches == [])
    }

    @Test("A lost link neither ends nor shortens an event; its next clip belongs to it, without pre-roll (T9)")
    func reconnectInsideEvent() throws {
        var harness = Self.streaming(30, 5, 60)
        harness.send(.detected(level: .low, zones: .anywhere))
        harness.answerKindly()
        harness.send(.lost(try #require(harness.camera.link.current), .closed), after: 5_000)
        #expect(harness.camera.coverage == .linkLost)
        harness.pass(2_000)
        harness.send(.dialed(try #require(harness.camera.link.current)))
        let effects = harness.send(.keyframe(try #require(harness.camera.link.current)))
        let order = effects.compactMap { if case .openClip(let order) = $0 { order } else { nil } }.first
        #expect(order?.event == EventNumber(1) && order?.preRollMs == 0)
    }

    @Test("Continuous mode cuts after the clip length at a key frame, however late it comes")
    func continuous() throws {
        var harness = Self.streaming(mode: .continuous)
        harness.answerKindly()
        harness.pass(600_000)
        #expect(harness.cutting && harness.open == ClipNumber(1))
        harness.pass(2_500_000)
        #expect(harness.cutting && harness.open == ClipNumber(1) && harness.camera.coverage == .recorded)
        let dial = try #require(harness.camera.link.current)
        #expect(harness.reports.filter { $0 == .noKeyFrame(dial) }.count == 1)
        harness.send(.cut(ClipNumber(1), at: harness.now))
        #expect(harness.opening == ClipNumber(2) && harness.camera.coverage == .recorded)
        #expect(harness.breaches == [])
    }

    @Test("Where no key frame comes at all, the camera is dialled anew after eleven graces, and not before (L3)")
    func keyless() throws {
        var harness = Self.streaming(mode: .continuous)
        harness.answerKindly()
        harness.pass(600_000 + 11 * 1_000_000 - 1)
        #expect(harness.cutting && harness.camera.link.phase == .streaming)
        harness.pass(1)
        #expect(harness.open == nil && harness.camera.link.phase == .waiting)
        #expect(harness.reports.contains(.clipEnded(ClipNumber(1), .linkLost)))
        for _ in 0..<2 { harness.pass(3_000) }
        #expect(harness.camera.link.phase == .dialing)
        for _ in 0..<4 { harness.answerKindly() }
        #expect(harness.open == ClipNumber(2))
        #expect(harness.breaches == [])
    }

    @Test(
        "A cut for which no key frame comes is forced where nobody wants what comes, also if that was wanted meanwhile")
    func forced() {
        for continues in [false, true] {
            var harness = Self.streaming(5, 0, 10)
            harness.send(.detected(level: .low, zones: .anywhere))
            harness.answerKindly()
            harness.pass(5_000)
            #expect(harness.cutting && harness.camera.trigger.active == nil)
            let due = harness.now
            if continues {
                // Another event is active when the grace is over, and ends soon after.
                harness.pass(996_000)
                harness.send(.detected(level: .low, zones: .anywhere))
                harness.pass(due + 1_000_000 - harness.now)
                #expect(harness.cutting && harness.open == ClipNumber(1))
                harness.pass(1_000_000 - 1)
                #expect(harness.cutting && harness.camera.trigger.active == nil)
                harness.pass(1)
            } else {
                harness.pass(1_000_000)
            }
            #expect(harness.open == nil && harness.opening == nil && harness.camera.link.phase == .streaming)
            #expect(harness.reports.contains(.clipEnded(ClipNumber(1), .quiet)))
            #expect(harness.breaches == [])
        }
    }

    @Test("A trace of before, which has no more graces, has its cuts forced after one")
    func oneGrace() {
        var harness = CameraHarness(
            Intent(policy: Policy(mode: .continuous)),
            timing: Timing(silenceMs: 100_000_000, moreGraces: nil))
        harness.send(.tick)
        for _ in 0..<3 { harness.answerKindly() }
        harness.pass(660_000)
        #expect(harness.open == nil && harness.opening == ClipNumber(2) && harness.camera.link.phase == .streaming)
        #expect(harness.breaches == [])
    }

    @Test("Privacy closes the clip before the ring is purged, and forgets what moves meanwhile")
    func privacy() {
        var harness = Self.streaming(mode: .continuous)
        harness.answerKindly()
        let effects = harness.send(.privacy(Privacy(softRecording: true)))
        let close = effects.firstIndex(of: .closeClip(ClipNumber(1), .now, .privacy))
        let purge = effects.firstIndex(of: .keepMedia(false))
        #expect(close != nil && purge != nil && (close ?? 0) < (purge ?? 0))
        harness.send(.detected(level: .low, zones: .anywhere))
        #expect(harness.camera.trigger.state == .quiet)
        #expect(harness.camera.coverage == .privacy)
    }

    @Test("A refused login waits long; every other failure backs off 1, 2, 4, 8, 16, 30 s plus at most a fifth (S16)")
    func backoff() throws {
        var harness = CameraHarness(Intent(policy: Policy(mode: .continuous)))
        harness.send(.tick)
        for base in [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000] as [Int64] {
            harness.send(.dialFailed(try #require(harness.camera.link.current), .refused))
            let wait = try #require(harness.camera.nextDeadline) - harness.now
            #expect(wait >= base && wait <= base + base / 5)
            harness.pass(wait)
        }
        harness.send(.dialFailed(try #require(harness.camera.link.current), .unauthorized))
        #expect(try #require(harness.camera.nextDeadline) - harness.now == harness.camera.timing.unauthorizedMs)
    }

    @Test("A camera that has no session left is dialled again after the longest back-off")
    func busy() throws {
        var harness = CameraHarness(Intent(policy: Policy(mode: .continuous)))
        harness.send(.tick)
        for _ in 0..<3 {
            harness.send(.dialFailed(try #require(harness.camera.link.current), .busy))
            let wait = try #require(harness.camera.nextDeadline) - harness.now
            #expect((30_000...36_000).contains(wait))
            harness.pass(wait)
        }
    }

    @Test("A camera that took more of this machine than it may waits as long as after a refused login (H1)")
    func budget() throws {
        for isDialed in [false, true] {
            var harness = CameraHarness(Intent(policy: Policy(mode: .continuous)))
            harness.send(.tick)
            let dial = try #require(harness.camera.link.current)
            if isDialed {
                harness.send(.dialed(dial))
                harness.send(.keyframe(dial))
                harness.send(.lost(dial, .budget))
            } else {
                harness.send(.dialFailed(dial, .budget))
            }
            let wait = harness.camera.timing.unauthorizedMs
            harness.pass(wait - 1)
            #expect(harness.camera.link.phase == .waiting)
            harness.pass(1)
            #expect(harness.camera.link.phase == .dialing)
        }
    }

    @Test("A camera with very distant key frames is warned about and kept")
    func longGOP() throws {
        var harness = CameraHarness(Intent(policy: Policy(mode: .continuous)))
        harness.send(.tick)
        let dial = try #require(harness.camera.link.current)
        harness.send(.dialed(dial))
        for _ in 0..<100 {
            harness.send(.packets(dial, last: harness.now), after: 1_000)
        }
        #expect(harness.reports.contains(.noKeyFrame(dial)))
        harness.send(.keyframe(dial))
        #expect(harness.camera.link.phase == .streaming)
    }

    @Test("Auto mode tries the LAN first, then alternates for as long as it fails")
    func alternates() throws {
        var harness = CameraHarness(Intent(policy: Policy(mode: .continuous), connect: .auto))
        var endpoints: [Endpoint] = []
        func note(_ effects: [Camera.Effect]) {
            for effect in effects { if case .dial(_, let endpoint) = effect { endpoints.append(endpoint) } }
        }
        note(harness.send(.tick))
        for _ in 0..<20 {
            harness.send(.dialFailed(try #require(harness.camera.link.current), .unreachable))
            let wait = try #require(harness.camera.nextDeadline) - harness.now
            note(harness.send(.tick, after: wait))
        }
        #expect(endpoints == (0...20).map { $0.isMultiple(of: 2) ? .lan : .internet })
    }

    @Test("An on-demand camera keeps its link until the clip of its event has ended on a key frame")
    func onDemand() throws {
        let control = TimeControl(initialMs: 5_000, augmentationMs: 0, maxMs: 10_000)
        var harness = CameraHarness(Intent(policy: Policy(mode: .event, timeControl: control, connection: .onDemand)))
        harness.send(.tick)
        #expect(harness.camera.link.phase == .off)
        harness.send(.detected(level: .low, zones: .anywhere))
        for _ in 0..<3 { harness.answerKindly() }
        #expect(harness.open != nil)
        harness.pass(5_000)
        #expect(harness.cutting && harness.camera.link.phase == .streaming)
        harness.send(.cut(ClipNumber(1), at: harness.now))
        #expect(harness.camera.link.phase == .off)
        #expect(harness.breaches == [])
    }

    @Test("While two clips are still closing, what is wanted and cannot be opened is labelled storage")
    func twoClosing() throws {
        var harness = Self.streaming(mode: .continuous)
        for number in 1...2 as ClosedRange<UInt32> {
            harness.send(.opened(ClipNumber(number), start: harness.now, shortfall: nil))
            harness.send(.streamChanged(ClipNumber(number), at: harness.now))
        }
        #expect(harness.camera.recorder.closing.count == 2 && harness.opening == nil)
        #expect(harness.camera.coverage == .storage)
        harness.send(.closed(ClipNumber(1), complete: true))
        #expect(harness.opening == ClipNumber(3))
    }

    @Test("An event's clip ends with its event though the mode became continuous, and blind time waits only for it")
    func modeChangesInsideEvent() {
        var harness = Self.streaming(5, 0, 10, 3)
        harness.send(.detected(level: .low, zones: .anywhere))
        harness.answerKindly()
        var policy = harness.camera.intent.policy
        policy.mode = .continuous
        harness.send(.policy(policy, until: nil))
        harness.pass(5_000)
        #expect(harness.cutting)
        harness.send(.cut(ClipNumber(1), at: harness.now))
        harness.send(.closed(ClipNumber(1), complete: true))
        #expect(harness.opening == ClipNumber(2))
        if case .blind = harness.camera.trigger.state {
        } else {
            Issue.record("not blind: \(harness.camera.trigger.state)")
        }
    }
}
