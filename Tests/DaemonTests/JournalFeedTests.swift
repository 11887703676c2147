import Foundation
import Testing

@Suite("Following the daemon's journal", .serialized)
struct JournalFeedTests {
    @Test(
        "What is commanded is told to those who follow, with kind, fields and who; a stop is told, and ends the stream")
    func followed() async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer { daemon.discard() }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        let (socket, file) = (daemon.socket, daemon.folder + "/journal")
        let reader = Process()
        reader.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        reader.arguments = ["-s", "-N", "-o", file, "--unix-socket", socket, "http://vigil/v1/journal?after=0"]
        try reader.run()
        func records() throws -> [[String: Any]] {
            try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("data: {") }
                .compactMap { try JSONSerialization.jsonObject(with: Data($0.dropFirst(6).utf8)) as? [String: Any] }
        }
        func has(_ kind: String, _ holds: ([String: String]) -> Bool = { _ in true }) throws -> Bool {
            try records().contains { $0["kind"] as? String == kind && holds($0["fields"] as? [String: String] ?? [:]) }
        }
        try await daemon.wait("what was said before") { try has("daemonReady") && has("clipOpened") }
        #expect(try daemon.vigil(["record", "demo", "--for", "90s"]).status == 0)
        try await daemon.wait("the command") {
            try has("commandTaken") { $0["VIGIL_REQUEST"] == "record" && $0["VIGIL_USER"]?.contains("uid") == true }
        }
        #expect(try records().contains { $0["kind"] as? String == "eventBegan" && $0["camera"] as? String == "demo" })
        #expect(daemon.end() == 0)
        reader.waitUntilExit()
        // 0: the answer was whole.
        #expect(reader.terminationStatus == 0)
        #expect(try has("daemonStopping") && has("clipClosed"))
    }
}
