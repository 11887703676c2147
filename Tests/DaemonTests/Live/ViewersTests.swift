import Foundation
import MemorySite
import Testing

@Suite("Viewers over the control socket", .serialized)
struct ViewersTests {
    /// Asks the daemon, and gives the status with the JSON that it answers.
    private func ask(
        _ daemon: RunningDaemon, _ method: String, _ path: String, _ body: String? = nil
    ) throws -> (status: Int, answer: [String: Any]) {
        let (status, text) = try daemon.ask(method, path, body)
        let json = try JSONSerialization.jsonObject(with: Data((text.isEmpty ? "{}" : text).utf8))
        return (status, json as? [String: Any] ?? ["list": json])
    }

    @Test(
        "a viewer's session goes its way over HTTP, is listed, expires by its timer, and its trace is run again (S9, S11)"
    )
    func session() async throws {
        let folder = try RunningDaemon.freshFolder()
        let file = try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous, clipLength: 10s",
            """
            viewers: { duration: 30s }
            cameras:
              front: { main: "demo:", policy: all, viewers: { limit: 1 } }
            """)
        let daemon = try RunningDaemon(folder: folder, config: file)
        defer { daemon.discard() }
        try await daemon.wait(camera: "front", coverage: "recorded")

        let opened = try ask(daemon, "POST", "/v1/cameras/front/sessions")
        #expect(opened.status == 201 && opened.answer["phase"] as? String == "idle")
        let id = try #require(opened.answer["session"] as? String)
        let path = "/v1/sessions/\(id)"
        let early = try ask(daemon, "POST", path + "/startPreview")
        let error = early.answer
        #expect(early.status == 409 && error["step"] as? String == "startPreview")
        #expect(error["reason"] as? String == "notConnected" && error["remedy"] as? String == "connect first")
        #expect(try ask(daemon, "POST", path + "/connect").answer["connected"] as? Bool == true)
        let live = try ask(daemon, "POST", path + "/startPreview", #"{"definition": "hd"}"#)
        #expect(live.status == 200 && live.answer["phase"] as? String == "previewing")
        #expect(live.answer["expires"] != nil)
        // The second one is one too many for this camera.
        let other = try #require(try ask(daemon, "POST", "/v1/cameras/front/sessions").answer["session"] as? String)
        _ = try ask(daemon, "POST", "/v1/sessions/\(other)/connect")
        let full = try ask(daemon, "POST", "/v1/sessions/\(other)/startPreview")
        #expect(full.status == 409 && full.answer["reason"] as? String == "full")
        // So is one that knows only the address; a page reads why in words, since it cannot read the status of an opening.
        var told: [WebSocketClient.Event] = []
        let refused = try WebSocketClient(daemon.socket, "/v1/cameras/front/live")
        for await event in refused.events { told.append(event) }
        guard case .opened(101, _, _)? = told.first, case .text(let why)? = told.dropFirst().first,
            case .close(1_013, _)? = told.last
        else { return #expect(Bool(false), "\(told)") }
        #expect(why.hasPrefix(#"{"ended":"full","error":{"#) && why.contains("viewers.limit"), "\(why)")
        #expect(try ask(daemon, "POST", path + "/speed", #"{"speed": 3}"#).status == 409)
        #expect(try ask(daemon, "POST", path + "/speed", #"{"speed": 3, "x": 1}"#).status == 400)
        #expect(try ask(daemon, "POST", path + "/extend", #"{"x": 1}"#).status == 400)
        #expect(try ask(daemon, "POST", path + "/dance").status == 404)
        #expect(try ask(daemon, "GET", "/v1/sessions/0000").status == 404)
        #expect(try ask(daemon, "POST", "/v1/cameras/nowhere/sessions").status == 404)

        let table = try daemon.vigil(["viewers"])
        #expect(table.status == 0 && table.output.contains(id) && table.output.contains("live hd"), "\(table)")
        #expect(try daemon.state("front").first?["viewers"] as? Int == 1)
        // Nobody extends it.
        try await daemon.wait("its end by its timer") {
            try ask(daemon, "GET", path).answer["ended"] as? String == "expired"
        }
        #expect(try daemon.state("front").first?["viewers"] as? Int == 0)
        try await daemon.wait("the journal") { daemon.log.contains("session ended: \(id), its time was over") }
        let third = try #require(try ask(daemon, "POST", "/v1/cameras/front/sessions").answer["session"] as? String)
        let closed = try ask(daemon, "DELETE", "/v1/sessions/\(third)")
        #expect(closed.status == 200 && closed.answer["ended"] as? String == "closed")
        #expect(daemon.end() == 0)
        let replay = try RunningDaemon.run(RunningDaemon.program, ["replay", "--root", daemon.root])
        #expect(replay.status == 0 && replay.output.contains("1 camera and 4 sessions"), "\(replay)")
        #expect(replay.output.contains("front/\(id), run "), "\(replay.output)")
        let verify = try RunningDaemon.run(RunningDaemon.program, ["trace", "verify", "--root", daemon.root])
        #expect(verify.status == 0, "\(verify)")
    }
}
