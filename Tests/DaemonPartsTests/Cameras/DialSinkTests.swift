import Journal
import Machines
import Media
import Testing

@testable import Daemon

@Suite("When a camera streams")
struct DialSinkTests {
    private let dialler = Dialler()
    private var frames = TestFrames()

    @Test(
        "A key frame that counts as having come before privacy ended begins nothing; the storage is not blamed (H1)")
    mutating func forbidden() async throws {
        let (camera, first) = try await recording()
        _ = await camera.inbox.ask(.privacy(Privacy(hard: true)), by: "test")
        first.end()
        camera.pass(ms: 5_000)
        await camera.settled()
        _ = await camera.inbox.ask(.privacy(Privacy()), by: "test")
        await camera.settled()
        let ended = camera.now
        let second = try #require(dialler.dials.last)
        try #require(second !== first)
        second.dialed([TestFrames.track])
        await camera.settled()
        // A pusher brings late what it took under privacy, up to its last moment.
        for beforeMs in [3_000, 1_000, 0] as [Int64] {
            camera.pass(ms: 1_000)
            second.frame(try frames.next(at: ended + -beforeMs))
            await camera.settled()
            #expect(camera.actor.view.machine.coverage == .linkLost)
        }
        second.frame(try frames.next(at: ended + 1))
        await camera.settled()
        #expect(camera.actor.view.machine.coverage == .recorded && camera.told(.clipOpenFailed).isEmpty)
    }

    @Test("What an input tells of its end the machine does not tell again; what it gives up by itself it tells")
    mutating func toldOnce() async throws {
        let (camera, dial) = try await recording()
        dial.end(.failed(.silence, detail: "no packet of the video"))
        await camera.settled()
        #expect(camera.told(.linkLost).map { $0[.detail] } == ["no packet of the video"])
        #expect(camera.told(.linkWaiting).map { $0[.why] } == ["silence"])
        camera.pass(ms: 5_000)
        await camera.settled()
        let second = try #require(dialler.dials.last)
        second.end(.failed(.timeout, detail: "no answer"))
        await camera.settled()
        #expect(camera.told(.linkFailed).map { $0[.detail] } == ["no answer"])
        camera.pass(ms: 10_000)
        await camera.settled()
        try #require(dialler.dials.count == 3)
        camera.pass(ms: Timing().dialMs + 1_000)
        await camera.settled()
        let told = camera.told(.linkFailed).map { [$0[.why], $0[.detail]] }
        #expect(told.prefix(2) == [["timeout", "no answer"], ["timeout", nil]])
    }

    @Test("Where privacy ends while somebody looks on, a clip begins with the next key frame, with no word of storage")
    mutating func soft() async throws {
        let (camera, dial) = try await recording()
        _ = await camera.inbox.ask(.viewers(1), by: "test")
        _ = await camera.inbox.ask(.privacy(Privacy(softRecording: true)), by: "test")
        camera.pass(ms: 5_000)
        dial.frame(try frames.next(at: camera.now))
        await camera.settled()
        _ = await camera.inbox.ask(.privacy(Privacy()), by: "test")
        await camera.settled()
        try #require(dialler.dials.count == 1 && !dial.isStopped)
        #expect(camera.actor.view.machine.coverage == .linkLost)
        camera.pass(ms: 500)
        dial.frame(try frames.next(at: camera.now))
        await camera.settled()
        #expect(camera.actor.view.machine.coverage == .recorded && camera.told(.clipOpened).count == 2)
        #expect(camera.told(.clipOpenFailed).isEmpty && camera.told(.linkSynchronizing).count == 1)
    }

    @Test(
        "Where a clip ended between two key frames, nothing is recorded until the next one, and the storage is not blamed"
    )
    mutating func distant() async throws {
        let (camera, dial) = try await recording(Policy(mode: .event))
        // Nobody wants what comes after the event: its clip is cut without a key frame.
        for _ in 0..<30 where camera.actor.view.machine.recorder.state != .idle {
            camera.pass(ms: 5_000)
            dial.frame(try frames.next(at: camera.now, isKey: false))
            _ = await camera.inbox.ask(.tick, by: "test")
            await camera.settled()
        }
        try #require(camera.actor.view.machine.coverage == .idle && dialler.dials.count == 1)
        _ = await camera.inbox.ask(.commanded(TimeControl(initialMs: 60_000, maxMs: 60_000)), by: "test")
        await camera.settled()
        camera.pass(ms: 500)
        dial.frame(try frames.next(at: camera.now, isKey: false))
        await camera.settled()
        #expect(camera.actor.view.machine.coverage == .linkLost && camera.told(.linkSynchronizing).count == 1)
        camera.pass(ms: 500)
        dial.frame(try frames.next(at: camera.now))
        await camera.settled()
        #expect(camera.actor.view.machine.coverage == .recorded && camera.told(.clipOpened).count == 2)
        #expect(camera.told(.clipOpenFailed).isEmpty && camera.told(.linkStreaming).count == 2)
    }

    /// A camera that records, all the time or because it was told to, and its dial.
    private mutating func recording(_ policy: Policy = Policy(mode: .continuous)) async throws -> (
        TestCamera, Dialler.Held
    ) {
        let camera = try TestCamera(policy: policy, dialler: dialler)
        await camera.settled()
        let dial = try #require(dialler.dials.last)
        try await camera.begin(dial, &frames)
        if policy.mode == .event {
            _ = await camera.inbox.ask(.commanded(TimeControl(initialMs: 10_000, maxMs: 10_000)), by: "test")
            await camera.settled()
        }
        try #require(camera.actor.view.machine.coverage == .recorded)
        return (camera, dial)
    }
}
