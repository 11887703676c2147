import Foundation
import Testing

/// Live cameras whose scenes move on a script, each under a policy of its own, recorded by one daemon: what is an event, what
/// is recorded of it, and what is not. The scripts run at the same time, since they run in real time.
@Suite("What cameras notice", .serialized)
struct NoticeTests {
    private static let media = ["still.mp4", "moving.mp4", "still-sub.mp4", "moving-sub.mp4"]

    /// A still scene that moves in these seconds after the first client.
    private static func scene(_ moves: (from: Double, to: Double)..., kind: String = "") -> String {
        "still\(kind).mp4"
            + moves.map { ",switch=moving\(kind).mp4@\($0.from)s,switch=still\(kind).mp4@\($0.to)s" }.joined()
    }

    private static let scenes = [
        "front": scene((8, 10.5)), "gate": scene((8, 11)), "yard": scene((6, 7.5), (13, 14.5), (22, 23.5)),
        "street": scene((6, 34)), "toggle": scene((6, 40)), "door": scene((8, 10)),
        "porch": scene(), "porch-sub": scene((6, 8.5), kind: "-sub"),
    ]

    /// Initial, augmentation, blind, pre-roll, in seconds; the max event length is 10 s everywhere.
    private static let policies: [String: (i: Int, a: Int, b: Int, preRoll: Int, more: String)] = [
        "front": (3, 2, 0, 4, ""), "gate": (3, 2, 0, 4, ", zones: [ sky ]"), "yard": (2, 1, 5, 0, ""),
        "street": (3, 2, 0, 4, ""), "toggle": (4, 2, 0, 4, ""), "door": (2, 1, 9, 0, ""), "porch": (3, 2, 0, 4, ""),
    ]

    private func start(_ folder: String, _ rig: Rig) throws -> RunningDaemon {
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        var cameras = ""
        for (name, policy) in Self.policies.sorted(by: { $0.key < $1.key }) {
            try """
            name: \(name)
            recording: { mode: event, initial: \(policy.i)s, augmentation: \(policy.a)s, maxEventLength: 10s, \
            blind: \(policy.b)s, preRoll: \(policy.preRoll)s\(policy.more) }

            """.write(toFile: folder + "/policies/\(name).yaml", atomically: true, encoding: .utf8)
            cameras += "  \(name):\n    main: \(try #require(rig.urls[name]))\n    policy: \(name)\n"
            cameras +=
                "    zones: { sky: [[0, 0], [1, 0], [1, 0.3], [0, 0.3]], path: [[0, 0.3], [1, 0.3], [1, 0.8], [0, 0.8]] }\n"
            if let sub = rig.urls[name + "-sub"] { cameras += "    sub: \(sub)\n" }
        }
        try "http: { listen: none }\npolicies: [ policies/ ]\ncameras:\n\(cameras)"
            .write(toFile: folder + "/vigil.yaml", atomically: true, encoding: .utf8)
        return try RunningDaemon(folder: folder, config: folder + "/vigil.yaml")
    }

    private func events(_ daemon: RunningDaemon, _ camera: String) throws -> [[String: Any]] {
        try daemon.json(["events", "--camera", camera])
    }

