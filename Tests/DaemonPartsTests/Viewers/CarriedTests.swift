import Catalog
import Machines
import Server
import Synchronization
import Testing

@testable import Daemon
@testable import Media

@Suite("Another stream for a network", .serialized)
struct CarriedTests {
    /// Counts what a viewer gets, anew with each begin.
    private final class Seen: Sendable {
        struct Counts {
            var began = 0
            var pictures = 0
            var opus = 0
            var isMoving: Bool { pictures > 5 && opus > 5 }
        }

        private let state = Mutex(Counts())
        var counts: Counts { state.withLock { $0 } }

        func take(_ item: StreamItem) {
            state.withLock { counts in
                switch item {
                case .began: counts = Counts(began: counts.began + 1)
                case .frame(let frame) where frame.kind == .video: counts.pictures += 1
                case .frame(let frame): if frame.configuration.parameters.codec == .opus { counts.opus += 1 }
                case .skipped, .lost, .ended: break
                }
            }
        }
    }

    @Test("the sub-stream is shown with its sound in the place of the main stream, and the wish stays; a wish ends it")
    func carried() async throws {
        let house = try ViewerHouse()
        let camera = try house.camera()
        let caller = ViewerHouse.caller()
        try await house.wait("the camera") { camera.shell.streams.main.dial != nil }
        let (id, viewer) = try await house.sessions.peer(camera, .hd, isPlayer: true, by: caller) { _ in .opus }
        let seen = Seen()
        let reading = Task { for await item in viewer { seen.take(item) } }
        try await house.wait("the picture and its sound") { seen.counts.isMoving }
        let (main, sub) = (camera.shell.streams.main, camera.shell.streams.substream.stream)

        #expect(await house.sessions.carry(id, .sub, why: "a test") { $0.hasVideo })
        #expect(sub.viewers == 1 && main.viewers == 0)
        #expect(house.sessions.view(id)?.carried == .sub && house.sessions.view(id)?.machine.definition == .hd)
        try await house.wait("the other picture and its sound") { seen.counts.began == 2 && seen.counts.isMoving }
        #expect(sub.makesOpus)
        try await house.wait("the journal") {
            house.told.contains("another stream shown: sub, to uid 1000")
        }
        // Sound off and on stays with the stream that is shown.
        try await house.ask(id, .mute(true))
        try await house.ask(id, .mute(false))
        #expect(sub.viewers == 1 && main.viewers == 0)

        #expect(await house.sessions.carry(id, .main, why: "a test") { _ in true })
        #expect(sub.viewers == 0 && main.viewers == 1 && house.sessions.view(id)?.carried == nil)
        // What cannot be sent is not shown, and not held.
        #expect(await !house.sessions.carry(id, .sub, why: "a test") { _ in false })
        #expect(sub.viewers == 0 && main.viewers == 1)

        #expect(await house.sessions.carry(id, .sub, why: "a test") { _ in true })
        #expect(try await house.ask(id, .definition(.sd)).machine.definition == .sd)
        #expect(house.sessions.view(id)?.carried == nil && sub.viewers == 1 && main.viewers == 0)
        #expect(await !house.sessions.carry(id, .main, why: "a test") { _ in true })
        #expect(await !house.sessions.carry("none", .main, why: "a test") { _ in true })
        #expect(sub.viewers == 1 && main.viewers == 0)
        viewer.leave()
        await reading.value
        _ = try await house.end()
    }

    @Test("who chooses the stream that was the wish before is shown that one, and no other one any more")
    func chosen() async throws {
        let house = try ViewerHouse()
        let camera = try house.camera()
        try await house.wait("the camera") { camera.shell.streams.main.dial != nil }
        let (id, viewer) = try await house.sessions.peer(
            camera, .hd, isPlayer: true, by: ViewerHouse.caller()
        ) { _ in nil }
        let reading = Task { for await _ in viewer {} }
        let (main, sub) = (camera.shell.streams.main, camera.shell.streams.substream.stream)
        #expect(await house.sessions.carry(id, .sub, why: "a test") { _ in true })
        // What is shown already is no other stream.
        #expect(await !house.sessions.carry(id, .sub, why: "a test") { _ in true })
        #expect(sub.viewers == 1 && main.viewers == 0 && house.sessions.view(id)?.carried == .sub)

        let view = try await house.ask(id, .definition(.hd))
        #expect(view.machine.definition == .hd && view.carried == nil)
        #expect(sub.viewers == 0 && main.viewers == 1 && house.sessions.view(id)?.carried == nil)
        try await house.wait("the journal") { house.told.contains("the viewer has chosen it") }
        #expect(await !house.sessions.carry(id, .sub, why: "a test") { _ in true })
        #expect(sub.viewers == 0 && main.viewers == 1)
        viewer.leave()
        await reading.value
        _ = try await house.end()
    }

    @Test("privacy ends the wait for a stream of which no picture comes, and nothing is left", .timeLimit(.minutes(15)))
    func hidden() async throws {
        let house = try ViewerHouse(detection: false, sub: "rtsp://127.0.0.1:9/none")
        let camera = try house.camera()
        try await house.wait("the camera") { camera.shell.streams.main.dial != nil }
        let (id, viewer) = try await house.sessions.peer(
            camera, .hd, isPlayer: true, by: ViewerHouse.caller()
        ) { _ in nil }
        // Nothing else ends it within the test's time.
        async let isCarried = house.sessions.carry(id, .sub, why: "a test", withinMs: 3_600_000) { _ in true }
        try await house.wait("the viewer of the sub-stream") { camera.shell.streams.substream.stream.viewers == 1 }
        try await house.turn([.softLive: true])
        #expect(await !isCarried)
        try await house.wait("the end of the viewers") { camera.shell.streams.viewerCount == 0 }
        withExtendedLifetime(viewer) {}
        _ = try await house.end()
    }
}
