import Foundation
import Journal
import MQTT
import Machines
import Policies
import Server
import Synchronization
import Testing

@testable import Daemon

/// What a session publishes and takes, without a broker.
@Suite("What is published by MQTT, and what is taken")
struct MQTTSessionTests {
    private static let topics = SiteTopics(base: "vigil")

    private func command(_ topic: String, _ payload: String) throws(MQTTCommand.Flaw) -> MQTTCommand {
        try MQTTCommand(topic: topic, payload: Array(payload.utf8), Self.topics, cameras: ["front", "a-b_c"])
    }

    @Test("Exactly the documented topics and payloads are commands")
    func commands() throws {
        for name in CameraSwitch.allCases {
            for (payload, isOn) in [("ON", true), ("OFF", false)] {
                let found = try command("vigil/camera/front/\(name.rawValue)/set", payload)
                #expect(found.camera == "front" && found.action == .turn(name, isOn))
            }
        }
        for level in [1, 5, 10] {
            #expect(try command("vigil/camera/a-b_c/trigger", "\(level)").action == .detect(level))
        }
        #expect(try command("vigil/camera/front/source/door.1", "ON").action == .source("door.1", true))
        for (payload, value) in [("1", "1"), ("5", "5"), ("10", "10"), ("default", "default")] {
            #expect(try command("vigil/camera/front/sensitivity/set", payload).action == .set(.sensitivity, value))
        }
        for (payload, value) in [("10", "10s"), ("61", "1m1s"), ("180", "3m"), ("default", "default")] {
            #expect(
                try command("vigil/camera/front/maxEventLength/set", payload).action == .set(.maxEventLength, value))
        }
        for payload in ["", "9", "181", "060", "+60", "-60", "60s", "1m", "1e2", "60.0", " 60", "Default", "ON"] {
            #expect(throws: MQTTCommand.Flaw.payload) { try command("vigil/camera/front/maxEventLength/set", payload) }
            #expect(throws: MQTTCommand.Flaw.payload) { try command("vigil/camera/front/sensitivity/set", payload) }
        }
        let payloads = [
            "", "on", "ON ", " ON", "ON\0", "ONN", "1", "true", "OFF\n", String(repeating: "ON", count: 9_999),
        ]
        for payload in payloads {
            #expect(throws: MQTTCommand.Flaw.payload) { try command("vigil/camera/front/recording/set", payload) }
        }
        for payload in ["", "2", "01", "1.0", "ON"] {
            #expect(throws: MQTTCommand.Flaw.payload) { try command("vigil/camera/front/trigger", payload) }
        }
        let topics = [
            "", "vigil", "vigil/camera", "vigil/camera/front", "vigil/camera/front/recording",
            "vigil/camera/yard/recording/set",
            "vigil/camera/front/Recording/set", "vigil/camera/front/recording/set/",
            "vigil/camera/front/recording/sets",
            "/vigil/camera/front/recording/set", "other/camera/front/recording/set", "vigil/camera//recording/set",
            "vigil/camera/front/trigger/set", "vigil/camera/front/mode/set", "vigil/camera/front/rotation/set",
            "vigil/camera/front/source/", "vigil/camera/front/source/a b",
            "vigil/camera/front/source/" + String(repeating: "a", count: 65),
            "vigil/camera/front/recording/set/a/b/c/d/e/f/g/h/i/j",
        ]
        for topic in topics { #expect(throws: MQTTCommand.Flaw.topic, "\(topic)") { try command(topic, "ON") } }
    }

    @Test("A camera takes so many commands a minute, another one its own")
    func budget() {
        var budget = MinuteBudget(most: MQTTCommand.perMinute)
        func taken(_ camera: String, _ ms: Int64) -> Int {
            (0..<100).filter { _ in budget.take(camera, atMs: ms) }.count
        }
        #expect(taken("front", 59_999) == MQTTCommand.perMinute && taken("front", 59_999) == 0)
        #expect(taken("yard", 59_999) == MQTTCommand.perMinute)
        #expect(taken("front", 60_000) == MQTTCommand.perMinute)
    }

