import Foundation
import Testing

/// The built program with a real broker, which hears junk, floods, and is killed and started again.
@Suite("Messages by MQTT", .serialized, .enabled(if: Mosquitto.isThere, "needs mosquitto"))
struct MQTTTests {
    /// A camera that is always recorded, one that is recorded while something moves, and the broker.
    private func start(_ broker: Mosquitto, _ folder: String, yard: Bool = true) throws -> RunningDaemon {
        let config = try configure(broker, folder, yard: yard)
        return try RunningDaemon(folder: folder, config: config)
    }

    @discardableResult
    private func configure(_ broker: Mosquitto, _ folder: String, yard: Bool) throws -> String {
        let moving = "  yard: { main: demo, policy: moving }"
        let config = try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous, clipLength: 10m",
            """
            cameras:
              front: { main: demo, policy: all }
            \(yard ? moving : "")
            mqtt: { url: "mqtt://127.0.0.1:\(broker.port)", commands: true }
            """)
        try "name: moving\nrecording: { mode: event, initial: 2s, maxEventLength: 10s, sensitivity: 10 }\n"
            .write(toFile: folder + "/policies/moving.yaml", atomically: true, encoding: .utf8)
        return config
    }

    private func state(_ daemon: RunningDaemon, _ camera: String = "front") throws -> [String: Any] {
        try #require(try daemon.state(camera).first)
    }

    /// One value of the metrics.
    private func metric(_ daemon: RunningDaemon, _ name: String) throws -> Int {
        let line = try daemon.ask("GET", "/metrics").text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return Int(line?.split(separator: " ").last ?? "") ?? -1
    }

    private func messages(_ daemon: RunningDaemon, _ fate: String) throws -> Int {
        try metric(daemon, #"vigil_mqtt_messages_total{fate="\#(fate)"}"#)
    }

    private static let fates = ["retained", "topic", "payload", "tooMany", "unusable"]

    private func residentKiB(_ daemon: RunningDaemon) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return try #require(line?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }

    @Test("States, motion, events and pictures are published and described; a camera that leaves is taken away")
    func published() async throws {
        let folder = try RunningDaemon.freshFolder()
        let broker = try Mosquitto(in: folder)
        defer { broker.end() }
        // Of a camera that is gone, and of another site.
        let (gone, other) = (
            "homeassistant/switch/vigil/recording_gone/config", "homeassistant/switch/other/recording_gone/config"
        )
        for topic in [gone, other] { try broker.publish(topic, "{}", ["-r"]) }
        let daemon = try start(broker, folder)
        defer { daemon.discard() }
        try await daemon.wait("online") { try broker.kept(one: "vigil/status") == "online" }
        try await daemon.wait("recorded") {
            let state = try broker.json("vigil/camera/front/state")
            return state?["coverage"] as? String == "recorded" && state?["link"] as? String == "streaming"
        }
        let state = try #require(try broker.json("vigil/camera/yard/state"))
        #expect(state["sensitivity"] as? Int == 10 && state["maxEventLength"] as? Int == 10)
        #expect(state["policy"] as? String == "moving" && state["mode"] as? String == "event")
        #expect(try broker.kept(one: "vigil/camera/front/recording") == "ON")
        #expect(try broker.kept(one: "vigil/camera/front/privacy") == "OFF")
        let site = try #require(try broker.json("vigil/site"))
        #expect(site["storage"] as? String == "ok" && (site["freeBytes"] as? Int ?? 0) > 0)
        try await daemon.wait("motion") { try broker.kept(one: "vigil/camera/yard/motion") == "ON" }
        try await daemon.wait("an event that has ended") {
            let event = try broker.json("vigil/camera/yard/event")
            return event?["end"] is String && event?["camera"] as? String == "yard"
        }
        let picture = "vigil/camera/yard/picture"
        try await daemon.wait("its picture") { try broker.bytes(picture)[picture]?.isEmpty == false }
        try Data(try #require(try broker.bytes(picture)[picture])).write(
            to: URL(fileURLWithPath: folder + "/picture.jpg"))
        let probe = try RunningDaemon.run(
            "/usr/bin/ffprobe",
            ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", folder + "/picture.jpg"])
        #expect(probe.output.contains("mjpeg"), "\(probe)")

        let described = try broker.kept("homeassistant/#")
        #expect(described[gone] == nil && described[other] != nil)
        #expect(described.keys.filter { $0.hasSuffix("_yard/config") }.count == 14, "\(described.keys.sorted())")
        #expect(
            described["homeassistant/switch/vigil/recording_yard/config"]?.contains("vigil/camera/yard/recording/set")
                == true)
        try configure(broker, folder, yard: false)
        try await daemon.wait("yard is taken away") {
            try !broker.kept("#").keys.contains { $0.contains("yard") }
        }
        #expect(try broker.kept("homeassistant/#").keys.filter { $0.hasSuffix("_front/config") }.count == 14)
        // Home Assistant starts, and its broker has forgotten a description.
        let front = "homeassistant/switch/vigil/recording_front/config"
        try broker.publish(front, "", ["-r"])
        #expect(try broker.kept(one: front) == nil)
        try broker.publish("homeassistant/status", "online")
        try await daemon.wait("described again") { try broker.kept(one: front) != nil }
        #expect(daemon.end() == 0)
        #expect(try broker.kept(one: "vigil/status") == "offline")
    }

    @Test(
        "Junk, what is kept, and ten thousand messages change no recording; a command does, also after a restart of the broker"
    )
    func attacked() async throws {
        let folder = try RunningDaemon.freshFolder()
        let broker = try Mosquitto(in: folder)
        defer { broker.end() }
        try broker.publish("vigil/camera/front/recording/set", "OFF", ["-r"])
        try broker.publish("vigil/camera/front/privacy/set", "ON", ["-r"])
        let daemon = try start(broker, folder, yard: false)
        defer { daemon.discard() }
        try await daemon.wait(camera: "front", coverage: "recorded")
        try await daemon.wait("what is kept is heard") { try messages(daemon, "retained") == 2 }
        #expect(try state(daemon)["enabled"] as? Bool == true)

        try await flooded(daemon, broker, folder)
        try await switched(daemon, broker)

        broker.end()
        try await daemon.wait("the outage is told") { daemon.log.contains("no connection to the MQTT broker") }
        try await daemon.wait("status says so") {
            try daemon.vigil(["status"]).output.contains("no connection to the broker")
        }
        #expect(try state(daemon)["coverage"] as? String == "recorded")
        try broker.start()
        try await daemon.wait("online again") { try broker.kept(one: "vigil/status") == "online" }
        try await daemon.wait("all is published again") {
            let kept = try broker.kept("#")
            return kept["vigil/camera/front/recording"] == "ON"
                && kept["homeassistant/switch/vigil/recording_front/config"] != nil
        }
        #expect(daemon.log.components(separatedBy: "no connection to the MQTT broker").count == 2, "told once")
        try await switched(daemon, broker)

        // More commands than a camera takes in a minute, even in two; none of them is harmful.
        let lines = folder + "/on"
        try String(repeating: "ON\n", count: 200).write(toFile: lines, atomically: true, encoding: .utf8)
        try broker.publish("vigil/camera/front/recording/set", linesOf: lines)
        try await daemon.wait("some are too many") { try messages(daemon, "tooMany") >= 80 }
        #expect(try state(daemon)["enabled"] as? Bool == true)
        #expect(daemon.end() == 0)
    }

    /// Ten thousand messages that are no commands: the clip that was open before is open still.
    private func flooded(_ daemon: RunningDaemon, _ broker: Mosquitto, _ folder: String) async throws {
        let before = try (state(daemon), residentKiB(daemon), Self.fates.map { try messages(daemon, $0) }.reduce(0, +))
        let lines = folder + "/lines"
        let junk = [
            ("vigil/camera/front/recording/set", "off", []), ("vigil/camera/front/privacy/set", "ON ", []),
            ("vigil/camera/nobody/recording/set", "OFF", []), ("vigil/camera/front/enabled/set", "OFF", []),
            ("vigil/camera/front/trigger", "2", []), ("vigil/camera/front/source/a%20b", "ON", []),
            ("vigil/camera/front/softRecording/set", #"{"on": true}"#, []),
            ("vigil/camera/front/privacy/set", String(repeating: "ON", count: 4_096), []),
            // Published to be kept, and heard as that.
            ("vigil/camera/front/privacy/set", "ON", ["-r"]), ("vigil/camera/front/recording/set", "OFF", ["-r"]),
        ]
        for (topic, payload, options) in junk {
            try String(repeating: payload + "\n", count: 1_000).write(toFile: lines, atomically: true, encoding: .utf8)
            try broker.publish(topic, linesOf: lines, options + ["-V", "mqttv5"])
        }
        try await daemon.wait("all are heard") {
            try Self.fates.map { try messages(daemon, $0) }.reduce(0, +) == before.2 + 10_000
        }
        let after = try state(daemon)
        #expect(after["enabled"] as? Bool == true && after["coverage"] as? String == "recorded")
        #expect(after["privacy"] as? [String: Bool] == ["hard": false, "softRecording": false, "softLive": false])
        #expect(after["clip"] is Int && after["clip"] as? Int == before.0["clip"] as? Int)
        #expect(try messages(daemon, "command") == 0)
        let grownKiB = try residentKiB(daemon) - before.1
        #expect(grownKiB < 96 << 10, "\(grownKiB) KiB")
        // Each kind is told once.
        #expect(daemon.log.components(separatedBy: "MQTT messages are ignored").count == 1 + 3)
    }

    /// A command switches recording off and on again.
    private func switched(_ daemon: RunningDaemon, _ broker: Mosquitto) async throws {
        for (payload, coverage) in [("OFF", "disabled"), ("ON", "recorded")] {
            try broker.publish("vigil/camera/front/recording/set", payload, ["-q", "1"])
            try await daemon.wait(camera: "front", coverage: coverage)
            try await daemon.wait("it is published") {
                try broker.kept(one: "vigil/camera/front/recording") == payload
            }
        }
        for name in ["privacy", "softRecording", "softLive"] {
            for payload in ["ON", "OFF"] {
                try broker.publish("vigil/camera/front/\(name)/set", payload)
                try await daemon.wait("\(name) \(payload)") {
                    let privacy = try state(daemon)["privacy"] as? [String: Bool]
                    return privacy?[name == "privacy" ? "hard" : name] == (payload == "ON")
                }
            }
        }
        try await daemon.wait(camera: "front", coverage: "recorded")
        #expect(daemon.log.contains("by broker mqtt://127.0.0.1:\(broker.port)"))
    }

    @Test(
        "A doorbell rings by MQTT and by an address alone: its event has the label, and whoever listens hears each ring once"
    )
    func doorbell() async throws {
        let folder = try RunningDaemon.freshFolder()
        let broker = try Mosquitto(in: folder)
        defer { broker.end() }
        let config = try RunningDaemon.configuration(
            in: folder, recording: "mode: event, initial: 2s, maxEventLength: 3m",
            """
            cameras:
              front: { main: demo, policy: all, detection: off }
            mqtt: { url: "mqtt://127.0.0.1:\(broker.port)", commands: true }
            """)
        let daemon = try RunningDaemon(folder: folder, config: config)
        defer { daemon.discard() }
        try await daemon.wait(camera: "front", coverage: "idle")
        try await daemon.wait("online") { try broker.kept(one: "vigil/status") == "online" }
        let listener = try broker.listen("vigil/camera/+/doorbell")
        defer { listener.end() }
        let ring = #"vigil/camera/front/doorbell {"event_type":"ring"}"#
        func rings() -> [String] { listener.heard.filter { !$0.hasPrefix("test/") } }

        try broker.publish("vigil/camera/front/source/gate", "ON")
        try await daemon.wait("an event") { try !daemon.events().isEmpty }
        try broker.publish("vigil/camera/front/source/gate", "OFF")
        try await daemon.wait("it has ended") { try daemon.events().count { $0["end"] is String } == 1 }
        #expect(try daemon.events("label=doorbell").isEmpty && rings().isEmpty)

        for _ in 0..<2 { try broker.publish("vigil/camera/front/source/doorbell", "ON", ["-q", "1"]) }
        try await daemon.wait("a ring") { rings() == [ring] }
        try broker.publish("vigil/camera/front/source/doorbell", "OFF", ["-q", "1"])
        try await daemon.wait("its event has ended") {
            try daemon.events("label=doorbell").map { $0["end"] is String } == [true]
        }
        #expect(try daemon.ask("POST", "/v1/cameras/front/trigger?source=doorbell&ms=1000", nil).status == 200)
        try await daemon.wait("another ring") { rings() == [ring, ring] }
        try await daemon.wait("another event") { try daemon.events("label=doorbell").count == 2 }
        #expect(try daemon.events("label=doorbell").allSatisfy { $0["cause"] as? String == "source" })
        #expect(daemon.log.components(separatedBy: "the doorbell rang").count == 3)
        #expect(try broker.kept(one: "vigil/camera/front/doorbell") == nil)
        #expect(daemon.end() == 0)
    }

    @Test("A source and a trigger by MQTT begin events")
    func triggered() async throws {
        let folder = try RunningDaemon.freshFolder()
        let broker = try Mosquitto(in: folder)
        defer { broker.end() }
        let config = try RunningDaemon.configuration(
            in: folder, recording: "mode: event, initial: 2s, maxEventLength: 10s",
            """
            cameras:
              front: { main: demo, policy: all, detection: off }
            mqtt: { url: "mqtt://127.0.0.1:\(broker.port)", commands: true, discovery: off, topic: house }
            """)
        let daemon = try RunningDaemon(folder: folder, config: config)
        defer { daemon.discard() }
        try await daemon.wait(camera: "front", coverage: "idle")
        try await daemon.wait("online") { try broker.kept(one: "house/status") == "online" }
        try broker.publish("house/camera/front/trigger", "1")
        try await daemon.wait("an event by a detection") {
            try daemon.events().contains { $0["cause"] as? String == "detection" }
        }
        try await daemon.wait("it has ended") { try broker.json("house/camera/front/event")?["end"] is String }
        try await daemon.wait("no motion") { try broker.kept(one: "house/camera/front/motion") == "OFF" }
        try broker.publish("house/camera/front/source/door", "ON")
        try await daemon.wait("motion") { try broker.kept(one: "house/camera/front/motion") == "ON" }
        try broker.publish("house/camera/front/source/door", "OFF")
        try await daemon.wait("no motion") { try broker.kept(one: "house/camera/front/motion") == "OFF" }
        try await daemon.wait("an event by a source") {
            try daemon.events().contains { $0["cause"] as? String == "source" }
        }
        #expect(try broker.kept("homeassistant/#").isEmpty)
        #expect(daemon.end() == 0)
    }

    @Test("Over TLS with version 3.1.1 and a login, commands refused by default: the password is told nowhere")
    func guarded() async throws {
        let folder = try RunningDaemon.freshFolder()
        let made = try RunningDaemon.run("/bin/sh", [Rig.folder + "/make_tls.sh", folder + "/tls"])
        try #require(made.status == 0, "\(made)")
        let passwords = folder + "/passwords"
        try #require(
            RunningDaemon.run("/usr/bin/mosquitto_passwd", ["-b", "-c", passwords, "vigil", "open sesame"]).status == 0)
        let broker = try Mosquitto(
            in: folder,
            [
                "allow_anonymous false", "password_file \(passwords)", "certfile \(folder)/tls/cert.pem",
                "keyfile \(folder)/tls/key.pem",
            ],
            client: ["-h", "localhost", "--cafile", folder + "/tls/ca.pem", "-u", "vigil", "-P", "open sesame"])
        defer { broker.end() }
        let config = try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous",
            """
            cameras:
              front: { main: demo, policy: all }
            credentials: { broker: { env: BROKER } }
            mqtt: { url: "mqtts://localhost:\(broker.port)", ca: tls/ca.pem, credential: broker, version: 3.1.1 }
            """)
        let untrusting = folder + "/untrusting.yaml"
        try String(contentsOfFile: config, encoding: .utf8).replacing("ca: tls/ca.pem, ", with: "")
            .write(toFile: untrusting, atomically: true, encoding: .utf8)
        let stranger = try RunningDaemon(
            folder: folder, config: untrusting, environment: ["BROKER": "vigil:open sesame"])
        try await stranger.wait("the refusal") { stranger.log.contains("the broker's certificate is not trusted") }
        #expect(stranger.end() == 0)
        let wrong = try RunningDaemon(folder: folder, config: config, environment: ["BROKER": "vigil:closed sesame"])
        try await wrong.wait("the refusal") {
            wrong.log.contains("the broker refuses user and password") || wrong.log.contains("may not connect")
        }
        #expect(!wrong.log.contains("sesame"))
        #expect(wrong.end() == 0)
        let daemon = try RunningDaemon(folder: folder, config: config, environment: ["BROKER": "vigil:open sesame"])
        defer { daemon.discard() }
        try await daemon.wait("online") { try broker.kept(one: "vigil/status") == "online" }
        try await daemon.wait(camera: "front", coverage: "recorded")
        let described = try broker.kept("homeassistant/#")
        #expect(!described.isEmpty && !described.keys.contains { $0.contains("/switch/") || $0.contains("/button/") })
        #expect(
            described["homeassistant/binary_sensor/vigil/recording_front/config"]?.contains("command_topic") == false)
        try broker.publish("vigil/camera/front/recording/set", "OFF", ["-q", "1"])
        // What is published next is heard after it: had it been passed on, it would count when this is answered.
        try broker.publish("vigil/camera/front/recording", "", ["-r", "-q", "1"])
        try broker.publish("homeassistant/status", "online", ["-q", "1"])
        try await daemon.wait("everything again") { try broker.kept(one: "vigil/camera/front/recording") == "ON" }
        #expect(try state(daemon)["enabled"] as? Bool == true && messages(daemon, "command") == 0)
        #expect(!daemon.log.contains("sesame"))
        #expect(daemon.end() == 0)
    }
}