    /// When an event began, in milliseconds since boot, and how long it was.
    private func times(_ event: [String: Any]) throws -> (began: Int, length: Int) {
        let (from, to) = (try #require(event["start"] as? String), try #require(event["end"] as? String))
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let length = try Date(to, strategy: style).timeIntervalSince(Date(from, strategy: style))
        return (try #require(event["startedMonotonicMs"] as? Int), Int((length * 1_000).rounded()))
    }

    @Test(
        "Scripted movement becomes events, clips and reasons exactly as the policies say",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
    func script() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rig = try Rig(media: Self.media, cameras: Self.scenes, in: folder)
        defer { rig.end() }
        let daemon = try start(folder, rig)
        defer { daemon.end(SIGKILL) }
        try await commanded(daemon)
        try await toggled(daemon)
        try await daemon.wait("the second event of the yard") { try events(daemon, "yard").count == 2 }
        try await substream(daemon, rig)
        try await daemon.wait("the end of the long movement") {
            let all = try events(daemon, "street")
            return all.count >= 3 && all.allSatisfy { $0["ended"] is String }
        }
        for camera in Self.policies.keys.sorted() {
            try await daemon.wait("\(camera) is idle") {
                let trigger = try daemon.json(["state", camera]).first?["trigger"] as? String
                return trigger == "quiet" || trigger == "blind"
            }
        }
        try await noticed(daemon, rig)
        try zoned(daemon)
        try blind(daemon, rig)
        #expect(daemon.end() == 0)
        rig.end()
        try chained(daemon, rig)
    }

    /// An event begins when something moves, with its pre-roll, and ends when it is quiet; its picture can be had.
    private func noticed(_ daemon: RunningDaemon, _ rig: Rig) async throws {
        let all = try events(daemon, "front")
        let suppressed = try daemon.json(["events", "--suppressed", "--camera", "front"])
        #expect(all.count == 1, "\(suppressed)")
        let event = try #require(all.first)
        let moved = try #require(try rig.happened("switch", at: "front").first)
        let (began, length) = try times(event)
        #expect((0...2_000).contains(began - moved), "noticed after \(began - moved) ms")
        // I + A: it moved on within the first window, and no more (T2).
        #expect(event["ended"] as? String == "quiet" && (5_000...5_300).contains(length), "\(event)")
        #expect(event["cause"] as? String == "detection" && event["level"] is Int)
        #expect(event["zones"] as? [String] == ["path"] && (event["detections"] as? Int ?? 0) >= 2)
        let preRoll = try #require(event["preRoll"] as? [String: Any])
        #expect(preRoll["promisedMs"] as? Int == 4_000 && (preRoll["deliveredMs"] as? Int ?? 0) >= 4_000, "\(preRoll)")
        #expect((event["clips"] as? [Int])?.count == 1 && event["picture"] is String)
        let state = try #require(try daemon.json(["state", "front"]).first?["detection"] as? [String: Any])
        #expect(state["stream"] as? String == "main" && (state["decoded"] as? Int ?? 0) > 50 && state["dropped"] is Int)
        let id = try #require(event["id"] as? Int)
        for (width, expected) in [(nil, "640,360"), (160, "160,90")] as [(Int?, String)] {
            let file = daemon.folder + "/\(width ?? 0).jpg"
            let wanted = ["snapshot", "\(id)", "--output", file] + (width.map { ["--width", "\($0)"] } ?? [])
            let made = try daemon.vigil(wanted)
            #expect(made.status == 0, "\(made.errors)")
            let probe = try RunningDaemon.run(
                "/usr/bin/ffprobe",
                ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", file])
            #expect(probe.output.trimmingCharacters(in: .whitespacesAndNewlines) == expected, "\(probe)")
        }
        let none = try daemon.vigil(["snapshot", "4711", "--output", daemon.folder + "/none.jpg"])
        #expect(none.status == 1 && none.errors.contains("4711"), "\(none)")
        let before = try daemon.vigil([
            "snapshot", "front", Date(timeIntervalSinceNow: -3_600).ISO8601Format(), "--output",
            daemon.folder + "/none.jpg",
        ])
        #expect(before.status == 1 && before.errors.contains("front"), "\(before)")
    }

    /// What moves where the policy does not care begins nothing, and is listed.
    private func zoned(_ daemon: RunningDaemon) throws {
        #expect(try events(daemon, "gate").isEmpty)
        let runs = try daemon.json(["events", "--suppressed", "--camera", "gate"])
        #expect(!runs.isEmpty && runs.allSatisfy { $0["why"] as? String == "zone" && $0["event"] is NSNull })
        #expect(runs.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } >= 3)
    }

    /// TC-2.13, ZONEMGMT-2.4: what moves in the blind time begins nothing, what moves after it does.
    private func blind(_ daemon: RunningDaemon, _ rig: Rig) throws {
        let all = try events(daemon, "yard")
        #expect(all.count == 2)
        let moved = try rig.happened("switch", at: "yard")
        #expect(moved.count == 6)
        for (event, moved) in zip(all, [moved.first, moved.dropFirst(4).first]) {
            let (began, length) = try times(event)
            #expect((0...2_000).contains(began - (moved ?? 0)))
            #expect((3_000...3_300).contains(length) && event["ended"] as? String == "quiet", "\(event)")
        }
        let suppressed = try #require(all.first?["suppressed"] as? [[String: Any]])
        #expect(suppressed.contains { $0["why"] as? String == "blind" }, "\(all)")
    }

    /// TC-2.13: no blind time follows an event in which a command took part.
    private func commanded(_ daemon: RunningDaemon) async throws {
        try await daemon.wait("the link") {
            try daemon.json(["state", "door"]).first?["link"] as? String == "streaming"
        }
        #expect(try daemon.vigil(["record", "door", "--for", "2s"]).status == 0)
        try await daemon.wait("a command's event and one of movement") { try events(daemon, "door").count == 2 }
        #expect(try events(daemon, "door").compactMap { $0["cause"] as? String } == ["command", "detection"])
    }

    /// TC-2.12: nothing begins while recording is switched off; switched on while it still moves, an event begins.
    private func toggled(_ daemon: RunningDaemon) async throws {
        try await daemon.wait("an event at the toggle") { try !events(daemon, "toggle").isEmpty }
        #expect(try daemon.vigil(["disable", "toggle"]).status == 0)
        try await daemon.wait(camera: "toggle", coverage: "disabled")
        let before = try events(daemon, "toggle")
        #expect(before.count >= 1 && before.last?["ended"] is String)
        try await Task.sleep(for: .seconds(2))  // It moves all the while, and nothing may come of it.
        #expect(try events(daemon, "toggle").count == before.count)
        #expect(try daemon.vigil(["enable", "toggle"]).status == 0)
        try await daemon.wait("an event after enabling") { try events(daemon, "toggle").count > before.count }
        #expect(try events(daemon, "toggle").last?["cause"] as? String == "detection")
    }

    /// The sub-stream is looked at where there is one; without it the main stream is, and that is told.
    private func substream(_ daemon: RunningDaemon, _ rig: Rig) async throws {
        func detection() throws -> [String: Any] {
            try #require(try daemon.json(["state", "porch"]).first?["detection"] as? [String: Any])
        }
        // Only the sub-stream's scene moved.
        #expect(try events(daemon, "porch").count == 1)
        #expect(try detection()["stream"] as? String == "sub")
        try rig.command("stop porch-sub")
        try await daemon.wait("the main stream instead") {
            try detection()["stream"] as? String == "main" && detection()["substreamFailure"] is String
        }
    }

    /// Movement beyond the max event length is a chain of events, whose clips contain every frame exactly once.
    private func chained(_ daemon: RunningDaemon, _ rig: Rig) throws {
        let clips = try clips(daemon, "street")
        #expect(clips.count >= 3)
        let compared = try RunningDaemon.run(
            "/usr/bin/python3",
            [Rig.folder + "/compare.py", rig.log, "--camera", "street", "--track", "video", "--whole"] + clips)
        #expect(compared.status == 0, "\(compared.output)\(compared.errors)")
    }

    /// The video files of a camera in the order of their recording.
    private func clips(_ daemon: RunningDaemon, _ camera: String) throws -> [String] {
        let folder = daemon.root + "/clips/" + camera
        let files = (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [])
        return files.filter { $0.hasSuffix(".cmfv") }.sorted().map { folder + "/" + $0 }
    }
}
