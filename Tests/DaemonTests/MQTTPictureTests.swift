import Foundation
import Testing

/// The built program with real brokers: what becomes of the pictures that they keep.
@Suite("Pictures at brokers of MQTT", .serialized, .enabled(if: Mosquitto.isThere, "needs mosquitto"))
struct MQTTPictureTests {
    /// Writes a configuration with these cameras, which are recorded without an end, and a broker, or none.
    @discardableResult
    private func configure(
        _ folder: String, _ cameras: [String], at broker: Mosquitto?, topic: String = "vigil"
    ) throws -> String {
        let lines = cameras.map { "  \($0): { main: demo, policy: all }" }.joined(separator: "\n")
        let mqtt = broker.map {
            #"mqtt: { url: "mqtt://127.0.0.1:\#($0.port)", commands: true, topic: \#(topic) }"#
        }
        return try RunningDaemon.configuration(
            in: folder, recording: "mode: continuous, clipLength: 10m", "cameras:\n\(lines)\n\(mqtt ?? "")")
    }

    /// A broker in a folder of its own below `folder`.
    private func broker(_ folder: String, _ name: String, _ lines: [String] = []) throws -> Mosquitto {
        let own = folder + "/" + name
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        let kept = lines.isEmpty ? [] : lines + ["persistence_location \(own)/"]
        return try Mosquitto(in: own, ["allow_anonymous true"] + kept)
    }

    /// Whether a broker keeps a present picture of a camera.
    private func isThere(_ broker: Mosquitto, _ base: String, _ camera: String) throws -> Bool {
        let topic = "\(base)/camera/\(camera)/still"
        return try broker.bytes(topic)[topic]?.starts(with: [0xFF, 0xD8]) == true
    }

    /// Which pictures a broker keeps below a name.
    private func pictures(_ broker: Mosquitto, _ base: String) throws -> [String] {
        try broker.bytes("\(base)/#").keys.filter { $0.hasSuffix("/still") || $0.hasSuffix("/picture") }.sorted()
    }

    @Test("A present picture is published while a camera streams, and taken away while live or hard privacy covers it")
    func still() async throws {
        let folder = try RunningDaemon.freshFolder()
        let broker = try Mosquitto(in: folder)
        defer { broker.end() }
        let daemon = try RunningDaemon(folder: folder, config: configure(folder, ["front"], at: broker))
        defer { daemon.discard() }
        let topic = "vigil/camera/front/still"
        func isThere() throws -> Bool { try self.isThere(broker, "vigil", "front") }
        try await daemon.wait("a picture") { try isThere() }
        for privacy in ["softLive", "privacy"] {
            try broker.publish("vigil/camera/front/\(privacy)/set", "ON")
            try await daemon.wait("nothing under \(privacy)") { try broker.bytes(topic)[topic] == nil }
            try broker.publish("vigil/camera/front/\(privacy)/set", "OFF")
            try await daemon.wait("a picture after \(privacy)") { try isThere() }
        }
        // What is not recorded may be seen.
        try broker.publish("vigil/camera/front/softRecording/set", "ON")
        try await daemon.wait("it is published") { try broker.kept(one: "vigil/camera/front/softRecording") == "ON" }
        #expect(try isThere())
        #expect(daemon.end() == 0)
    }

    @Test("While live privacy holds no picture is published, however often it comes and goes")
    func covered() async throws {
        let folder = try RunningDaemon.freshFolder()
        let broker = try broker(folder, "broker")
        defer { broker.end() }
        let daemon = try RunningDaemon(folder: folder, config: configure(folder, ["front"], at: broker))
        defer { daemon.discard() }
        try await daemon.wait("a picture") { try isThere(broker, "vigil", "front") }
        let listener = try broker.listen("vigil/camera/front/+", ["-F", "%t %l"])
        defer { listener.end() }
        for round in 0..<8 {
            for payload in ["ON", "OFF"] {
                try broker.publish("vigil/camera/front/softLive/set", payload, ["-q", "1"])
                try await daemon.wait("softLive \(payload)") {
                    try broker.kept(one: "vigil/camera/front/softLive") == payload
                }
            }
            // Else privacy comes while the next picture is made.
            if round % 2 == 0 { try await daemon.wait("a picture") { try isThere(broker, "vigil", "front") } }
        }
        try await daemon.wait("a last picture") { try isThere(broker, "vigil", "front") }
        // Nothing else of its topics has the length of "OFF", or that of "ON" in this one.
        var (isCovered, shown, hidden) = (false, 0, 0)
        for line in listener.heard {
            switch line {
            case "vigil/camera/front/softLive 2": (isCovered, hidden) = (true, hidden + 1)
            case "vigil/camera/front/softLive 3": isCovered = false
            case "vigil/camera/front/still 0": break
            case _ where line.hasPrefix("vigil/camera/front/still "):
                #expect(!isCovered, "\(line)")
                shown += 1
            default: break
            }
        }
        #expect(hidden == 8 && shown >= 4, "\(listener.heard)")
        #expect(daemon.end() == 0)
    }

