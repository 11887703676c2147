import Foundation
import Testing

@Suite("What is reviewed, cleared and deleted", .serialized)
struct ReviewTests {
    @Test("A clip is deleted by command, with who in the journal, and not while it is written, protected or read")
    func deleted() async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer {
            daemon.end(SIGKILL)
            try? FileManager.default.removeItem(atPath: daemon.folder)
        }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        let open = try #require(try daemon.json(["clips"]).first?["id"] as? Int)
        let written = try daemon.vigil(["delete", "--yes", "\(open)"])
        #expect(written.status == 1 && written.errors.contains("it is being written"), "\(written)")
        #expect(try daemon.vigil(["delete", "\(open)"]).errors.contains("--yes"))
        try await daemon.wait("a second of media") {
            let start = try daemon.json(["clips"]).first?["startedMonotonicMs"] as? Int ?? .max
            return Rig.now() > start + 2_000
        }
        #expect(try daemon.vigil(["disable", "demo"]).status == 0)
        try await daemon.wait("a closed clip") { try daemon.json(["clips"]).first?["ended"] is String }
        let clip = try #require(try daemon.json(["clips"]).first)
        let id = try #require(clip["id"] as? Int)
        let path = try #require((clip["tracks"] as? [[String: Any]])?.first?["path"] as? String)
        #expect(try daemon.vigil(["protect", "\(id)"]).status == 0)
        let kept = try daemon.vigil(["delete", "--yes", "\(id)"])
        #expect(kept.status == 1 && kept.errors.contains("it is protected"), "\(kept)")
        #expect(try daemon.vigil(["protect", "--release", "\(id)"]).status == 0)
        #expect(FileManager.default.fileExists(atPath: daemon.root + "/" + path))
        let gone = try daemon.vigil(["delete", "--yes", "\(id)"])
        #expect(gone.status == 0 && gone.output.contains("clip \(id) of demo: deleted"), "\(gone)")
        #expect(!FileManager.default.fileExists(atPath: daemon.root + "/" + path))
        #expect(try daemon.json(["clips"]).isEmpty)
        #expect(
            daemon.log.contains("clip deleted: \(id), by rule command, ")
                && daemon.log.contains("asked for by uid \(getuid())"))
        let again = try daemon.vigil(["delete", "--yes", "\(id)"])
        #expect(again.status == 1 && again.errors.contains("there is none of this id"))
        #expect(daemon.end() == 0)
        let check = try RunningDaemon.run(RunningDaemon.program, ["fsck", "--root", daemon.root, "--deep"])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test(
        "Events are unseen until somebody has marked them; messages stay until they are cleared, and clearing takes nothing else"
    )
    func reviewed() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try "name: all\nrecording: { mode: continuous }\n".write(
            toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        try """
        http: { listen: none }
        policies: [ policies/ ]
        cameras:
          front: { main: demo, policy: all, detection: 'off' }
          gone: { main: 'rtsp://127.0.0.1:9/x', policy: all, detection: 'off' }

        """.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        let daemon = try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        for _ in 0..<2 {
            #expect(try daemon.vigil(["record", "front", "--for", "1s"]).status == 0)
            try await daemon.wait("the end of the event") {
                try daemon.json(["events"]).allSatisfy { $0["ended"] is String } && !daemon.json(["events"]).isEmpty
            }
        }
        func unseen() throws -> [Int] { try daemon.json(["events", "--unseen"]).compactMap { $0["id"] as? Int } }
        try await daemon.wait("two events") { try unseen().count == 2 }
        let first = try #require(try unseen().first)
        #expect(try daemon.vigil(["events", "--seen", "\(first)"]).status == 0)
        #expect(try unseen().count == 1 && !unseen().contains(first))
        #expect(try daemon.json(["events", "--cause", "command"]).count == 2)
        #expect(try daemon.json(["events", "--cause", "detection"]).isEmpty)

        try await daemon.wait("a message") {
            try daemon.json(["messages", "--camera", "gone"]).contains { $0["kind"] as? String == "linkFailed" }
        }
        let message = try #require(try daemon.json(["messages", "--camera", "gone"]).first)
        #expect(message["over"] is NSNull && message["remedy"] is String)
        let (events, clips) = (try daemon.json(["events"]).count, try daemon.json(["clips"]).count)
        let id = try #require(message["id"] as? Int)
        #expect(try daemon.vigil(["messages", "--clear", "\(id)"]).output == "1 message cleared\n")
        #expect(try daemon.json(["messages"]).allSatisfy { $0["id"] as? Int != id })
        #expect(try daemon.vigil(["messages", "--clear-all"]).status == 0)
        #expect(try daemon.json(["events"]).count == events && daemon.json(["clips"]).count >= clips)
        #expect(daemon.end() == 0)
    }
}
