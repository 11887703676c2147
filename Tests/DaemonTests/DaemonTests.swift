import Foundation
import Testing

@Suite("The daemon as a user meets it", .serialized)
struct DaemonTests {
    @Test("The demo records; its clips, state and export are what the interface promises, and its storage is clean")
    func demo() async throws {
        let folder = try RunningDaemon.freshFolder()
        let notified = try Notified(in: folder)
        defer { notified.end() }
        let daemon = try RunningDaemon(folder: folder, environment: ["NOTIFY_SOCKET": notified.path])
        defer { daemon.discard() }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        // The service manager was asked for time before the catalog was opened, and told when all was ready.
        #expect(notified.messages.first?.hasPrefix("EXTEND_TIMEOUT_USEC=") == true, "\(notified.messages)")
        #expect(notified.messages.dropFirst().contains { $0.contains("READY=1") }, "\(notified.messages)")
        #expect(try daemon.vigil(["record", "demo", "--for", "2s"]).status == 0)
        // A toggle closes the clip, so that there is something to export.
        try await daemon.wait("three seconds of media") {
            let start = try daemon.clips().first?["startedMonotonicMs"] as? Int ?? .max
            return Rig.now() > start + 3_000
        }
        #expect(try daemon.vigil(["disable", "demo"]).status == 0)
        try await daemon.wait(camera: "demo", coverage: "disabled")
        try await daemon.wait("a closed clip") {
            try daemon.clips().first?["ended"] as? String == "disabled"
        }
        let clip = try #require(try daemon.clips().first)
        let names: Set<String> = [
            "id", "camera", "start", "end", "startedMonotonicMs", "bootId", "cause", "ended", "chainedTo", "policy",
            "policyRevision", "preRoll", "tracks",
        ]
        #expect(names.isSubset(of: Set(clip.keys)))
        let tracks = try #require(clip["tracks"] as? [[String: Any]])
        #expect(tracks.compactMap { $0["kind"] as? String } == ["video", "audio"])
        #expect((tracks.first?["durationMs"] as? Int ?? 0) >= 2_000)
        #expect(try daemon.vigil(["protect", "1"]).status == 0)
        #expect(try daemon.clips().first?["protected"] as? Bool == true)
        let movie = daemon.folder + "/x.mp4"
        let (from, to) = (try #require(clip["start"] as? String), try #require(clip["end"] as? String))
        let export = try daemon.vigil(["export", "demo", "--from", from, "--to", to, "-o", movie])
        #expect(export.status == 0, "\(export.errors)")
        let decoded = try RunningDaemon.run(
            "/usr/bin/ffmpeg", ["-v", "warning", "-nostdin", "-i", movie, "-f", "null", "-"])
        #expect(decoded.status == 0 && decoded.errors.isEmpty, "\(decoded.errors)")
        #expect(daemon.end() == 0)
        let check = try RunningDaemon.run(RunningDaemon.program, ["fsck", "--root", daemon.root, "--deep"])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test(
        "Toggles and privacy outlive a restart; a kill loses no clip but the fragment in flight; a second daemon is refused"
    )
    func survives() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try RunningDaemon(folder: folder)
        try await first.wait(camera: "demo", coverage: "recorded")
        let second = try RunningDaemon.run(
            RunningDaemon.program,
            ["run", "--demo", "--listen", "none", "--root", first.root, "--socket", folder + "/s2"])
        #expect(second.status == 1 && second.errors.contains("\(first.pid)"))
        try await first.wait("a whole fragment on disk") {
            let files = FileManager.default.enumerator(atPath: first.root + "/clips")
            while let file = files?.nextObject() as? String {
                let size = try? FileManager.default.attributesOfItem(atPath: first.root + "/clips/" + file)[.size]
                if file.hasSuffix(".cmfv"), (size as? Int ?? 0) > 20_000 { return true }
            }
            return false
        }
        first.end(SIGKILL)
        let again = try RunningDaemon(folder: folder)
        try await again.wait(camera: "demo", coverage: "recorded")
        let recovered = try again.clips().first { $0["ended"] as? String == "interrupted" }
        #expect(recovered != nil)
        #expect(try again.vigil(["privacy", "demo", "on"]).status == 0)
        try await again.wait(camera: "demo", coverage: "privacy")
        let refused = try again.vigil(["record", "demo", "--for", "5s"])
        #expect(refused.status == 1 && refused.errors.contains("privacy"))
        #expect(again.end() == 0)
        let third = try RunningDaemon(folder: folder)
        try await third.wait(camera: "demo", coverage: "privacy")
        #expect(try third.vigil(["privacy", "demo", "off"]).status == 0)
        try await third.wait(camera: "demo", coverage: "recorded")
        #expect(third.end() == 0)
        let check = try RunningDaemon.run(RunningDaemon.program, ["fsck", "--root", third.root, "--deep"])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test("Each command is answered when the camera has taken it, and the journal names who asked")
    func asked() async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer { daemon.discard() }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        for command in [
            ["record", "demo", "--for", "90s"], ["trigger", "demo", "--source", "gate", "--on"],
            ["trigger", "demo", "--source", "gate", "--off"], ["trigger", "demo"], ["disable", "demo"],
        ] {
            let answer = try daemon.vigil(command)
            #expect(answer.status == 0, "\(command): \(answer.errors)")
        }
        // The very next question shows what the last command changed.
        #expect(try daemon.state("demo").first?["enabled"] as? Bool == false)
        let refused = try daemon.vigil(["record", "demo"])
        #expect(refused.status == 1 && refused.errors.contains("the recording toggle is off"), "\(refused.errors)")
        let by = "by uid \(getuid()), pid "
        for line in [
            "command taken: record, for 90000 ms, \(by)", "command taken: trigger on, gate, for 60000 ms, \(by)",
            "command taken: trigger off, gate, \(by)", "command taken: trigger, level 1, \(by)",
            "recording disabled: \(by)", "command refused: record, disabled, asked for \(by)",
        ] {
            try await daemon.wait(line) { daemon.log.contains(line) }
        }
        #expect(daemon.end() == 0)
    }

    @Test("A policy is changed while it runs: a good change takes effect without a restart, a bad one changes nothing")
    func policies() async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer { daemon.discard() }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        let bad = try daemon.vigil(["policy", "set", "demo", "recording.maxEventLength", "61s"])
        #expect(bad.status == 1)
        #expect(try daemon.state("demo").first?["mode"] as? String == "continuous")
        let good = try daemon.vigil(["policy", "set", "demo", "recording.mode", "off"])
        #expect(good.status == 0, "\(good.errors)")
        try await daemon.wait(camera: "demo", coverage: "offByPolicy")
        let file = daemon.root + "/config/policies/demo.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("mode: \"off\"") && text.hasPrefix("# Records around the clock"))
        // By hand, as an editor would; it is read by itself.
        for mode in ["nonsense", "continuous"] {
            let changed = text.replacing("mode: \"off\"", with: "mode: \(mode)")
            try changed.write(toFile: file, atomically: true, encoding: .utf8)
        }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        #expect(daemon.end() == 0)
    }

    @Test("An age that the disk cannot hold at the measured rate is refused with the sum, and nothing changes")
    func measured() async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer { daemon.discard() }
        try await daemon.wait(camera: "demo", coverage: "recorded")
        // Nothing is measured yet, so nothing can be said against it.
        #expect(try daemon.vigil(["policy", "check", "--all"]).status == 0)
        try await daemon.wait("enough media for a bit rate") {
            let start = try daemon.clips().first?["startedMonotonicMs"] as? Int ?? .max
            return Rig.now() > start + 12_000
        }
        #expect(try daemon.vigil(["disable", "demo"]).status == 0)
        try await daemon.wait("a closed clip") {
            try daemon.clips().contains { $0["ended"] as? String == "disabled" }
        }
        // A quota keeps the sum within the disk whatever the age; so it goes.
        #expect(try daemon.vigil(["policy", "set", "demo", "retention.maxSize"]).status == 0)
        let file = daemon.root + "/config/policies/demo.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let refused = try daemon.vigil(["policy", "set", "demo", "retention.continuous", "36500d"])
        #expect(refused.status == 1 && refused.errors.contains("there is room for"), "\(refused)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        let candidate = daemon.folder + "/candidate.yaml"
        try text.replacing(/continuous: [0-9a-z]+/, with: "continuous: 36500d")
            .write(toFile: candidate, atomically: true, encoding: .utf8)
        let check = try daemon.vigil(["policy", "check", candidate])
        #expect(check.status == 1 && check.errors.contains("[retention-disk]"), "\(check)")
        #expect(check.errors.contains("demo, retention.continuous: ") && check.errors.contains("disk: "))
        // By hand: refused too, and the last good one stays in force.
        try text.replacing(/continuous: [0-9a-z]+/, with: "continuous: 36500d")
            .write(toFile: file, atomically: true, encoding: .utf8)
        let reload = try daemon.vigil(["reload"])
        #expect(reload.status == 1 && reload.errors.contains("there is room for"), "\(reload)")
        #expect(try daemon.vigil(["policy", "check", "demo"]).status == 0)
        #expect(daemon.end() == 0)
    }

    @Test(
        "Four live cameras are recorded with every frame exactly once, in clips that join and decode without a word",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
    func cameras() async throws {
        let bench = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("bench/record.py").path
        // Status 3: GStreamer's server died, so there was nothing to judge.
        var result = (status: Int32(3), output: "", errors: "")
        for _ in 0..<3 where result.status == 3 {
            result = try await RunningDaemon.aside {
                try RunningDaemon.run(
                    "/usr/bin/python3",
                    [bench, "--vigil", RunningDaemon.program, "--seconds", "35", "--clip", "10s"])
            }
        }
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
}
