import Foundation
import Testing

@Suite("The clip that is being written, and exports, as a user meets them", .serialized)
struct GrowingClipTests {
    private func running(_ body: (RunningDaemon) async throws -> Void) async throws {
        let folder = try RunningDaemon.freshFolder()
        // The demo's own policy cuts after a minute, which a busy machine may need for a test.
        let file = try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous, maxEventLength: 30s, clipLength: 10m",
            "cameras: { demo: { main: demo, policy: all, detection: 'off' } }")
        let daemon = try RunningDaemon(folder: folder, config: file)
        defer { daemon.discard() }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        try await body(daemon)
    }

    /// Bytes of the first clip's tracks.
    private func bytes(_ daemon: RunningDaemon) throws -> Int {
        let tracks = try #require(try daemon.clips().first?["tracks"] as? [[String: Any]])
        return tracks.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) }
    }

    private func stored(_ daemon: RunningDaemon) throws -> Int {
        let told = try daemon.vigil(["status", "--json"])
        let status = try JSONSerialization.jsonObject(with: Data(told.output.utf8)) as? [String: Any]
        return try #require((status?["storage"] as? [String: Any])?["bytes"] as? Int)
    }

    private func isPicture(_ path: String) -> Bool {
        FileManager.default.contents(atPath: path)?.starts(with: [0xFF, 0xD8, 0xFF]) == true
    }

    @Test("Its size grows in the list and in the totals, it is exported up to its last fragment, and gives pictures")
    func growing() async throws {
        try await running { daemon in
            try await daemon.wait("four seconds that are written") {
                let tracks = try daemon.clips().first?["tracks"] as? [[String: Any]]
                return tracks?.count == 2 && tracks?.allSatisfy { $0["durationMs"] as? Int ?? 0 >= 4_000 } == true
            }
            let clip = try #require(try daemon.clips().first)
            #expect(clip["end"] is NSNull && clip["ended"] is NSNull)
            let before = try bytes(daemon)
            try await daemon.wait("more of it") { try bytes(daemon) > before }
            // Both grow meanwhile, so one is asked before and after the other.
            let (low, total, high) = (try bytes(daemon), try stored(daemon), try bytes(daemon))
            #expect(low <= total && total <= high)
            let movie = daemon.folder + "/x.mp4"
            let from = try #require(clip["start"] as? String)
            let export = try daemon.vigil(["export", "demo", "--from", from, "--to", "now", "-o", movie])
            #expect(export.status == 0, "\(export.errors)")
            let decoded = try RunningDaemon.run(
                "/usr/bin/ffmpeg", ["-v", "warning", "-nostdin", "-i", movie, "-f", "null", "-"])
            #expect(decoded.status == 0 && decoded.errors.isEmpty, "\(decoded.errors)")
            let length = try RunningDaemon.run(
                "/usr/bin/ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", movie])
            let seconds = Double(length.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
            #expect(seconds >= 4)
            let picture = daemon.folder + "/x.jpg"
            let snapshot = try daemon.vigil(["snapshot", "demo", "-o", picture])
            #expect(snapshot.status == 0 && isPicture(picture), "\(snapshot.errors)")
            #expect(try daemon.clips().count == 1)
        }
    }

    @Test(
        "An event in continuous mode names the clips in which it lies, while it lasts and after it, and has its picture"
    )
    func events() async throws {
        try await running { daemon in
            #expect(try daemon.vigil(["record", "demo", "--for", "2s"]).status == 0)
            // Nothing is detected, so no other event is there when the command comes.
            func commanded() throws -> [String: Any]? {
                try daemon.events().first { $0["cause"] as? String == "command" }
            }
            // On a slow machine the first clip may have been cut before.
            try await daemon.wait("an event with its clip") { (try commanded()?["clips"] as? [Int])?.isEmpty == false }
            try await daemon.wait("its end") {
                let ended = try commanded()?["ended"] as? String
                return ended == "limit" || ended == "quiet"
            }
            let event = try #require(try commanded())
            let clips = try #require(event["clips"] as? [Int])
            // The clip may have been cut just then.
            #expect((1...2).contains(clips.count))
            #expect(Set(try daemon.clips().compactMap { $0["id"] as? Int }).isSuperset(of: clips))
            #expect(event["preRoll"] is NSNull)
            let id = try #require(event["id"] as? Int)
            let table = try daemon.vigil(["events"])
            #expect(table.output.contains("command"))
            let picture = daemon.folder + "/x.jpg"
            let snapshot = try daemon.vigil(["snapshot", "\(id)", "-o", picture])
            #expect(snapshot.status == 0 && isPicture(picture), "\(snapshot.errors)")
        }
    }

    /// All files below a folder with their sizes, but for those of the database and of the running process.
    private func listing(_ root: String) throws -> [String: Int] {
        var files: [String: Int] = [:]
        let walker = try #require(FileManager.default.enumerator(atPath: root))
        while let path = walker.nextObject() as? String {
            guard !path.hasPrefix("catalog.sqlite") else { continue }
            let facts = try FileManager.default.attributesOfItem(atPath: root + "/" + path)
            files[path] = facts[.type] as? FileAttributeType == .typeRegular ? facts[.size] as? Int : -1
        }
        return files
    }

    @Test("A kill during an export leaves nothing behind: the root is as it was before")
    func killed() async throws {
        try await running { daemon in
            try await daemon.wait("two seconds that are written") {
                let tracks = try daemon.clips().first?["tracks"] as? [[String: Any]]
                return tracks?.first?["durationMs"] as? Int ?? 0 >= 2_000
            }
            #expect(try daemon.vigil(["disable", "demo"]).status == 0)
            try await daemon.wait("a closed clip") {
                try daemon.clips().allSatisfy { $0["ended"] as? String == "disabled" }
            }
            let clip = try #require(try daemon.clips().first)
            let (from, to) = (try #require(clip["start"] as? String), try #require(clip["end"] as? String))
            let before = try listing(daemon.root)
            #expect(before.contains { $0.key.hasSuffix(".cmfv") })
            // A reader that takes a few bytes a second, so that the export is under way when the daemon dies.
            let reader = Process()
            reader.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
            reader.arguments = [
                "-sS", "--limit-rate", "1000", "--unix-socket", daemon.socket, "-o", daemon.folder + "/torn.mp4",
                "http://vigil/v1/cameras/demo/export?from=\(from)&to=\(to)",
            ]
            try reader.run()
            try await daemon.wait("the first bytes of the export") {
                let size = try FileManager.default.attributesOfItem(atPath: daemon.folder + "/torn.mp4")[.size]
                return size as? Int ?? 0 > 0
            }
            #expect(try listing(daemon.root) == before)
            daemon.end(SIGKILL)
            reader.terminate()
            reader.waitUntilExit()
            #expect(try listing(daemon.root) == before)
            let check = try RunningDaemon.run(RunningDaemon.program, ["fsck", "--root", daemon.root, "--deep"])
            #expect(check.status == 0, "\(check.output)\(check.errors)")
        }
    }
}
