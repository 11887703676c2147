import Machines
import Media
import Testing

@testable import Daemon

@Suite("When frames are wanted promptly")
struct PromptFramesTests {
    @Test("They are while somebody looks")
    func viewers() async throws {
        let (camera, dial) = try await Self.camera()
        #expect(!dial.wantsPromptFrames)
        let viewer = try camera.shell.streams.watch(.main, sound: .none)
        #expect(dial.wantsPromptFrames)
        viewer.leave()
        #expect(!dial.wantsPromptFrames)
    }

    @Test(
        "They are under privacy, so that what was sent before it ends does not come after",
        arguments: [Privacy(softRecording: true), Privacy(softLive: true)])
    func privacy(_ privacy: Privacy) async throws {
        let (camera, dial) = try await Self.camera()
        _ = await camera.inbox.ask(.privacy(privacy), by: "test")
        await camera.settled()
        #expect(dial.wantsPromptFrames)
        _ = await camera.inbox.ask(.privacy(Privacy()), by: "test")
        await camera.settled()
        #expect(!dial.wantsPromptFrames)
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
