import Foundation
import Testing

@Suite("Looking back on live cameras", .serialized)
struct ExplainTests {
    @Test(
        "Coverage is a partition, and each moment's label and reason are those that were played",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
    func toggles() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rig = try Rig("h264-aac.mp4", in: folder)
        defer { rig.end() }
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        try "name: moving\nrecording: { mode: event, initial: 2s, maxEventLength: 10s, preRoll: 0s }\n".write(
            toFile: folder + "/policies/moving.yaml", atomically: true, encoding: .utf8)
        let configuration = """
            http: { listen: none }
            policies: [ policies/ ]
            cameras: { front: { main: \(rig.url), policy: moving, detection: 'off' } }

            """
        try configuration.write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        let begin = Date()
        let daemon = try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
        defer { daemon.end(SIGKILL) }
        try await daemon.wait(camera: "front", coverage: "idle")
        #expect(try daemon.vigil(["record", "front", "--for", "4s"]).status == 0)
        // It lasts some seconds only, which a busy machine may miss to see; that it was recorded is told below.
        try await daemon.wait("the event's end") { try daemon.events().contains { $0["end"] is String } }
        try await daemon.wait(camera: "front", coverage: "idle")
        for (words, label) in [
            (["disable", "front"], "disabled"), (["enable", "front"], "idle"),
            (["privacy", "front", "on"], "privacy"), (["privacy", "front", "off"], "idle"),
        ] {
            #expect(try daemon.vigil(words).status == 0)
            try await daemon.wait(camera: "front", coverage: label)
        }
        let time = ["--from", stamp(begin.addingTimeInterval(-60)), "--to", stamp(Date())]
        let stretches = try await stretches(daemon, time)
        let labels = stretches.compactMap { $0["label"] as? String }
        // Before the camera was configured there is no label; between two that are played the link may be made anew.
        #expect(stretches.first?["label"] is NSNull)
        // A clip begins with a key frame, which may be the first that came: then no time before it was idle.
        let played = labels.filter { $0 != "linkLost" }.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        #expect(played.drop { $0 == "idle" } == ["recorded", "idle", "disabled", "idle", "privacy", "idle"])
        for stretch in stretches {
            let label = stretch["label"] as? String ?? "notConfigured"
            let answer = try daemon.vigil(["why", "front", stretch["from"] as? String ?? "", "--json"])
            let told = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
            #expect(told?["label"] as? String == label, "\(answer.output)\(answer.errors)")
            #expect((told?["clip"] is Int) == (label == "recorded"))
        }
        // A stop, and a camera that is taken out while Vigil is down, are told from the next start on.
        #expect(daemon.end() == 0)
        try configuration.replacing("front:", with: "back:").write(
            toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        let again = try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
        defer { again.end(SIGKILL) }
        try await again.wait(camera: "back", coverage: "idle")
        let later = try await self.stretches(again, ["--from", stamp(begin), "--to", "now"])
        #expect(later.suffix(2).map { $0["label"] as? String } == ["recorderDown", nil])
        #expect(again.end() == 0)
    }

    /// The coverage of the camera, which must be a partition of the time.
    private func stretches(_ daemon: RunningDaemon, _ time: [String]) async throws -> [[String: Any]] {
        let answer = try daemon.vigil(["coverage", "front", "--json"] + time)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any], "\(answer.errors)")
        let stretches = try #require(report["stretches"] as? [[String: Any]])
        #expect(stretches.first?["from"] as? String == report["from"] as? String)
        #expect(stretches.last?["to"] as? String == report["to"] as? String)
        for (left, right) in zip(stretches, stretches.dropFirst()) {
            #expect(left["to"] as? String == right["from"] as? String)
            #expect(left["label"] as? String != right["label"] as? String)
        }
        return stretches
    }

    private func stamp(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    @Test(
        "Why is right at random moments of a life with commands, switches, losses and a kill, with a daemon and from the trace alone",
        .enabled(
            if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/lib/systemd/systemd-journald"),
            "needs root and a journald of its own"))
    func moments() async throws {
        let bench = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("bench/why.py").path
        // Status 3: GStreamer's server died, so there was nothing to judge.
        var result = (status: Int32(3), output: "", errors: "")
        for _ in 0..<3 where result.status == 3 {
            result = try await RunningDaemon.aside {
                try RunningDaemon.run(
                    "/usr/bin/python3", [bench, "--vigil", RunningDaemon.program, "--moments", "20"])
            }
        }
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
}
