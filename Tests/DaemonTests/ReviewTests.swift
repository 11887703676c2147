import Foundation
import Testing

@Suite("What is reviewed, cleared and deleted", .serialized)
struct ReviewTests {
    @Test("A clip is deleted by command, with who in the journal, and not while it is written, protected or read")
    func deleted() async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer { daemon.discard() }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        let open = try #require(try daemon.clips().first?["id"] as? Int)
        let written = try daemon.vigil(["delete", "--yes", "\(open)"])
        #expect(written.status == 1 && written.errors.contains("it is being written"), "\(written)")
        #expect(try daemon.vigil(["delete", "\(open)"]).errors.contains("--yes"))
        try await daemon.wait("a second of media") {
            let start = try daemon.clips().first?["startedMonotonicMs"] as? Int ?? .max
            return Rig.now() > start + 2_000
        }
        #expect(try daemon.vigil(["disable", "demo"]).status == 0)
        try await daemon.wait("a closed clip") { try daemon.clips().first?["ended"] is String }
        let clip = try #require(try daemon.clips().first)
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
        #expect(try daemon.clips().isEmpty)
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
        "Events are unseen until somebody has marked them; messages stay until somebody clears them, whom the journal names"
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
          front: { main: demo, policy: all }
          gone: { main: 'rtsp://127.0.0.1:9/x', policy: all, detection: 'off' }

        """.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        let daemon = try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        #expect(try daemon.vigil(["record", "front", "--for", "1s"]).status == 0)
        func events(_ more: String...) throws -> Set<Int> {
            Set(try daemon.json(["events"] + more).compactMap { $0["id"] as? Int })
        }
        // The demo moves by itself, so that other events follow.
        try await daemon.wait("two events") { try events("--unseen").count >= 2 }
        let unseen = try events("--unseen")
        let first = try #require(unseen.min())
        #expect(try daemon.vigil(["events", "--seen", "\(first)"]).status == 0)
        let rest = try events("--unseen")
        #expect(!rest.contains(first) && rest.isSuperset(of: unseen.subtracting([first])))
        #expect(try daemon.events().first { $0["id"] as? Int == first }?["seen"] as? Bool == true)
        let (asked, moved) = (try events("--cause", "command"), try events("--cause", "detection"))
        #expect(asked.isDisjoint(with: moved) && (asked.union(moved)).isSuperset(of: unseen))

        try await daemon.wait("a message") {
            try daemon.json(["messages", "--camera", "gone"]).contains { $0["kind"] as? String == "linkFailed" }
        }
        let message = try #require(
            try daemon.json(["messages", "--camera", "gone"]).first { $0["kind"] as? String == "linkFailed" })
        #expect(message["over"] is NSNull && message["remedy"] is String)
        let (known, clips) = (try events(), try daemon.clips().count)
        let id = try #require(message["id"] as? Int)
        #expect(try daemon.vigil(["messages", "--clear", "\(id)"]).output == "1 message cleared\n")
        #expect(try daemon.json(["messages"]).allSatisfy { $0["id"] as? Int != id })
        try await daemon.wait("who cleared it, in the journal") {
            daemon.log.contains("messages cleared: 1, linkFailed, by uid \(getuid())")
        }
        // The camera still fails, and that is said again.
        try await daemon.wait("a message to clear") { try !daemon.json(["messages", "--camera", "gone"]).isEmpty }
        #expect(try daemon.vigil(["messages", "--clear-all"]).status == 0)
        try await daemon.wait("who cleared all, in the journal") {
            daemon.log.contains(try Regex("messages cleared: [0-9]+, all, by uid \(getuid())"))
        }
        #expect(try events().isSuperset(of: known) && daemon.clips().count >= clips)
        #expect(daemon.end() == 0)
    }

    @Test("What a trigger says was recognised is kept with its event at once, told once, and finds it again")
    func labelled() async throws {
        let folder = try RunningDaemon.freshFolder()
        let file = try RunningDaemon.configuration(
            in: folder, recording: "mode: event", "cameras: { front: { main: demo, policy: all, detection: 'off' } }")
        let daemon = try RunningDaemon(folder: folder, config: file)
        defer { daemon.discard() }
        try await daemon.wait(camera: "front", coverage: "idle")
        let quiet = try daemon.vigil(["trigger", "front", "--source", "gate", "--off", "--label", "person"])
        #expect(quiet.status == 2 && quiet.errors.contains("a source that is off has no label"), "\(quiet)")
        let outside = try daemon.vigil(["trigger", "front", "--label", "person", "--box", "0.5,0.5,0.6,0.1"])
        #expect(outside.status == 2 && outside.errors.contains("box does not lie in the picture"), "\(outside)")
        #expect(try daemon.events().isEmpty)

        func trigger(_ more: String...) throws -> Int32 { try daemon.vigil(["trigger", "front"] + more).status }
        #expect(try trigger("--label", "person", "--box", "0.25,0.5,0.125,0.25") == 0)
        #expect(try trigger("--label", "person") == 0)
        #expect(try trigger("--source", "dog-detector", "--on", "--label", "dog") == 0)
        try await daemon.wait("two labels of the active event") {
            (try daemon.events().first?["labels"] as? [Any])?.count == 2
        }
        let event = try #require(try daemon.events().first)
        let labels = try #require(event["labels"] as? [[String: Any]])
        #expect(event["end"] is NSNull && labels.map { $0["name"] as? String } == ["person", "dog"], "\(event)")
        #expect(
            labels[0]["box"] as? [String: Double] == ["x": 0.25, "y": 0.5, "width": 0.125, "height": 0.25]
                && labels[1]["box"] is NSNull)
        #expect(try daemon.json(["events", "--label", "person"]).count == 1)
        #expect(try daemon.json(["events", "--label", "cat,dog"]).count == 1)
        #expect(try daemon.json(["events", "--label", "cat"]).isEmpty)
        #expect(try daemon.vigil(["events"]).output.contains("person dog"))
        let id = try #require(event["id"] as? Int)
        try await daemon.wait("the journal") { daemon.log.contains("event labelled: \(id), dog, told by") }
        #expect(daemon.log.components(separatedBy: "event labelled: \(id), person, told by").count == 2)
        // Sixteen names in all.
        for number in 0..<14 { #expect(try trigger("--label", "thing-\(number)") == 0) }
        let full = try daemon.vigil(["trigger", "front", "--source", "late-gate", "--on", "--label", "one-more"])
        #expect(full.status == 1 && full.errors.contains("16 labels of other names"), "\(full)")
        #expect(try daemon.vigil(["trigger", "front", "--source", "dog-detector", "--off"]).status == 0)
        // What does not count keeps nothing.
        #expect(try daemon.vigil(["disable", "front"]).status == 0)
        #expect(try trigger("--label", "cat") == 0)
        #expect(try daemon.json(["events", "--label", "cat"]).isEmpty)
        #expect(daemon.end() == 0)
        // What was refused was not told to the camera.
        #expect(daemon.log.contains("dog-detector") && !daemon.log.contains("late-gate"))
    }
}
