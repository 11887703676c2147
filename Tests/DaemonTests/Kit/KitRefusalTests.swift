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
            let today = CalendarDay(year: 2026, month: 11, day: 22)
            let all = try Self.verbs(session, #require(today), clip.id)
            for (step, verb) in all where step != "connect" {
                try await expect("\(step) notConnected", verb)
            }
            try await session.connect()
            try await expect("connect already") { try await session.connect() }
            let day = try #require(try await session.days().last)
            try await expect("startPlayback notListed") { try await session.startPlayback(day: day, clip: clip.id) }
            try await expect("pause notPlaying") { try await session.pause() }
            try await expect("resume notPaused") { try await session.resume() }
            try await expect("speed notPlaying") { try await session.speed(2) }
            try await expect("definition notPreviewing") { try await session.definition(.sd) }
            try await expect("mute notShowing") { try await session.mute(false) }
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
            await #expect(throws: VigilError.sessionEnded(.privacy)) {
                for try await _ in session.frames {}
            }
            #expect(try await session.info().ended?.rawValue == "privacy")
            // What forbids recording is told before the session is asked.
            _ = try await site.vigil.setPrivacy(camera: "front", change: PrivacyCommand(softRecording: false))
            for (step, verb) in all { try await expect("\(step) ended", verb) }
            try await expect("extend ended") { try await session.extend() }
            let hidden = try await site.vigil.openSession(camera: "front")
            try await hidden.connect()
            try await expect("startPreview privacy") { try await hidden.startPreview() }
            try await hidden.close()
        }
    }

    /// Every verb but `extend`, with the step that it is refused by.
    private static func verbs(
        _ session: CameraSession, _ day: CalendarDay, _ clip: Int64
    ) -> [(step: String, ask: () async throws -> SessionInfo)] {
        [
            ("connect", { try await session.connect() }), ("startPreview", { try await session.startPreview() }),
            ("startPlayback", { try await session.startPlayback(day: day, clip: clip) }),
            ("pause", { try await session.pause() }), ("resume", { try await session.resume() }),
            ("speed", { try await session.speed(2) }), ("definition", { try await session.definition(.sd) }),
            ("mute", { try await session.mute(false) }), ("talk", { try await session.talk(true) }),
            ("record", { try await session.record(true) }), ("stopPreview", { try await session.stopPreview() }),
            ("stopPlayback", { try await session.stopPlayback() }),
            (
                "listDays",
                {
                    _ = try await session.days()
                    return await session.last
                }
            ),
            (
                "listClips",
                {
                    _ = try await session.clips(of: day)
                    return await session.last
                }
            ),
        ]
    }

    @Test(
        "What a camera or a file does not give is refused with the reason: unreachable, unauthorized, timeout, unsupported, busy"
    )
    func failures() async throws {
        let endpoints = try Endpoints(["silent", "digest"])
        defer { endpoints.end() }
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rig = try Rig(media: ["still.mp4"], cameras: ["front": "still.mp4,no-audio"], in: folder)
        defer { rig.end() }
        let port = try ListenerTests.Port()
        let nobody = port.number
        _ = consume port
        func address(_ kind: String) -> String { "rtsp://127.0.0.1:\(endpoints.ports[kind] ?? "")/x" }
        let cameras = """
              silent: { main: "\(address("silent"))", policy: all }
              login: { main: "\(address("digest"))", policy: all }
              gone: { main: "rtsp://127.0.0.1:\(nobody)/x", policy: all }
              mute: { main: "\(rig.url)", policy: all }
            """
        try await KitSite.with(cameras: cameras) { site in
            func refusal(_ camera: String) async throws -> String? {
                try await site.vigil.withSession(camera: camera) { session in
                    try await KitSite.refusal { try await session.startPreview() }
                }
            }
            try await site.until("startPreview timeout") { try await refusal("silent") }
            // While the camera's first picture is waited for, nothing else of the session is answered.
            try await site.until("listDays busy") {
                try await site.vigil.withSession(camera: "silent") { session in
                    async let preview = KitSite.refusal { try await session.startPreview() }
                    let refusal = try await KitSite.refusal {
                        _ = try await session.days()
                        return await session.last
                    }
                    _ = try await preview
                    return refusal
                }
            }
            try await site.until("startPreview unauthorized") { try await refusal("login") }
            // Until the pauses between two dials are long, one waits for the next.
            try await site.until("startPreview unreachable") { try await refusal("gone") }
            try await site.vigil.withSession(camera: "mute") { session in
                try await site.until("") { try await KitSite.refusal { try await session.startPreview() } ?? "" }
                let refusal = try await KitSite.refusal { try await session.mute(false) }
                #expect(refusal == "mute unsupported")
                let absent = try await KitSite.refusal { try await session.definition(.sd) }
                #expect(absent == "definition unsupported")
                try await session.stopPreview()
                let day = try #require(try await session.days().last)
                let clip = try #require(try await session.clips(of: day).first)
                try await session.startPlayback(day: day, clip: clip.id)
                #expect(try await KitSite.refusal { try await session.mute(false) } == "mute unsupported")
            }
            _ = try await site.vigil.setEnabled(camera: "back", enabled: false)
            try await site.vigil.withSession(camera: "back") { session in
                try await session.startPreview()
                let refusal = try await KitSite.refusal { try await session.record(true) }
                #expect(refusal?.hasPrefix("record ") == true, "\(refusal ?? "nothing")")
            }
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