    @Test(
        "Pictures are gone from names, brokers and cameras that the configuration has no more, also where Vigil was stopped meanwhile"
    )
    func left() async throws {
        let folder = try RunningDaemon.freshFolder()
        let (first, second) = try (broker(folder, "first"), broker(folder, "second"))
        defer {
            first.end()
            second.end()
        }
        let both = ["front", "yard"]
        var daemon = try RunningDaemon(folder: folder, config: configure(folder, both, at: first))
        defer { daemon.discard() }
        try await daemon.wait("pictures") { try both.allSatisfy { try isThere(first, "vigil", $0) } }

        // While it runs: another name, and another broker.
        try configure(folder, both, at: first, topic: "house")
        try await daemon.wait("pictures under the new name") { try both.allSatisfy { try isThere(first, "house", $0) } }
        try await daemon.wait("none under the old one") { try pictures(first, "vigil").isEmpty }
        #expect(try first.kept(one: "vigil/camera/front/privacy") == "OFF")
        try await daemon.wait("offline under the old name") { try first.kept(one: "vigil/status") == "offline" }
        try configure(folder, both, at: second)
        try await daemon.wait("pictures at the new broker") { try both.allSatisfy { try isThere(second, "vigil", $0) } }
        try await daemon.wait("none at the old one") { try pictures(first, "house").isEmpty }
        #expect(daemon.end() == 0)

        // While it is stopped: a camera less, then another broker, then none.
        #expect(try both.allSatisfy { try isThere(second, "vigil", $0) })
        daemon = try RunningDaemon(folder: folder, config: configure(folder, ["front"], at: second))
        try await daemon.wait("nothing of yard") {
            try !second.bytes("#").keys.contains { $0.contains("yard") }
        }
        try await daemon.wait("front is there") { try isThere(second, "vigil", "front") }
        #expect(daemon.end() == 0)
        daemon = try RunningDaemon(folder: folder, config: configure(folder, ["front"], at: first))
        try await daemon.wait("a picture") { try isThere(first, "vigil", "front") }
        try await daemon.wait("none at the broker before") { try pictures(second, "vigil").isEmpty }
        #expect(daemon.end() == 0)
        daemon = try RunningDaemon(folder: folder, config: configure(folder, ["front"], at: nil))
        try await daemon.wait("none where nothing is published any more") { try pictures(first, "vigil").isEmpty }
        let remembered = daemon.root + "/mqtt.json"
        try await daemon.wait("nothing is remembered") {
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: remembered)))
            return ((json as? [String: Any])?["places"] as? [Any])?.isEmpty == true
        }
        let mode = try FileManager.default.attributesOfItem(atPath: remembered)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(!daemon.log.contains("may keep pictures"))
        #expect(daemon.end() == 0)
    }

    @Test("A broker that is away when it is left is emptied when it is back; both are told once")
    func away() async throws {
        let folder = try RunningDaemon.freshFolder()
        let first = try broker(folder, "first", ["persistence true"])
        let second = try broker(folder, "second")
        func told(_ log: String) -> Int { log.components(separatedBy: "an MQTT broker may keep pictures").count - 1 }
        defer {
            first.end()
            second.end()
        }
        var daemon = try RunningDaemon(folder: folder, config: configure(folder, ["front"], at: first))
        defer { daemon.discard() }
        try await daemon.wait("a picture") { try isThere(first, "vigil", "front") }
        #expect(daemon.end() == 0)
        // Of another site.
        try first.publish("house/camera/front/still", "x", ["-r"])
        first.end(SIGTERM)

        daemon = try RunningDaemon(folder: folder, config: configure(folder, ["front"], at: second))
        try await daemon.wait("a picture at the new broker") { try isThere(second, "vigil", "front") }
        try await daemon.wait("it is told") { told(daemon.log) == 1 }
        #expect(daemon.end() == 0)
        // It is remembered over one more start. The file has what both told, and nothing where journald has it.
        let before = told(try String(contentsOfFile: folder + "/log", encoding: .utf8))
        daemon = try RunningDaemon(folder: folder, config: configure(folder, ["front"], at: second))
        try await daemon.wait("it is told again") { told(daemon.log) == before + 1 }
        try first.start()
        try await daemon.wait("none at the old broker") { try pictures(first, "vigil").isEmpty }
        #expect(try first.kept(one: "vigil/camera/front/privacy") == "OFF")
        #expect(try pictures(first, "house") == ["house/camera/front/still"])
        try await daemon.wait("it is told that it is done") {
            daemon.log.contains("the MQTT broker keeps no picture any more")
        }
        #expect(told(daemon.log) == before + 1)
        #expect(try isThere(second, "vigil", "front"))
        #expect(daemon.end() == 0)
    }
}
