import Foundation
import Testing

@Suite("H4 frames that packets are missing from", .serialized)
struct DamageTests {
    @Test(
        "are counted in the clip, the state and the journal",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
    func counted() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // A camera that loses five pictures of 25, two of them in a row: four pictures stand behind a hole. It sends them all at
        // once, and the clip begins with the first.
        let rig = Process()
        rig.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        rig.arguments = [Rig.folder + "/quirks", "pictures lost over TCP"]
        let (input, output) = (Pipe(), Pipe())
        rig.standardInput = input
        rig.standardOutput = output
        try rig.run()
        defer {
            try? input.fileHandleForWriting.close()
            rig.waitUntilExit()
        }
        let lines = Awaited(linesOf: output.fileHandleForReading)
        let said = lines.wait { lines in lines.contains("ready") ? lines.first { $0.hasPrefix("{") } : nil }
        let row = try JSONSerialization.jsonObject(with: Data(try #require(said).utf8)) as? [String: Any]
        let address = try #require(row?["address"] as? String)
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try "name: all\nrecording: { mode: continuous }\n"
            .write(toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        let camera = "  front: { main: \"\(address)\", policy: all, detection: 'off' }\n"
        try ("http: { listen: none }\npolicies: [ policies/ ]\ncameras:\n" + camera)
            .write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        let daemon = try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
        defer { daemon.end(SIGKILL) }
        // Where the machine is busy a clip may begin with the camera's second key frame; each connection brings the same pictures.
        var whole: [String: Any]?
        try await daemon.wait("a clip of a whole connection") {
            whole = try daemon.clips().first { clip in
                let tracks = clip["tracks"] as? [[String: Any]] ?? []
                return clip["ended"] is String && tracks.contains { $0["durationMs"] as? Int ?? 0 >= 1_000 }
            }
            return whole != nil
        }
        let clip = try #require(whole)
        #expect(clip["damagedFrames"] as? Int == 4, "\(clip)")
        let state = try #require(try daemon.state("front").first)
        #expect((state["damagedFrames"] as? Int ?? 0) >= 4)
        try await daemon.wait("the burst in the journal") {
            daemon.log.contains("frames lack packets")
        }
        #expect(daemon.log.contains("4 frames lack packets"))
    }
}
