import Foundation
import Testing
import VigilKit
import VigilURLSession

@Suite("What the library is refused, at the running daemon", .serialized, .timeLimit(.minutes(10)))
struct KitRefusalTests {
    @Test("Every verb that does not fit the session's state is refused by its step, with the reason")
    func verbs() async throws {
        try await KitSite.with { site in
            let clip = try await site.clip(ofMs: 4_000)
            let session = try await site.vigil.openSession(camera: "front")
            func expect(_ told: String, _ body: () async throws -> SessionInfo) async throws {
                let refusal = try await KitSite.refusal(body)
                #expect(refusal == told)
            }
            try await expect("startPreview notConnected") { try await session.startPreview() }
            try await session.connect()
            try await expect("connect already") { try await session.connect() }
            let day = try #require(try await session.days().last)
            try await expect("startPlayback notListed") { try await session.startPlayback(day: day, clip: clip.id) }
            try await expect("pause notPlaying") { try await session.pause() }
            try await expect("resume notPaused") { try await session.resume() }
            try await expect("speed notPlaying") { try await session.speed(2) }
            try await expect("definition notPreviewing") { try await session.definition(.sd) }
            try await expect("mute notPreviewing") { try await session.mute(false) }
            try await expect("talk notPreviewing") { try await session.talk(true) }
            try await expect("record notShowing") { try await session.record(true) }
            try await expect("stopPreview notPreviewing") { try await session.stopPreview() }
            try await expect("stopPlayback notPlaying") { try await session.stopPlayback() }
            _ = try await session.clips(of: day)
            let outside = WallTime(ms: clip.start.ms - 60_000)
            try await expect("startPlayback outside") {
                try await session.startPlayback(day: day, clip: clip.id, at: outside)
            }
            try await session.startPlayback(day: day, clip: clip.id)
            try await expect("speed outside") { try await session.speed(3) }
            try await expect("startPreview playbackRunning") { try await session.startPreview() }
            try await session.stopPlayback()
            try await session.startPreview()
            try await expect("startPreview already") { try await session.startPreview() }
            try await expect("startPlayback previewRunning") {
                try await session.startPlayback(day: day, clip: clip.id)
            }
            try await expect("talk unsupported") { try await session.talk(true) }
            do {
                _ = try await session.clips(of: day)
                Issue.record("clips were listed beside the live picture")
            } catch let error as VigilError {
                #expect(error.step == "listClips" && error.reason == "previewRunning")
            }
            _ = try await site.vigil.setPrivacy(camera: "front", change: PrivacyCommand(softRecording: true))
            try await expect("record privacy") { try await session.record(true) }
            _ = try await site.vigil.setPrivacy(camera: "front", change: PrivacyCommand(softLive: true))
            // Live privacy ends a session that shows the live picture.
            var frames = session.frames.makeAsyncIterator()
            while try await frames.next() != nil {}
            #expect(try await session.info().ended?.rawValue == "privacy")
            try await expect("connect ended") { try await session.connect() }
            let hidden = try await site.vigil.openSession(camera: "front")
            try await hidden.connect()
            try await expect("startPreview privacy") { try await hidden.startPreview() }
            try await hidden.close()
        }
    }

    @Test("No more see a camera live than may; a viewer's token neither records nor sees what is no daemon's")
    func limits() async throws {
        try await KitSite.with(site: "viewers: { limit: 1 }", role: "viewer") { site in
            try await site.vigil.withSession(camera: "front") { first in
                try await first.startPreview()
                try await site.vigil.withSession(camera: "front") { second in
                    let refusal = try await KitSite.refusal { try await second.startPreview() }
                    #expect(refusal == "startPreview full")
                }
                do {
                    try await first.record(true)
                    Issue.record("a viewer has recorded")
                } catch VigilError.refused(let error) {
                    #expect(error.kind == .forbidden)
                }
            }
            let stranger = Vigil(
                URLSessionTransport(url: try #require(URL(string: site.vigil.transport.address)), token: "vigil_x"))
            await #expect {
                _ = try await stranger.cameras()
            } throws: { error in
                if case VigilError.refused(let error) = error { error.kind == .unauthenticated } else { false }
            }
            let port = try ListenerTests.Port()
            let number = port.number
            _ = consume port
            let nobody = Vigil(url: try #require(URL(string: "http://127.0.0.1:\(number)")), token: "vigil_x")
            await #expect(throws: VigilError.noDaemon(address: "http://127.0.0.1:\(number)")) {
                _ = try await nobody.cameras()
            }
        }
    }
}
