import Machines
import Media
import Testing

@testable import Daemon

@Suite("When frames are wanted as they come")
struct WatchedTests {
    @Test("They are while somebody looks")
    func viewers() async throws {
        let (camera, dial) = try await Self.camera()
        #expect(!dial.isWatched)
        let viewer = try camera.shell.streams.watch(.main, sound: .none)
        #expect(dial.isWatched)
        viewer.leave()
        #expect(!dial.isWatched)
    }

    @Test(
        "They are under privacy, so that what was sent before it ends does not come after",
        arguments: [Privacy(softRecording: true), Privacy(softLive: true)])
    func privacy(_ privacy: Privacy) async throws {
        let (camera, dial) = try await Self.camera()
        _ = await camera.inbox.ask(.privacy(privacy), by: "test")
        await camera.settled()
        #expect(dial.isWatched)
        _ = await camera.inbox.ask(.privacy(Privacy()), by: "test")
        await camera.settled()
        #expect(!dial.isWatched)
    }

    /// A camera that records all the time, and its dial.
    private static func camera() async throws -> (TestCamera, Dialler.Held) {
        let dialler = Dialler()
        let camera = try TestCamera(policy: Policy(mode: .continuous), dialler: dialler)
        await camera.settled()
        let dial = try #require(dialler.dials.last)
        dial.dialed([TestFrames.track])
        await camera.settled()
        return (camera, dial)
    }
}
