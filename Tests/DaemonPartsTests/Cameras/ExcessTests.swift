import Catalog
import Journal
import Machines
import Media
import Synchronization
import Testing

@testable import Daemon

@Suite("From a bound that a camera passes to the end of its link (H1)", .serialized)
struct ExcessTests {
    /// The last dial was stopped; when its thread has ended, journal and state tell `bound`, and the camera is left alone for
    /// minutes.
    private func expectGivenUp(_ camera: TestCamera, _ dialler: Dialler, _ bound: String) async throws {
        let dial = try #require(dialler.dials.last)
        #expect(dial.isStopped)
        // What still comes is nobody's.
        var frames = TestFrames()
        let next = camera.shell.ring.holding.next
        dial.frame(try frames.next(at: camera.now))
        #expect(camera.shell.ring.holding.next == next)
        dial.end()
        await camera.settled()
        let line = try #require(camera.told(.linkLost).last)
        #expect(line[.why] == "budget" && line[.detail] == bound, "\(line)")
        let view = camera.actor.view
        #expect(view.lastFailure == .budget && view.machine.coverage == .linkLost)
        #expect(why(view, camera.shell).contains(bound))
        let count = dialler.dials.count
        camera.pass(ms: Timing().unauthorizedMs - 1_000)
        await camera.settled()
        #expect(dialler.dials.count == count)
        for _ in 0..<20 where dialler.dials.count == count {
            camera.pass(ms: 4_000)
            await camera.settled()
        }
        #expect(dialler.dials.count == count + 1)
    }

    /// What the state says of the label.
    private func why(_ view: CameraActor.View, _ shell: CameraShell) -> String {
        LabelReason.why(
            view, policy: "p", isModeSet: false, storage: StorageMonitor.Report(storage: .ok, freeBytes: 0, why: ""),
            excess: shell.excess.withLock { $0 })
    }

    @Test("A link that comes to a key frame after as many within a minute as a camera may have is ended")
    func links() async throws {
        let dialler = Dialler()
        let camera = try TestCamera(policy: Policy(mode: .continuous), dialler: dialler)
        var frames = TestFrames()
        for number in 1...CameraMeter.linksMax + 1 {
            await camera.settled()
            try #require(dialler.dials.count == number)
            let dial = try #require(dialler.dials.last)
            try await camera.begin(dial, &frames)
            guard number <= CameraMeter.linksMax else { continue }
            #expect(!dial.isStopped && camera.actor.view.machine.coverage == .recorded)
            // Hung up by order, which is no failure, and dialled anew at once.
            _ = await camera.inbox.ask(.privacy(Privacy(hard: true)), by: "test")
            #expect(dial.isStopped)
            dial.end()
            await camera.settled()
            _ = await camera.inbox.ask(.privacy(Privacy()), by: "test")
        }
        #expect(camera.told(.linkLost).allSatisfy { $0[.why] != "budget" })
        try await expectGivenUp(camera, dialler, "more than 10 links in a minute (links)")
    }

    @Test("A camera that waits for a key frame anew, each time that a person has switched something, is one link")
    func anew() async throws {
        let dialler = Dialler()
        let camera = try TestCamera(policy: Policy(mode: .continuous), dialler: dialler)
        await camera.settled()
        _ = await camera.inbox.ask(.viewers(1), by: "test")
        let dial = try #require(dialler.dials.last)
        dial.dialed([TestFrames.track])
        await camera.settled()
        var frames = TestFrames()
        for number in 1...CameraMeter.linksMax + 1 {
            camera.pass(ms: 100)
            dial.frame(try frames.next(at: camera.now))
            await camera.settled()
            try #require(camera.told(.linkStreaming).count == number && !dial.isStopped)
            _ = await camera.inbox.ask(.privacy(Privacy(softRecording: true)), by: "test")
            camera.pass(ms: 100)
            _ = await camera.inbox.ask(.privacy(Privacy()), by: "test")
            await camera.settled()
            try #require(camera.actor.view.machine.link.phase == .synchronizing)
        }
        #expect(camera.told(.linkLost).isEmpty && dialler.dials.count == 1)
    }

    @Test("A camera whose stream changes so often that it needs more clips in a minute than it may have is hung up")
    func clips() async throws {
        let dialler = Dialler()
        let camera = try TestCamera(policy: Policy(mode: .continuous), dialler: dialler)
        await camera.settled()
        let dial = try #require(dialler.dials.last)
        dial.dialed([TestFrames.track])
        await camera.settled()
        var frames = TestFrames()
        for number in 1...CameraMeter.clipsMax + 1 {
            #expect(!dial.isStopped, "clip \(number)")
            camera.pass(ms: 10)
            dial.frame(try frames.next(at: camera.now, number % 2 == 0 ? .wide : .small))
            await camera.settled()
            try #require(camera.told(.clipOpened).count == number)
        }
        try await expectGivenUp(camera, dialler, "more than 60 clips in a minute (clips)")
        // None of it is the storage's fault, and all that was recorded is there.
        #expect(camera.told(.writeFailed).isEmpty && camera.told(.clipOpenFailed).isEmpty)
        let clips = try camera.catalog.clips(ClipQuery(camera: "front"))
        #expect(clips.count == CameraMeter.clipsMax + 1)
    }

    @Test("More records of the journal in a minute than a camera may cause end its link; the camera beside it goes on")
    func records() async throws {
        let house = try ViewerHouse()
        let lost = Mutex<[ToldMessage]>([])
        house.journal.follow { told in if told.kind == .linkLost { lost.withLock { $0.append(told) } } }
        let (front, back) = (try house.camera("front"), try house.camera("back"))
        try await house.wait("clips of both") {
            [front, back].allSatisfy { $0.actor.view.machine.coverage == .recorded }
        }
        // Where a minute ends amid them they are too few, and come once more.
        for _ in 0..<3 where house.journal.recordsInMinute(of: "front") <= CameraMeter.recordsMax {
            for _ in 0...CameraMeter.recordsMax {
                house.journal.send(
                    .streamUnitRefused, camera: "front", fields: [(.track, "0"), (.why, "the test says so")])
            }
        }
        try #require(house.journal.recordsInMinute(of: "front") > CameraMeter.recordsMax)
        house.running.limits.look()
        try await house.wait("the end of its link") { front.actor.view.lastFailure == .budget }
        let told = lost.withLock { $0 }
        #expect(told.map(\.camera) == ["front"])
        let bound = "more than 1000 journal records in a minute (records)"
        #expect(told.first?[.why] == "budget" && told.first?[.detail] == bound, "\(told)")
        #expect(why(front.actor.view, front.shell).contains(bound))
        #expect(front.actor.view.machine.link.phase == .waiting)
        let next = back.shell.ring.holding.next
        try await house.wait("more frames of the camera beside it") { back.shell.ring.holding.next > next + 10 }
        #expect(back.actor.view.lastFailure == nil && back.actor.view.machine.coverage == .recorded)
        #expect(back.shell.excess.withLock { $0 } == nil)
        _ = try await house.end()
    }
}
