import Foundation
import Testing

@Suite("Changes of policies while a camera records", .serialized)
struct PolicyChangeTests {
    private static let policy = "name: all\nrecording: { mode: continuous, clipLength: 10m, preRoll: 5s }\n"

    private func start(_ folder: String, _ rig: Rig) throws -> RunningDaemon {
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try Self.policy.write(toFile: folder + "/policies/all.yaml", atomically: true, encoding: .utf8)
        try """
        http: { listen: none }
        policies: [ policies/ ]
        cameras: { front: { main: \(rig.url), policy: all, detection: 'off' } }

        """.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        return try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
    }

    private func clip(_ daemon: RunningDaemon) throws -> Int? {
        try daemon.state("front").first?["clip"] as? Int
    }

    @Test(
        "A change by command or by hand takes effect at once, loses no frame, and is told with who made it",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
    func atOnce() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rig = try Rig("h264-aac.mp4", in: folder)
        defer { rig.end() }
        let daemon = try start(folder, rig)
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "recorded")
        try await daemon.wait("a clip") { try clip(daemon) != nil }
        let first = try #require(try clip(daemon))
        var latest = first
        var revisions = [try daemon.revision(of: "all")]

        // By command: the sensitivity, then from continuous to event mode in the middle of an event, and back.
        #expect(try daemon.vigil(["policy", "set", "all", "recording.sensitivity", "10"]).status == 0)
        revisions.append(try daemon.revision(of: "all"))
        #expect(try daemon.vigil(["record", "front", "--for", "60s"]).status == 0)
        for mode in ["event", "continuous"] {
            #expect(try daemon.vigil(["policy", "set", "all", "recording.mode", mode]).status == 0)
            try await daemon.wait("mode \(mode)") {
                try daemon.state("front").first?["mode"] as? String == mode
            }
            revisions.append(try daemon.revision(of: "all"))
            if mode == "event" {
                // From the next key frame on the event has a clip of its own.
                try await daemon.wait("the event's clip") { try clip(daemon).map { $0 != first } ?? false }
                latest = try #require(try clip(daemon))
            }
            #expect(try clip(daemon) == latest)
        }
        // By hand, as an editor would.
        let file = folder + "/policies/all.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing("preRoll: 5s", with: "preRoll: 7s").write(toFile: file, atomically: true, encoding: .utf8)
        try await daemon.wait("the change by hand") { try daemon.revision(of: "all") != revisions.last }
        revisions.append(try daemon.revision(of: "all"))
        #expect(zip(revisions, revisions.dropFirst()).allSatisfy { $0 != $1 })
        #expect(try clip(daemon) == latest)

        // What would break another part of the configuration is refused, and its file stays as it is.
        let refused = try daemon.vigil(["policy", "set", "all", "recording.zones", "[ door ]"])
        #expect(refused.status == 1 && refused.errors.contains("zone \"door\""), "\(refused.errors)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("door") == false)

        try await daemon.wait("all changes told") { daemon.log.contains("a changed file") }
        let story = daemon.log
        for (old, new) in zip(revisions, revisions.dropFirst()) { #expect(story.contains(old) && story.contains(new)) }
        #expect(story.contains("by uid \(getuid()), pid ") || story.contains("(uid \(getuid()), pid "))
        #expect(daemon.end() == 0)
        try await wholeClips(daemon, rig)
    }

    /// The recording is two clips with every frame that the camera sent in their time, each once.
    private func wholeClips(_ daemon: RunningDaemon, _ rig: Rig) async throws {
        let files = (FileManager.default.enumerator(atPath: daemon.root + "/clips")?.allObjects as? [String] ?? [])
            .filter { $0.hasSuffix(".cmfv") }.sorted()
        #expect(files.count == 2)
        let compared = try RunningDaemon.run(
            "/usr/bin/python3",
            [Rig.folder + "/compare.py", rig.log, "--camera", "front", "--track", "video", "--whole"]
                + files.map { daemon.root + "/clips/" + $0 })
        #expect(compared.status == 0, "\(compared.output)\(compared.errors)")
    }
}
