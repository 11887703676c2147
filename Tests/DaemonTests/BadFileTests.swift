import Foundation
import Testing

@Suite(
    "Files that fail under a daemon", .serialized, .enabled(if: FailingDisk.isPossible, "needs a C compiler"))
struct BadFileTests {
    /// A folder, and a disk that can be made to fail.
    private func site(_ body: (_ folder: String, _ disk: FailingDisk) async throws -> Void) async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder, FailingDisk(folder: folder))
    }

    /// Runs a daemon on the folder while `body` looks at it.
    private func running(
        _ folder: String, _ environment: [String: String] = [:], end: Int32 = SIGTERM,
        _ body: (RunningDaemon) async throws -> Void
    ) async throws {
        let daemon = try RunningDaemon(folder: folder, environment: environment)
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        try await body(daemon)
        daemon.end(end)
    }

    private func durationMs(_ clip: [String: Any]) -> Int {
        (clip["tracks"] as? [[String: Any]])?.compactMap { $0["durationMs"] as? Int }.min() ?? 0
    }

    /// Paths of the videos, the oldest first.
    private func videos(_ folder: String) -> [String] {
        let root = folder + "/data/clips"
        return (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? [])
            .filter { $0.hasSuffix(".cmfv") }.sorted()
    }

    @Test(
        "A file of an open clip that cannot be read, opened or synced is told, and the daemon starts and records (H5)",
        arguments: [FailingDisk.Call.read, .sync, .open])
    func start(_ call: FailingDisk.Call) async throws {
        try await site { folder, disk in
            try await running(folder, end: SIGKILL) { daemon in
                try await daemon.wait("two seconds that are written") {
                    durationMs(try daemon.clips().first ?? [:]) >= 2_000
                }
            }
            let video = try #require(videos(folder).first)
            try await running(folder, disk.environment(call, String(video.suffix(30)))) { daemon in
                let clips = try daemon.clips()
                #expect(clips.count >= 2 && clips.contains { $0["ended"] as? String == "interrupted" })
                #expect(daemon.log.contains(video.suffix(30)), "\(daemon.log)")
                #expect(daemon.log.contains("Input/output error"), "\(daemon.log)")
                #expect(FileManager.default.fileExists(atPath: folder + "/data/clips/" + video))
            }
        }
    }

    @Test(
        "A catalog that is damaged under the daemon is told to whoever asks, with the remedy, and recording goes on (H5)"
    )
    func damaged() async throws {
        try await site { folder, _ in
            try await running(folder, end: SIGKILL) { daemon in
                let clips = try daemon.clips()
                #expect(!clips.isEmpty)
                let path = folder + "/data/catalog.sqlite"
                let bytes = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
                for name in [path, path + "-wal"] {
                    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: name))
                    try handle.write(contentsOf: Data(repeating: 0x5A, count: max(bytes, 1 << 20)))
                    try handle.close()
                }
                var told = (status: 0, text: "")
                try await daemon.wait("an answer that tells") {
                    told = try daemon.ask("GET", "/v1/clips?limit=1000")
                    return told.status != 200
                }
                #expect(told.text.contains("catalog") && !told.text.contains("unforeseen"), "\(told)")
                #expect(told.text.contains("--rebuild"), "\(told)")
                #expect(daemon.log.contains("request failed"), "\(daemon.log)")
            }
        }
    }

    @Test("What stands among the open clips in the place of a file is set aside, and the daemon starts (H5)")
    func strange() async throws {
        try await site { folder, _ in
            try await running(folder, end: SIGKILL) { daemon in
                try await daemon.wait("a second that is written") {
                    durationMs(try daemon.clips().first ?? [:]) >= 1_000
                }
            }
            let path = folder + "/data/clips/" + (try #require(videos(folder).first))
            try FileManager.default.removeItem(atPath: path)
            try #require(mkfifo(path, 0o600) == 0)
            try await running(folder) { daemon in
                #expect(daemon.log.contains("no plain file"), "\(daemon.log)")
                #expect(!FileManager.default.fileExists(atPath: path))
                let export = try daemon.vigil(["export", "demo", "--from", "-1h", "--to", "now", "-o", "-"])
                #expect(export.status == 0, "\(export.errors)")
            }
        }
    }

    @Test(
        "A catalog that is removed or replaced under a daemon ends it with the reason, and the next one records on",
        arguments: [true, false])
    func catalogGone(isReplaced: Bool) async throws {
        try await site { folder, _ in
            let path = folder + "/data/catalog.sqlite"
            try await running(folder) { _ in }
            try FileManager.default.copyItem(atPath: path, toPath: folder + "/copy")
            let daemon = try RunningDaemon(folder: folder)
            defer { daemon.end(SIGKILL) }
            try await daemon.wait(camera: "demo", coverage: "recorded")
            try FileManager.default.moveItem(atPath: path, toPath: folder + "/old")
            if isReplaced { try FileManager.default.moveItem(atPath: folder + "/copy", toPath: path) }
            try await daemon.wait("the daemon's end") { !daemon.isRunning }
            #expect(daemon.end() == 1)
            #expect(
                daemon.log.contains("catalog.sqlite was replaced or removed while Vigil had it open"), "\(daemon.log)")
            let archive = videos(folder)
            try await running(folder) { _ in }
            // What the new catalog does not know is where it was, or set aside: a rebuild has all of it.
            let rebuilt = try RunningDaemon.run(
                RunningDaemon.program, ["fsck", "--rebuild", "--root", folder + "/data", "--json"])
            #expect(rebuilt.status == 0, "\(rebuilt.output) \(rebuilt.errors)")
            #expect(Set(archive).isSubset(of: videos(folder)))
        }
    }

    /// Makes two closed clips of some seconds and lets the camera rest.
    private func twoClips(_ folder: String) async throws {
        try await running(folder) { daemon in
            for count in 1...2 {
                try await daemon.wait("four seconds of clip \(count)") {
                    let clips = try daemon.clips()
                    return clips.count == count && durationMs(clips.last ?? [:]) >= 4_000
                }
                #expect(try daemon.vigil(["disable", "demo"]).status == 0)
                try await daemon.wait("its end") {
                    try daemon.clips().allSatisfy { $0["ended"] as? String == "disabled" }
                }
                if count == 1 { #expect(try daemon.vigil(["enable", "demo"]).status == 0) }
            }
        }
    }

    /// The length of a movie as ffprobe sees it, in seconds.
    private func seconds(_ movie: String) throws -> Double {
        let answer = try RunningDaemon.run(
            "/usr/bin/ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", movie])
        return Double(answer.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    @Test("An export leaves out a clip that cannot be read, and is empty where reading fails later; it says both (H5)")
    func exported() async throws {
        try await site { folder, disk in
            try await twoClips(folder)
            let whole = folder + "/whole.mp4"
            let part = folder + "/part.mp4"
            let arguments = { ["export", "demo", "--from", "-1h", "--to", "now", "-o", $0] }
            let first = String(try #require(videos(folder).first).suffix(30))
            let daemon = try RunningDaemon(folder: folder)
            defer { daemon.end(SIGKILL) }
            try await daemon.wait("the daemon") { try daemon.vigil(["clips"]).status == 0 }
            #expect(try daemon.vigil(arguments(whole)).status == 0)
            daemon.end()

            // Nothing of the file can be read: the other clip is exported.
            let blind = try RunningDaemon(folder: folder, environment: disk.environment(.read, first))
            defer { blind.end(SIGKILL) }
            try await blind.wait("the daemon") { try blind.vigil(["clips"]).status == 0 }
            let skipped = try blind.vigil(arguments(part))
            #expect(skipped.status == 3 && skipped.errors.contains("left out: clip 1 from "), "\(skipped.errors)")
            #expect(skipped.errors.contains("Input/output error"))
            let (all, rest) = (try seconds(whole), try seconds(part))
            #expect(rest >= 3 && rest <= all - 3, "\(rest) of \(all)")
            try await blind.wait("its words") { blind.log.contains("export incomplete") }
            blind.end()

            // Its media cannot be read, which shows only on the way: as long as before, and it says what is empty.
            let torn = try RunningDaemon(
                folder: folder, environment: disk.environment(.read, first, fromBytes: 8_192))
            defer { torn.end(SIGKILL) }
            try await torn.wait("the daemon") { try torn.vigil(["clips"]).status == 0 }
            let damaged = try torn.vigil(arguments(part) + ["--force"])
            #expect(damaged.status == 3 && damaged.errors.contains("empty in the file: clip 1: "), "\(damaged.errors)")
            #expect(abs(try seconds(part) - all) < 0.1)
            let sizes = try [whole, part].map { try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int }
            // A note at its end says the same for whoever gets the file.
            #expect((sizes[1] ?? 0) > (sizes[0] ?? 0) && (sizes[1] ?? 0) < (sizes[0] ?? 0) + 4_096)
            #expect(try String(contentsOfFile: part, encoding: .isoLatin1).contains("freeVigil-Damaged: clip 1: "))
            // A client that reads no trailers would take it for a good one: it is told by the end of the connection.
            let plain = try RunningDaemon.run(
                "/usr/bin/curl",
                [
                    "-s", "-o", part, "--unix-socket", torn.socket, "-w", "%{http_code} %{exitcode}",
                    "http://vigil/v1/cameras/demo/export?from=2020-01-01T00:00:00Z&to=2099-01-01T00:00:00Z",
                ])
            #expect(plain.output == "200 18", "\(plain)")
            torn.end()
        }
    }

    @Test(
        "A snapshot is of the next clip where the newest cannot be read; where there is no other it says which and why (H5)"
    )
    func pictured() async throws {
        try await site { folder, disk in
            try await twoClips(folder)
            let newest = String(try #require(videos(folder).last).suffix(30))
            let daemon = try RunningDaemon(folder: folder, environment: disk.environment(.read, newest))
            defer { daemon.end(SIGKILL) }
            try await daemon.wait("the daemon") { try daemon.vigil(["clips"]).status == 0 }
            let picture = folder + "/picture.jpg"
            let next = try daemon.vigil(["snapshot", "demo", "now", "-o", picture])
            #expect(next.status == 0, "\(next.errors)")
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: picture)))
            #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF]) && bytes.count > 1_000)
            // Only the clip that cannot be read has this moment.
            let clip = try #require(try daemon.clips().max { $0["id"] as? Int ?? 0 < $1["id"] as? Int ?? 0 })
            let moment = try #require(clip["start"] as? String)
            let refused = try daemon.vigil(["snapshot", "demo", moment, "-o", picture, "--force"])
            #expect(refused.status != 0 && refused.errors.contains("clip 2 cannot be read"), "\(refused.errors)")
            #expect(refused.errors.contains("Input/output error"), "\(refused.errors)")
        }
    }
}