    @Test("What changes before it is sent is sent once; what a broker may have lost is sent again, descriptions first")
    func retained() {
        var topics = RetainedTopics()
        for number in 0..<10_000 { topics.set("a", .bytes([UInt8(truncatingIfNeeded: number)])) }
        #expect(topics.waiting == 1)
        #expect(topics.next()?.content == .bytes([15]) && topics.next() == nil)
        topics.set("a", .bytes([15]))
        #expect(topics.next() == nil, "the same is not sent again")
        topics.set("z/config", .bytes([1]))
        topics.set("b", .picture(.event(7)))
        _ = topics.next()
        topics.sendAll()
        var order: [String] = []
        while let (topic, content) = topics.next() {
            order.append(topic)
            #expect(content == topics.wanted[topic])
        }
        #expect(order == ["z/config", "a"])
        #expect(topics.nextPicture()?.picture == .event(7) && topics.nextPicture() == nil)
        topics.keep(only: ["b"])
        var gone: [String] = []
        while let (topic, content) = topics.next() { if content == nil { gone.append(topic) } }
        #expect(gone == ["a", "z/config"] && Set(topics.wanted.keys) == ["b"])
        // The broker may not have got that either.
        topics.sendAll()
        gone = []
        while let (topic, content) = topics.next() { if content == nil { gone.append(topic) } }
        #expect(gone == ["a", "z/config"])
        topics.set("a", .bytes([1]))
        topics.sendAll()
        while let (topic, content) = topics.next() { #expect(topic != "a" || content == .bytes([1])) }
    }

    @Test("Many topics that come and go leave nothing behind")
    func bounded() {
        var topics = RetainedTopics()
        var sent = 0
        for number in 0..<50_000 {
            topics.set("t\(number % 50)", .bytes(Array("\(number)".utf8)))
            if number % 3 == 0, topics.next() != nil { sent += 1 }
            #expect(topics.waiting <= 50)
        }
        while topics.next() != nil { sent += 1 }
        #expect(topics.waiting == 0 && topics.wanted.count == 50 && sent > 16_000)
    }

    // MARK: A session

    private func session(
        takesCommands: Bool = true, _ carriedOut: @escaping @Sendable (MQTTCommand) async -> Void = { _ in }
    ) -> (session: MQTTSession, view: MQTTView) {
        let view = MQTTView(journal: Journal(JournalOptions(version: "test", output: .lines)), clock: MachineClock())
        view.begin("mqtt://127.0.0.1:1883")
        let discovery = HomeAssistantDiscovery(
            prefix: "homeassistant", topics: Self.topics, takesCommands: takesCommands, version: "1")
        let session = MQTTSession(
            topics: Self.topics, discovery: discovery, takesCommands: takesCommands, view: view, clock: MachineClock(),
            picture: { _ in .never }, still: { _ in .never }, carryOut: carriedOut)
        session.use(cameras: ["front"])
        return (session, view)
    }

    private func message(_ topic: String, _ payload: String, retained: Bool = false, duplicate: Bool = false)
        -> ApplicationMessage
    {
        ApplicationMessage(topic: topic, payload: Array(payload.utf8), isRetained: retained, isDuplicate: duplicate)
    }

    /// What is published until nothing waits, by topic.
    private func published(_ session: MQTTSession) async -> [String: [UInt8]] {
        session.end()
        var published: [String: [UInt8]] = [:]
        while let message = await session.next() {
            #expect(message.isRetained)
            published[message.topic] = message.payload
        }
        return published
    }

    @Test("No message that is kept is a command, whatever it says; the same one as it comes is")
    func noneKept() async {
        let (commands, told) = AsyncStream.makeStream(of: MQTTCommand.self)
        let (session, view) = session { told.yield($0) }
        for name in CameraSwitch.allCases {
            for payload in ["ON", "OFF"] {
                session.received(message("vigil/camera/front/\(name.rawValue)/set", payload, retained: true))
            }
        }
        session.received(message("vigil/camera/front/trigger", "1", retained: true))
        #expect(view.status?.ignored == 9 && view.status?.commands == 0)
        session.received(message("vigil/camera/front/recording/set", "OFF"))
        // It comes again: the same order, so the same state.
        session.received(message("vigil/camera/front/recording/set", "OFF", duplicate: true))
        var carriedOut: [MQTTCommand.Action] = []
        for await command in commands {
            carriedOut.append(command.action)
            if carriedOut.count == 2 { break }
        }
        #expect(carriedOut == [.turn(.recording, false), .turn(.recording, false)])
        #expect(view.status?.commands == 2)
    }

    @Test("After the end of a session nothing that comes is carried out, nor what waits")
    func afterEnd() async {
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        let (free, frees) = AsyncStream.makeStream(of: Never.self)
        let carried = Mutex<[MQTTCommand]>([])
        let (session, view) = session { command in
            carried.withLock { $0.append(command) }
            begins.yield()
            for await _ in free {}
            begins.yield()
        }
        let topic = "vigil/camera/front/recording/set"
        for payload in ["OFF", "ON", "OFF"] { session.received(message(topic, payload)) }
        var steps = begun.makeAsyncIterator()
        await steps.next()
        session.end()
        session.received(message(topic, "ON"))
        frees.finish()
        await steps.next()
        for _ in 0..<100 { await Task.yield() }
        #expect(carried.withLock { $0.count } == 1)
        _ = view
    }

    @Test("Without commands nothing is subscribed to that changes anything, and nothing is carried out")
    func withoutCommands() {
        let (session, view) = session(takesCommands: false) { Issue.record("\($0) is carried out") }
        #expect(session.filters == ["homeassistant/+/vigil/+/config", "homeassistant/status"])
        session.received(message("vigil/camera/front/recording/set", "OFF"))
        #expect(view.status?.commands == 0 && view.status?.ignored == 1)
    }

    @Test(
        "Commands of a camera are carried out in their order; those that wait are bounded, and another camera's go on")
    func lanes() async {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (done, told) = AsyncStream.makeStream(of: MQTTCommand.self)
        let (session, view) = session { command in
            if command.camera == "front" { for await _ in gate { break } }
            told.yield(command)
        }
        session.use(cameras: ["front", "yard"])
        for number in 0..<500 {
            session.received(message("vigil/camera/front/recording/set", number % 2 == 0 ? "ON" : "OFF"))
        }
        let taken = view.status?.commands ?? 0
        #expect(taken >= 60 && taken <= 122 && view.status.map { $0.ignored + $0.commands } == 500)
        session.received(message("vigil/camera/yard/privacy/set", "ON"))
        var iterator = done.makeAsyncIterator()
        #expect(await iterator.next()?.camera == "yard")
        open.finish()
        for number in 0..<taken {
            #expect(await iterator.next()?.action == .turn(.recording, number % 2 == 0))
        }
    }

    @Test("What others describe below this site's name is taken away; what this site describes, or another one, stays")
    func foreign() async {
        let (session, _) = session()
        await session.connected()
        let own = "homeassistant/switch/vigil/recording_front/config"
        session.received(message(own, "{}", retained: true))
        session.received(message("homeassistant/switch/vigil/recording_gone/config", "{}", retained: true))
        session.received(message("homeassistant/switch/vigil/emptied/config", "", retained: true))
        session.received(message("homeassistant/switch/other/recording_gone/config", "{}", retained: true))
        session.received(message("homeassistant/switch/vigil/\(String(repeating: "x", count: 600))/config", "{}"))
        var (gone, kept) = ([String](), Set<String>())
        while gone.isEmpty, let message = await session.next() {
            if message.payload.isEmpty { gone.append(message.topic) } else { kept.insert(message.topic) }
        }
        #expect(gone == ["homeassistant/switch/vigil/recording_gone/config"] && kept.contains(own))
        let last = await published(session)
        #expect(last == ["vigil/status": Array("offline".utf8)])
    }

    @Test("Home Assistant's start has everything published again, so many times a minute")
    func births() async {
        let (session, _) = session()
        await session.connected()
        func drained() async -> Int {
            // A mark behind everything that waits.
            session.set([("z/mark", .bytes(Array(UUID().uuidString.utf8)))])
            var count = 0
            while let message = await session.next(), message.topic != "z/mark" { count += 1 }
            return count
        }
        let all = await drained()
        #expect(all > 12)
        session.received(message("homeassistant/status", "online", retained: true))
        session.received(message("homeassistant/status", "offline"))
        #expect(await drained() == 0)
        var rounds = 0
        for _ in 0..<100 {
            session.received(message("homeassistant/status", "online"))
            if await drained() > 0 { rounds += 1 }
        }
        #expect((MQTTSession.birthsPerMinute...2 * MQTTSession.birthsPerMinute).contains(rounds), "\(rounds)")
    }

    @Test("A ring is told once to a connection that is there, is kept by nobody, and is not told later")
    func rings() async throws {
        let (session, _) = session()
        session.rang("front")
        await session.connected()
        for _ in 0..<3 { session.rang("front") }
        session.rang("gone")
        func heard() async -> [ApplicationMessage] {
            session.set([("z/mark", .bytes(Array(UUID().uuidString.utf8)))])
            var heard: [ApplicationMessage] = []
            while let message = await session.next(), message.topic != "z/mark" {
                if message.topic.hasSuffix("/doorbell") { heard.append(message) }
            }
            return heard
        }
        let ring = ApplicationMessage(
            topic: "vigil/camera/front/doorbell", payload: Array(#"{"event_type":"ring"}"#.utf8), isRetained: false)
        #expect(await heard() == [ring])
        #expect(await heard() == [])
        session.rang("front")
        await session.connected()
        #expect(await heard() == [])
    }

    @Test("Ids of entities are unique, and no topic of a command is one of a state")
    func unique() throws {
        let discovery = HomeAssistantDiscovery(prefix: "ha", topics: Self.topics, takesCommands: true, version: "1")
        // Names that would run into each other if they were only put together.
        let cameras = ["front", "front_privacy", "privacy_front", "a-b", "a_b", "softlive_front"]
        var messages = discovery.site
        for camera in cameras { messages.merge(discovery.camera(camera)) { _, _ in [] } }
        #expect(messages.count == 2 + 14 * cameras.count && !messages.values.contains([]))
        var (ids, states, commands) = (Set<String>(), Set<String>(), Set<String>())
        for (topic, bytes) in messages {
            #expect(discovery.isConfiguration(topic))
            let one = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
            #expect(ids.insert(try #require(one["unique_id"] as? String)).inserted)
            for key in ["topic", "state_topic", "image_topic", "json_attributes_topic"] {
                if let state = one[key] as? String { states.insert(state) }
            }
            if let command = one["command_topic"] as? String { commands.insert(command) }
        }
        #expect(commands.count == 7 * cameras.count && commands.isDisjoint(with: states))
    }
}
