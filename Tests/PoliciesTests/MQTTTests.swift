import Testing

@testable import Policies

@Suite("The broker of MQTT in the configuration")
struct MQTTTests {
    private static func load(_ mqtt: String, _ more: String = "") -> LoadOutcome {
        Fixture.load(Fixture.configuration + more + "mqtt: { \(mqtt) }\n")
    }

    private static func paths(_ mqtt: String, _ more: String = "") -> [String] {
        Fixture.findings(Fixture.configuration + more + "mqtt: { \(mqtt) }\n").map(\.keyPath)
    }

    @Test("An address alone has every default, and takes no commands")
    func defaults() throws {
        let settings = try #require(try Self.load("url: \"mqtts://broker.lan\"").result.get().configuration.mqtt)
        #expect(settings.broker.host == "broker.lan" && settings.broker.port == 8_883 && settings.broker.isEncrypted)
        #expect(settings.topic == "vigil" && settings.discovery == "homeassistant" && settings.version == .v5)
        #expect(!settings.acceptsCommands && settings.credential == nil && settings.authorityFile == nil)
        #expect(try Fixture.load(Fixture.configuration).result.get().configuration.mqtt == nil)
    }

    @Test("Every key is read")
    func everything() throws {
        let outcome = Self.load(
            "url: \"mqtt://[::1]:18830/\", credential: hub, topic: house, discovery: off, commands: true, version: 3.1.1",
            "credentials: { hub: { env: HUB } }\n")
        let loaded = try outcome.result.get()
        let settings = try #require(loaded.configuration.mqtt)
        #expect("\(settings.broker)" == "mqtt://[::1]:18830" && settings.broker.host == "::1")
        #expect(settings.topic == "house" && settings.discovery == nil && settings.version == .v3)
        #expect(settings.acceptsCommands && settings.credential == "hub")
        #expect(!loaded.warnings.contains { $0.keyPath.hasPrefix("mqtt") || $0.keyPath.hasPrefix("credentials") })
    }

    @Test(
        "What is no address of a broker is refused, and a login in it is not quoted",
        arguments: [
            "broker.lan", "http://broker.lan", "mqtt://", "mqtt://a b", "mqtt://broker.lan:0",
            "mqtt://broker.lan:70000",
            "mqtt://broker.lan:x", "mqtt://broker.lan/path", "mqtt://broker.lan?x", "mqtt://user:sesame@broker.lan",
            "mqtt://[::1", "mqtt://broker.lan#x", "mqtt://:1883",
        ])
    func refused(_ url: String) {
        let findings = Fixture.findings(Fixture.configuration + "mqtt: { url: \"\(url)\" }\n")
        #expect(findings.contains { $0.keyPath == "mqtt.url" && $0.severity == .error }, "\(findings)")
        #expect(!findings.contains { "\($0)".contains("sesame") })
    }

    @Test("What is in clear, without a login or without use is a warning; a file that is not there an error")
    func warned() {
        #expect(Self.paths("url: \"mqtt://broker.lan\"") == ["mqtt.url"])
        #expect(Self.paths("url: \"mqtt://127.0.0.1\"") == [])
        #expect(Self.paths("url: \"mqtt://127.0.0.1\", commands: true") == ["mqtt.commands"])
        #expect(Self.paths("url: \"mqtt://localhost\", ca: ca.pem") == ["mqtt.ca"])
        let missing = Fixture.findings(Fixture.configuration + "mqtt: { url: \"mqtts://broker.lan\", ca: ca.pem }\n")
        #expect(missing.map(\.keyPath) == ["mqtt.ca"] && missing.first?.severity == .error)
        #expect(Self.paths("topic: a") == ["mqtt.url"])
        #expect(Self.paths("url: \"mqtts://broker.lan\", topic: a/b") == ["mqtt.topic"])
        #expect(Self.paths("url: \"mqtts://broker.lan\", version: 4") == ["mqtt.version"])
    }
}
