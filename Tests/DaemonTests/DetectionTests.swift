import Foundation
import Testing

/// Live cameras whose scenes move on a script, each under a policy of its own, recorded by one daemon: what is an event, what
/// is recorded of it, and what is not. The scripts run at the same time, since they run in real time.
@Suite("What cameras notice", .serialized)
struct DetectionTests {
    private static let cameras = ["front", "gate", "street", "porch", "porch-sub"]

    /// Initial, augmentation, pre-roll, in seconds; the max event length is 10 s everywhere.
    private static let policies: [String: (i: Int, a: Int, preRoll: Int, more: String)] = [
        "front": (3, 2, 4, ""), "gate": (3, 2, 4, ", zones: [ sky ]"), "street": (3, 2, 4, ""), "porch": (3, 2, 4, ""),
    ]

    private func start(_ folder: String, _ rig: Rig) throws -> RunningDaemon {
        try FileManager.default.createDirectory(atPath: folder + "/policies", withIntermediateDirectories: true)
        var cameras = ""
        for (name, policy) in Self.policies.sorted(by: { $0.key < $1.key }) {
            try """
            name: \(name)
            recording: { mode: event, initial: \(policy.i)s, augmentation: \(policy.a)s, maxEventLength: 10s, \
            preRoll: \(policy.preRoll)s\(policy.more) }

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
        try daemon.events("camera=\(camera)")
    }

    /// What the detector of a camera does.
    private func state(_ daemon: RunningDaemon, _ camera: String) throws -> [String: Any] {
        try #require(try daemon.state(camera).first?["detection"] as? [String: Any])
    }

    @Test(
        "Scripted movement becomes events, clips and reasons exactly as the policies say",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
    func script() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let scenes = Self.cameras.map { ($0, $0.hasSuffix("-sub") ? "still-sub.mp4" : "still.mp4") }
        let rig = try Rig(
            media: Scene.media + Scene.subMedia, cameras: Dictionary(scenes) { $1 }, in: folder)
        defer { rig.end() }
        let daemon = try start(folder, rig)
        defer { daemon.end(SIGKILL) }
        try await daemon.wait("pre-roll, and a detector that knows the scenes") {
            try daemon.state().allSatisfy { state in
                let (ring, detection) = (state["ring"] as? [String: Any], state["detection"] as? [String: Any])
                return state["link"] as? String == "streaming" && ring?["durationMs"] as? Int ?? 0 >= 4_000
                    && detection?["looked"] as? Int ?? 0 >= 10
            } && state(daemon, "porch")["stream"] as? String == "sub"
        }
        for camera in ["front", "gate"] { try rig.scene(camera).burst() }
        for camera in ["street", "porch-sub"] { try rig.scene(camera).move() }
        try await daemon.wait("an event at the porch") { try !events(daemon, "porch").isEmpty }
        try rig.scene("porch-sub").rest()
        try await daemon.wait("the third event of a long movement") { try events(daemon, "street").count >= 3 }
        try rig.scene("street").rest()
        for camera in Self.policies.keys.sorted() {
            try await daemon.wait("\(camera) is idle") {
                let state = try daemon.state(camera).first
                return state?["trigger"] as? String == "quiet" && state?["recorder"] as? String == "idle"
            }
        }
        try await substream(daemon, rig)
        try await noticed(daemon, rig)
        try zoned(daemon)
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
        let moved = try #require(rig.happened("switch", at: "front").first)
        let began = try #require(event["startedMonotonicMs"] as? Int)
        #expect((0...5_000).contains(began - moved), "noticed after \(began - moved) ms")
        #expect(event["ended"] as? String == "quiet", "\(event)")
        #expect(event["cause"] as? String == "detection" && event["level"] is Int)
        #expect(event["zones"] as? [String] == ["path"] && (event["detections"] as? Int ?? 0) >= 2)
        let preRoll = try #require(event["preRoll"] as? [String: Any])
        #expect(preRoll["promisedMs"] as? Int == 4_000 && (preRoll["deliveredMs"] as? Int ?? 0) >= 4_000, "\(preRoll)")
        #expect((event["clips"] as? [Int])?.count == 1 && event["picture"] is String)
        let state = try state(daemon, "front")
        #expect(state["stream"] as? String == "main" && (state["decoded"] as? Int ?? 0) > 50 && state["dropped"] is Int)
        let id = try #require(event["id"] as? Int)
        #expect(daemon.log.contains("event began: \(id), by a detection"))
        #expect(daemon.log.contains("event ended: \(id), "))
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
        #expect(runs.reduce(0) { $0 + ($1["count"] as? Int ?? 0) } >= 2)
    }

    /// The sub-stream is looked at where there is one; without it the main stream is, and that is told.
    private func substream(_ daemon: RunningDaemon, _ rig: Rig) async throws {
        // Only the sub-stream's scene moved.
        #expect(try !events(daemon, "porch").isEmpty)
        #expect(try state(daemon, "porch")["stream"] as? String == "sub")
        try rig.command("stop porch-sub")
        try await daemon.wait("the main stream instead") {
            let whole = try daemon.state("porch").first
            let substream = whole?["substream"] as? [String: Any]
            return try state(daemon, "porch")["stream"] as? String == "main" && substream?["failure"] is String
                && substream?["link"] as? String == "waiting"
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
