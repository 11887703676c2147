import Machines
import Testing

/// Rules of the camera as somebody notices them who looks at it for long.
@Suite("Rules of the camera, seen from outside")
struct CameraRuleTests {
    private static func dials(_ effects: [Camera.Effect]) -> Int {
        effects.count { if case .dial = $0 { true } else { false } }
    }

    private static func suppressed(_ harness: CameraHarness) -> [Camera.Suppression] {
        harness.reports.compactMap { if case .suppressed(nil, let why) = $0 { why } else { nil } }
    }

    @Test("A source that is on in blind time is told once, and counts when the blind time is over (T6)")
    func sourceInBlindTime() {
        var harness = CameraStoryTests.streaming(5, 2, 10, 30)
        harness.send(.detected(level: .low, zones: .anywhere))
        for _ in 0..<20 {
            harness.answerKindly()
            harness.pass(500)
        }
        #expect(harness.camera.trigger.active == nil)
        for _ in 0..<10 { harness.send(.asserted(SourceNumber(3), staleMs: 60_000), after: 1_000) }
        #expect(Self.suppressed(harness) == [.blind])
        harness.pass(20_000)
        #expect(harness.camera.trigger.active?.window.cause == .source)
        #expect(harness.breaches == [])
    }

    @Test("A source that is on while recording is disabled is told once, and again only when it comes on anew (T6)")
    func sourceWhileDisabled() {
        var harness = CameraStoryTests.streaming(5, 2, 10, enabled: false)
        harness.send(.asserted(SourceNumber(0), staleMs: 600_000))
        harness.pass(120_000)
        #expect(Self.suppressed(harness) == [.disabled])
        harness.send(.cleared(SourceNumber(0)))
        harness.send(.asserted(SourceNumber(0), staleMs: 600_000), after: 1_000)
        #expect(Self.suppressed(harness) == [.disabled, .disabled])
        harness.send(.enabled(true))
        #expect(harness.camera.trigger.active != nil)
        #expect(harness.breaches == [])
    }

    @Test("A source that came and went under privacy leaves nothing behind (T6)")
    func sourceUnderPrivacy() {
        var harness = CameraStoryTests.streaming(10, 5, 60)
        harness.send(.privacy(Privacy(softRecording: true)))
        harness.send(.asserted(SourceNumber(0), staleMs: 60_000))
        harness.send(.cleared(SourceNumber(0)), after: 1_000)
        harness.send(.asserted(SourceNumber(1), staleMs: 2_000))
        harness.pass(2_000)
        harness.send(.privacy(Privacy()))
        #expect(harness.camera.trigger.active == nil)
        #expect(Self.suppressed(harness) == [.privacy, .privacy])
        #expect(harness.breaches == [])
    }

    /// When events began and ended, in seconds since the first began, and what began them.
    private static func events(_ harness: CameraHarness, _ began: Instant, _ times: [Instant]) -> [String] {
        zip(harness.reports, times).compactMap { report, at in
            switch report {
            case .eventBegan(_, let cause, _, _): "\(cause) \((at - began) / 1_000)"
            case .eventEnded(_, let why): "\(why) \((at - began) / 1_000)"
            default: nil
            }
        }
    }

    /// Events with commands of 30 s at the given seconds, in an event of at most 60 s that a detection begins at 0.
    private static func commanded(at seconds: [Int64], maxMs: Int64 = 30_000) -> [String] {
        var harness = CameraStoryTests.streaming(10, 5, 60, 20)
        let began = harness.now
        var times: [Instant] = []
        harness.send(.detected(level: .low, zones: .anywhere))
        for second in 0..<300 as Range<Int64> {
            // Something moves for a minute.
            if second < 58 { harness.send(.detected(level: .low, zones: .anywhere)) }
            if seconds.contains(second) { harness.send(.commanded(TimeControl(initialMs: 30_000, maxMs: maxMs))) }
            times += Array(repeating: harness.now, count: harness.reports.count - times.count)
            harness.answerKindly()
            harness.pass(1_000)
            times += Array(repeating: harness.now, count: harness.reports.count - times.count)
        }
        #expect(harness.breaches == [])
        return events(harness, began, times)
    }

    @Test("A command that asks for more than is left of an event is followed by one of its own (T5)")
    func chainedCommand() {
        #expect(Self.commanded(at: [50]) == ["detection 0", "limit 60", "command 60", "quiet 80"])
        #expect(Self.commanded(at: [20]) == ["detection 0", "limit 60"])
        #expect(Self.commanded(at: [50], maxMs: 90_000) == ["detection 0", "quiet 85"])
    }

