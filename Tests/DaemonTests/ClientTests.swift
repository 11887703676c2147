import Foundation
import Glibc
import Testing

/// Clients that never finish what they begin, against the whole daemon (H6).
@Suite("Hostile clients", .serialized)
struct ClientTests {
    /// Clients of Tests/rig/hostile_clients.py, until they are let go.
    private final class Attack: Sendable {
        private let process = Process()
        private let input = Pipe()

        init(_ daemon: RunningDaemon, port: UInt16, _ kinds: [String]) throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            process.arguments =
                [Rig.folder + "/hostile_clients.py", "--socket", daemon.socket, "--port", "\(port)"] + kinds
            process.standardInput = input
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let lines = Awaited(linesOf: output.fileHandleForReading)
            try #require(lines.wait { $0.first } == "ready")
        }

        func end() {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }

    private func start(_ folder: String, port: UInt16) throws -> RunningDaemon {
        try FileManager.default.createDirectory(
            atPath: folder + "/policies", withIntermediateDirectories: true)
        try "name: all\nrecording: { mode: continuous }\n".write(
            toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        try """
        http: { listen: 127.0.0.1:\(port) }
        policies: [ policies/ ]
        cameras: { front: { main: demo, policy: all, detection: 'off' } }

        """.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        return try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
    }

    private func health(_ port: UInt16) async throws -> String {
        try await RunningDaemon.aside {
            try RunningDaemon.run(
                "/usr/bin/curl", ["-s", "-m", "20", "http://127.0.0.1:\(port)/healthz"]
            ).output
        }
    }

    @Test(
        "Half-open requests, endless bodies, unread answers and stalled exports keep nobody out and hold up no stop",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
    func attacked() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let port = try ListenerTests.Port().number
        let daemon = try start(folder, port: port)
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        try await daemon.wait("a fragment") {
            let tracks = try daemon.clips().first?["tracks"] as? [[String: Any]] ?? []
            return tracks.contains { ($0["fragments"] as? Int ?? 0) > 0 }
        }
        let attack = try Attack(
            daemon, port: port,
            [
                "half=64", "silent=64", "slow-head=64", "endless-body=16", "chunked-body=16",
                "forced-body=16",
                "unread=8", "export=6", "flood=4",
            ])
        defer { attack.end() }
        for _ in 0..<3 {
            #expect(try await health(port) == "ok\n")
            let answer = try daemon.vigil(["state", "front"])
            #expect(answer.status == 0, "\(answer)")
        }
        try await daemon.wait("the journal tells it") { daemon.log.contains("clients cut off") }
        // Recorded all the while, without a break. Asked as people ask: `vigil` asks again where its place was given away.
        let clips = try daemon.json(["clips", "--camera", "front"])
        #expect(clips.count == 1 && clips.first?["end"] is NSNull, "\(clips)")
        let began = ContinuousClock.now
        let status = try await RunningDaemon.aside { daemon.end() }
        #expect(status == 0)
        #expect(ContinuousClock.now - began < .seconds(30))
        let closed = Set(daemon.log.components(separatedBy: "\n").filter { $0.contains("clip closed") })
        #expect(closed.count == 1, "\(closed)")
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    }
}
