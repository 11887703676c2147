import Foundation
import Testing

/// What is set for one camera, by the built program.
@Suite("What is set for one camera", .serialized)
struct SettingTests {
    private func start(_ folder: String, _ more: String = "") throws -> RunningDaemon {
        let config = try RunningDaemon.configuration(
            in: folder, recording: "mode: event, sensitivity: 1, maxEventLength: 60s, clipLength: 10m",
            """
            cameras:
              front: { main: demo, policy: all, detection: 'off' }
              back: { main: demo, policy: all, detection: 'off' }
            \(more)
            """)
        return try RunningDaemon(folder: folder, config: config)
    }

    private func lines(_ daemon: RunningDaemon, _ arguments: [String]) throws -> [String: [String: Any]] {
        let answer = try daemon.vigil(["camera"] + arguments + ["--json"])
        #expect(answer.status == 0, "\(answer)")
        let found = try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any]
        var lines: [String: [String: Any]] = [:]
        for line in found?["settings"] as? [[String: Any]] ?? [] { lines[line["key"] as? String ?? ""] = line }
        return lines
    }

    @Test("It holds at once, for that camera alone, over kill -9, is told with who did it, and ends with default")
    func kept() async throws {
        let folder = try RunningDaemon.freshFolder()
        var daemon = try start(folder)
        defer { daemon.discard() }
        try await daemon.wait(camera: "front", coverage: "idle")
        let none = try lines(daemon, ["get", "front"])
        #expect(
            none.mapValues { $0["value"] as? String } == [
                "mode": "event", "sensitivity": "1", "maxEventLength": "1m", "microphone": "on", "recordedSound": "on",
                "rotation": "0", "viewport": "0,0,1,1",
            ])
        #expect(none.values.allSatisfy { $0["since"] == nil && $0["by"] == nil })

        let set = try lines(daemon, ["set", "front", "mode=continuous", "sensitivity=10", "maxEventLength=90s"])
        #expect(set["mode"]?["value"] as? String == "continuous" && set["mode"]?["standard"] as? String == "event")
        #expect(set["maxEventLength"]?["value"] as? String == "1m30s")
        #expect(
            set["sensitivity"]?["since"] is String && (set["sensitivity"]?["by"] as? String)?.contains("uid") == true)
        #expect(set["rotation"]?["since"] == nil)
        try await daemon.wait("front recorded, because its mode is set") {
            let state = try daemon.state("front").first
            return state?["coverage"] as? String == "recorded" && state?["why"] as? String == "continuous mode is set"
        }
        let state = try #require(try daemon.state("front").first)
        #expect(state["mode"] as? String == "continuous", "\(state)")
        #expect((state["settings"] as? [String: String])?["sensitivity"] == "10")
        #expect(try daemon.state("back").first?["coverage"] as? String == "idle")
        try await daemon.wait("the journal says who") {
            daemon.log.contains("setting changed: mode, from event by default, to continuous, by uid")
        }

        daemon.end(SIGKILL)
        daemon = try start(folder)
        try await daemon.wait(camera: "front", coverage: "recorded")
        #expect(try lines(daemon, ["get", "front"])["sensitivity"]?["value"] as? String == "10")
        // What was set, and since when, is part of the explanation; of a moment before it is not.
        let why = try daemon.vigil(["why", "front", "now"])
        #expect(why.output.contains("mode continuous was set for this camera by uid"), "\(why)")

        // One that is not taken leaves all as it is.
        let bad = try daemon.vigil(["camera", "set", "front", "rotation=180", "sensitivity=7"])
        #expect(
            bad.status == 1 && bad.errors.contains("sensitivity is \"7\"") && bad.errors.contains("1, 5 or 10"),
            "\(bad)")
        #expect(try daemon.vigil(["camera", "set", "front", "colour=red"]).errors.contains("colour=red sets nothing"))
        #expect(try lines(daemon, ["get", "front"])["rotation"]?["since"] == nil)
        #expect(try daemon.vigil(["camera", "set", "nobody", "mode=off"]).errors.contains("no camera has this name"))

        let back = try lines(daemon, ["set", "front", "mode=default", "sensitivity=default"])
        #expect(back["mode"]?["value"] as? String == "event" && back["mode"]?["since"] == nil)
        #expect(back["maxEventLength"]?["value"] as? String == "1m30s")
        try await daemon.wait(camera: "front", coverage: "idle")
        #expect(try daemon.vigil(["replay", "--root", daemon.root]).status == 0)
        #expect(daemon.end() == 0)
    }

    @Test(
        "Sound that is switched off is in no clip from then on, and switched on again in the next ones; pictures have no hole"
    )
    func sound() async throws {
        let folder = try RunningDaemon.freshFolder()
        let daemon = try start(folder)
        defer { daemon.discard() }
        try await daemon.wait(camera: "front", coverage: "idle")
        #expect(try daemon.vigil(["camera", "set", "front", "mode=continuous"]).status == 0)
        func clips() throws -> [[String: Any]] { try daemon.clips("camera=front") }
        func kinds(_ clip: [String: Any]?) -> [String] {
            (clip?["tracks"] as? [[String: Any]] ?? []).compactMap { $0["kind"] as? String }.sorted()
        }
        func length(_ clip: [String: Any]?) -> Int {
            (clip?["tracks"] as? [[String: Any]] ?? []).first { $0["kind"] as? String == "video" }?["durationMs"]
                as? Int
                ?? 0
        }
        try await daemon.wait("sound and pictures") { try kinds(clips().last) == ["audio", "video"] }
        #expect(try daemon.vigil(["camera", "set", "front", "recordedSound=off"]).status == 0)
        try await daemon.wait("six seconds of pictures alone") {
            try length(clips().last) >= 6_000 && clips().count == 2
        }
        #expect(try kinds(clips().last) == ["video"])
        #expect(try clips().last?["chainedTo"] as? Int == clips().first?["id"] as? Int)
        // Live there is sound meanwhile.
        let forwarder = try Forwarder(to: daemon.socket)
        defer { forwarder.end() }
        let live = folder + "/live.mp4"
        let movie = forwarder.base + "/v1/cameras/front/live.mp4"
        try await daemon.wait("a live movie with sound") {
            _ = try RunningDaemon.run("/bin/sh", ["-c", "curl -s -m 120 '\(movie)' | head -c 300000 > \(live)"])
            let probe = try RunningDaemon.run(
                "/usr/bin/ffprobe", ["-v", "quiet", "-show_entries", "stream=codec_type", "-of", "csv=p=0", live])
            return probe.output.contains("audio")
        }
        #expect(try daemon.vigil(["camera", "set", "front", "recordedSound=on"]).status == 0)
        try await daemon.wait("sound again") {
            try clips().count == 3 && kinds(clips().last) == ["audio", "video"] && length(clips().last) >= 4_000
        }
        #expect(try daemon.vigil(["disable", "front"]).status == 0)
        try await daemon.wait("the end") { try clips().allSatisfy { !($0["end"] is NSNull) } }
        let closed = try clips()
        #expect(closed.count == 3 && closed.map(kinds) == [["audio", "video"], ["video"], ["audio", "video"]])
        for (clip, next) in zip(closed, closed.dropFirst()) {
            #expect(
                next["chainedTo"] as? Int == clip["id"] as? Int && clip["end"] as? String == next["start"] as? String,
                "\(clip)\n\(next)\n\(daemon.log.suffix(3_000))")
        }
        #expect(daemon.end() == 0)
        let check = try RunningDaemon.run(RunningDaemon.program, ["fsck", "--root", daemon.root, "--deep"])
        #expect(check.status == 0, "\(check)")
    }

    @Test("A microphone that is switched off is silence in clips and live, over a restart, and no clip ends for it")
    func microphone() async throws {
        let folder = try RunningDaemon.freshFolder()
        var daemon = try start(folder)
        defer { daemon.discard() }
        try await daemon.wait(camera: "front", coverage: "idle")
        #expect(try lines(daemon, ["set", "front", "microphone=off"])["microphone"]?["value"] as? String == "off")
        try await daemon.wait("the journal says who") {
            daemon.log.contains("setting changed: microphone, from on by default, to off, by uid")
        }
        // Anew, so that nothing from before is in the pre-roll.
        daemon.end(SIGKILL)
        daemon = try start(folder)
        try await daemon.wait(camera: "front", coverage: "idle")
        let set = try daemon.vigil(["camera", "set", "front", "mode=continuous"])
        #expect(set.status == 0, "\(set)")
        func clips() throws -> [[String: Any]] { try daemon.clips("camera=front") }
        func tracks(_ clip: [String: Any]?) -> [[String: Any]] { clip?["tracks"] as? [[String: Any]] ?? [] }
        func lengthMs() throws -> Int { try tracks(clips().last).compactMap { $0["durationMs"] as? Int }.min() ?? 0 }
        try await daemon.wait("four seconds of both") {
            try tracks(clips().last).count == 2 && lengthMs() >= 4_000
        }
        let forwarder = try Forwarder(to: daemon.socket)
        defer { forwarder.end() }
        let (live, movie) = (folder + "/live.mp4", forwarder.base + "/v1/cameras/front/live.mp4")
        _ = try RunningDaemon.run("/bin/sh", ["-c", "curl -s -m 120 '\(movie)' | head -c 400000 > \(live)"])
        #expect(try loudest(live) == "-91.0", "live")
        let mutedMs = try lengthMs()
        #expect(try lines(daemon, ["set", "front", "microphone=on"])["microphone"]?["value"] as? String == "on")
        try await daemon.wait("sound again") { try lengthMs() >= mutedMs + 6_000 }
        #expect(try daemon.vigil(["disable", "front"]).status == 0)
        try await daemon.wait("the end") { try clips().allSatisfy { !($0["end"] is NSNull) } }
        #expect(try clips().count == 1)
        let file = try #require(
            tracks(clips().first).first { $0["kind"] as? String == "audio" }?["path"] as? String)
        let path = file.hasPrefix("/") ? file : daemon.root + "/" + file
        #expect(try loudest(path, ["-t", "\(mutedMs / 1_000)"]) == "-91.0", "while it was off")
        #expect(try loudest(path).hasPrefix("-") && loudest(path) != "-91.0", "afterwards")
        #expect(daemon.end() == 0)
        let check = try RunningDaemon.run(RunningDaemon.program, ["fsck", "--root", daemon.root, "--deep"])
        #expect(check.status == 0, "\(check)")
    }

    /// The loudest sample of a file's sound, in decibels; -91.0 is digital silence in 16 bits.
    private func loudest(_ file: String, _ options: [String] = []) throws -> String {
        let told = try RunningDaemon.run(
            "/usr/bin/ffmpeg",
            ["-hide_banner", "-nostdin"] + options + ["-i", file, "-vn", "-af", "volumedetect", "-f", "null", "-"])
        let line = (told.output + told.errors).split(separator: "\n").first { $0.contains("max_volume:") }
        return line.flatMap { $0.components(separatedBy: "max_volume: ").last }?.components(separatedBy: " ").first
            ?? "no sound: \(told)"
    }

    @Test(
        "Home Assistant chooses sensitivity and length; what the broker keeps, and what is none, chooses nothing",
        .enabled(if: Mosquitto.isThere, "needs mosquitto"))
    func chosen() async throws {
        let folder = try RunningDaemon.freshFolder()
        let broker = try Mosquitto(in: folder)
        defer { broker.end() }
        try broker.publish("vigil/camera/front/sensitivity/set", "10", ["-r"])
        let daemon = try start(folder, "mqtt: { url: \"mqtt://127.0.0.1:\(broker.port)\", commands: true }")
        defer { daemon.discard() }
        func told() throws -> [String: Any]? { try broker.json("vigil/camera/front/state") }
        try await daemon.wait("published") { try told()?["sensitivity"] as? Int == 1 }
        let (select, number) = (
            try broker.json("homeassistant/select/vigil/sensitivity_front/config"),
            try broker.json("homeassistant/number/vigil/maxEventLength_front/config")
        )
        #expect(select?["options"] as? [String] == ["1", "5", "10"])
        #expect(number?["min"] as? Int == 10 && number?["max"] as? Int == 180)
        for junk in ["7", "05", "", "ON", "defaults"] { try broker.publish("vigil/camera/front/sensitivity/set", junk) }
        for junk in ["9", "181", "60s", "-60", "1e2"] {
            try broker.publish("vigil/camera/front/maxEventLength/set", junk)
        }
        try broker.publish(try #require(select?["command_topic"] as? String), "5")
        try broker.publish(try #require(number?["command_topic"] as? String), "45")
        try await daemon.wait("chosen") {
            try told()?["sensitivity"] as? Int == 5 && told()?["maxEventLength"] as? Int == 45
        }
        try await daemon.wait("the journal names the broker") {
            daemon.log.contains("setting changed: sensitivity, from 1 by default, to 5, by broker")
        }
        try broker.publish("vigil/camera/front/sensitivity/set", "default")
        try await daemon.wait("as the policy says") { try told()?["sensitivity"] as? Int == 1 }
        #expect(try lines(daemon, ["get", "front"])["maxEventLength"]?["value"] as? String == "45s")
        #expect(daemon.end() == 0)
    }
}

/// What is known of a camera while its recording toggle is off, by the built program and a real camera.
@Suite("A camera that is switched off", .serialized)
struct SwitchedOffTests {
    @Test("It is tried now and then, keeps no frame, and is recorded at once when it is switched on")
    func tried() async throws {
        let folder = try RunningDaemon.freshFolder()
        let rig = try Rig("h264-aac.mp4", in: folder)
        let config = try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous",
            """
            cameras:
              front: { main: "\(rig.url)", policy: all, detection: 'off', enabled: false }
              gone: { main: "rtsp://127.0.0.1:9/none", policy: all, detection: 'off', enabled: false }
            """)
        let daemon = try RunningDaemon(folder: folder, config: config)
        defer { daemon.discard(rig) }
        func reachable(_ camera: String) throws -> [String: Any]? {
            try daemon.state(camera).first?["reachable"] as? [String: Any]
        }
        try await daemon.wait("what was found") {
            try reachable("front")?["endpoint"] as? String == "lan"
                && reachable("gone")?["failure"] as? String == "refused"
        }
        try await daemon.wait("the journal") {
            daemon.log.contains("camera can be reached: by lan")
                && daemon.log.contains("camera cannot be reached: refused")
        }
        let state = try #require(try daemon.state("front").first)
        #expect(state["link"] as? String == "off" && state["coverage"] as? String == "disabled")
        #expect((state["ring"] as? [String: Any])?["bytes"] as? Int == 0)
        #expect(try daemon.clips().isEmpty)
        #expect(try daemon.vigil(["enable", "front"]).status == 0)
        try await daemon.wait(camera: "front", coverage: "recorded")
        #expect(try reachable("front") == nil)
        #expect(daemon.end() == 0)
    }
}