    @Test("Commands without end make a chain of events, none of them longer than the greatest max length (S4)")
    func repeatedCommands() {
        #expect(
            Self.commanded(at: [10, 30, 50, 70, 90, 110]) == [
                "detection 0", "limit 60", "command 60", "limit 90", "command 90", "limit 120", "command 120",
                "quiet 140",
            ])
    }

    /// The endpoints that are dialled, when dials and streams end as told: `x` is refused, `k` is lost after its key frame, `s` is lost
    /// when it has streamed for a minute, `o` is hung up while it streams.
    private static func endpoints(_ order: DialOrder, _ story: String) throws -> String {
        var harness = CameraHarness(
            Intent(policy: Policy(mode: .continuous), connect: order), timing: Timing(silenceMs: 10_000_000))
        var dialled = ""
        harness.send(.tick)
        for end in story {
            harness.answerHangUps()
            while harness.camera.link.phase != .dialing { harness.pass(1_000) }
            guard case .dialing(let number, let endpoint, _) = harness.camera.link.state else { break }
            dialled += endpoint == .lan ? "L" : "I"
            if end == "x" {
                harness.send(.dialFailed(number, .unreachable))
                continue
            }
            harness.send(.dialed(number))
            harness.send(.keyframe(number))
            if end == "s" { harness.pass(60_000) }
            if end == "o" {
                harness.send(.enabled(false))
                harness.send(.enabled(true))
            } else {
                harness.send(.lost(number, .closed))
            }
        }
        return dialled
    }

    @Test("A preferred endpoint is dialled first, and the other one while it fails (L1)")
    func endpoints() throws {
        #expect(try Self.endpoints(.lanFirst, "xxxsxsx") == "LILILIL")
        #expect(try Self.endpoints(.lanFirst, "xsxsx") == "LILIL")
        #expect(try Self.endpoints(.lanFirst, "ssoss") == "LLLLL")
        #expect(try Self.endpoints(.internetFirst, "xsxox") == "ILILI")
        #expect(try Self.endpoints(.auto, "xssoxsx") == "LIIIILL")
        #expect(try Self.endpoints(.lan, "xxsxko") == "LLLLLL")
        #expect(try Self.endpoints(.internet, "xxsxko") == "IIIIII")
    }

    @Test("Where continuous mode becomes event mode within an event, blind time waits for the clip that follows (T4)")
    func mixedModes() throws {
        var harness = CameraStoryTests.streaming(mode: .continuous, 10, 5, 60, 20)
        harness.answerKindly()
        harness.send(.detected(level: .low, zones: .anywhere))
        let event = harness.camera.trigger.active?.number
        var policy = harness.camera.intent.policy
        policy.mode = .event
        harness.send(.policy(policy, until: nil), after: 2_000)
        #expect(harness.cutting)
        let effects = harness.send(.cut(ClipNumber(1), at: harness.now), after: 1_000)
        let orders = effects.compactMap { if case .openClip(let order) = $0 { order } else { nil } }
        #expect(orders.map(\.event) == [event])
        harness.send(.opened(ClipNumber(2), start: harness.now, shortfall: .previousClip))
        harness.send(.closed(ClipNumber(1), complete: true))
        harness.pass(7_000)
        #expect(harness.camera.trigger.active == nil)
        harness.send(.cut(ClipNumber(2), at: harness.now), after: 15_000)
        harness.send(.closed(ClipNumber(2), complete: true), after: 5_000)
        let durable = harness.now
        while harness.camera.coverage == .blind { harness.pass(500) }
        #expect(harness.now - durable == 20_000)
        #expect(harness.breaches == [])
    }

    @Test("Before a change that the schedule tells no clip is shorter than ten seconds, whenever the key frame comes")
    func schedule() {
        for change in stride(from: 600_000 as Int64, through: 690_000, by: 3_000) {
            for keyframe in [0, 20_000, 59_000] as [Int64] {
                var harness = CameraHarness(
                    Intent(policy: Policy(mode: .continuous)), timing: Timing(silenceMs: 100_000_000))
                harness.send(.tick)
                for _ in 0..<3 { harness.answerKindly() }
                let opened = harness.now
                var started = opened
                harness.send(.policy(harness.camera.intent.policy, until: opened + change))
                while harness.now < opened + change {
                    if harness.cutting, harness.now - opened >= 600_000 + keyframe {
                        harness.answerKindly()
                        started = harness.now
                    }
                    harness.pass(min(1_000, opened + change - harness.now))
                }
                harness.send(.policy(Policy(mode: .off), until: nil))
                #expect(harness.now - started >= 10_000, "change \(change), key frame \(keyframe)")
                #expect(harness.breaches == [])
            }
        }
    }

    @Test("That holds within an event too, whether it ends before, with or after the change")
    func scheduleWithinAnEvent() {
        for initial in [45_000, 58_000, 60_000, 75_000] as [Int64] {
            let control = TimeControl(initialMs: initial, augmentationMs: 0, maxMs: 180_000, blindMs: 0)
            var policy = Policy(mode: .event, timeControl: control)
            policy.clipLengthMs = 30_000
            var harness = CameraHarness(Intent(policy: policy), timing: Timing(silenceMs: 100_000_000))
            harness.send(.tick)
            for _ in 0..<2 { harness.answerKindly() }
            let change = harness.now + 60_000
            harness.send(.policy(policy, until: change))
            harness.send(.detected(level: .low, zones: .anywhere))
            harness.answerKindly()
            var started = harness.now
            while harness.now < change {
                // The key frame comes a second before the change.
                if harness.cutting, change - harness.now <= 1_000 {
                    let cut = harness.open
                    for _ in 0..<3 { harness.answerKindly() }
                    if let open = harness.open, open != cut { started = harness.now }
                }
                harness.pass(500)
            }
            harness.send(.policy(Policy(mode: .off), until: nil))
            #expect(harness.now - started >= 10_000, "window \(initial)")
            #expect(harness.breaches == [])
        }
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
