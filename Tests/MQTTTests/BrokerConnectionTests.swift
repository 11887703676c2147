import Synchronization
import Testing

@testable import MQTT

/// Connections to brokers that are none, or that turn on their client; what a real one does is in Tests/DaemonTests/MQTTTests.swift.
@Suite("Connections to hostile brokers")
struct BrokerConnectionTests {
    private static let accepted: [UInt8] = [0x20, 3, 0, 0, 0]
    private static let http =
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n400 Bad Request: malformed"
    /// An answer that lets two messages be under way, and no packet be longer than 32 bytes.
    private static let bounded: [UInt8] = [0x20, 11, 0, 0, 8, 0x21, 0, 2, 0x27, 0, 0, 0, 32]

    /// Publishes what it was given, and then nothing more, or waits for ever.
    private final class Client: BrokerClient {
        let state:
            Mutex<
                (
                    left: [ApplicationMessage], received: [ApplicationMessage], dropped: Int, refused: [String],
                    isConnected: Bool
                )
            >
        let stays: Bool

        init(_ messages: [ApplicationMessage] = [], stays: Bool = true) {
            state = Mutex((messages, [], 0, [], false))
            self.stays = stays
        }

        func connected() async { state.withLock { $0.isConnected = true } }
        func next() async -> ApplicationMessage? {
            let next = state.withLock { $0.left.isEmpty ? nil : $0.left.removeFirst() }
            if next == nil, stays { for await _ in AsyncStream<Never>.makeStream().stream {} }
            return next
        }
        func received(_ message: ApplicationMessage) { state.withLock { $0.received.append(message) } }
        func dropped() { state.withLock { $0.dropped += 1 } }
        func refused(_ words: String) { state.withLock { $0.refused.append(words) } }
    }

    @Test("A port at which nobody listens is told")
    func unreachable() async {
        let connection = BrokerConnection(
            Broker(host: "127.0.0.1", port: 1, isEncrypted: false), id: "v", login: nil,
            will: ApplicationMessage(topic: "s", payload: [], isRetained: true), filters: [])
        #expect(await connection.run(Client())?.words == "the broker cannot be reached (Connection refused)")
    }

    private func run(_ broker: ScriptedBroker, _ client: Client, filters: [String] = []) async -> BrokerFailure? {
        let will = ApplicationMessage(topic: "s", payload: [1], isRetained: true)
        let connection = BrokerConnection(
            Broker(host: "127.0.0.1", port: broker.port, isEncrypted: false), id: "v",
            login: Login(user: "u", password: "open sesame"), will: will, filters: filters)
        let failure = await connection.run(client)
        if let failure { #expect(!failure.words.contains("sesame") && !failure.words.contains { $0.isNewline }) }
        return failure
    }

    @Test(
        "What is no MQTT, or comes out of turn, ends the connection with words",
        arguments: [
            ([Array(http.utf8)], "no MQTT"), ([[0xD0, 0]], "no MQTT"),
            ([[0x30, 3, 0, 1, 97]], "no MQTT"), ([accepted, accepted], "no MQTT"),
            ([accepted, [0x30, 0xFF, 0xFF, 0xFF, 0xFF, 1]], "no MQTT"), ([accepted, [0x34, 0, 0]], "no MQTT"),
            ([[0x20, 2, 0, 1]], "version"), ([[0x20, 3, 0, 0x86, 0]], "user and password"),
            ([[0x20, 3, 0, 0x87, 0]], "may not connect"), ([[0x20, 3, 0, 0x97, 0]], "code 151"),
            ([[0x20, 5, 0, 0, 2, 0x25, 0]], "retain"), ([accepted, [0xE0, 1, 0x8E]], "same name"),
            ([accepted, [0xE0, 1, 0x8B]], "shutting down"), ([], "cut"), ([accepted], "cut"),
        ])
    func faults(_ answers: [[UInt8]], _ words: String) async {
        let broker = ScriptedBroker([.read(10)] + answers.map { .write($0) })
        let failure = await run(broker, Client())
        #expect(failure?.words.contains(words) == true, "\(failure?.words ?? "none")")
    }

    @Test("A broker that says nothing, one that answers nothing whole, and one that acknowledges nothing are given up")
    func silent() async {
        async let silent = run(ScriptedBroker([.stay]), Client())
        // The begin of a long packet, byte by byte, is nothing whole.
        async let drip = run(
            ScriptedBroker([.write([0x90, 0xFF, 0xFF, 0x03]), .stay]), Client())
        // It is alive, and wants a sign of life each second.
        let alive: [UInt8] = [0x20, 6, 0, 0, 3, 0x13, 0, 1]
        let message = ApplicationMessage(topic: "t", payload: [1], isRetained: true)
        async let deaf = run(
            ScriptedBroker([.read(20), .write(alive), .repeatSlowly([0xD0, 0])]), Client([message]))
        async let unsubscribed = run(
            ScriptedBroker([.read(20), .write(alive), .repeatSlowly([0xD0, 0])]), Client(), filters: ["a"])
        async let unended = run(
            ScriptedBroker([.read(20), .write(alive), .repeatSlowly([0xD0, 0])]), Client([message], stays: false))
        #expect(await deaf?.words.contains("acknowledges nothing") == true)
        #expect(await unended?.words.contains("acknowledges nothing") == true)
        #expect(await unsubscribed?.words.contains("acknowledges nothing") == true)
        #expect(await silent?.words.contains("in time") == true)
        #expect(await drip?.words.contains("in time") == true)
    }

    @Test("A message that cannot be used is dropped and acknowledged, and the next one is heard")
    func dropped() async {
        let good: [UInt8] = [0x32, 7, 0, 1, 97, 0, 8, 0, 79]
        let bad: [UInt8] = [0x32, 6, 0, 1, 0x2B, 0, 7, 0]
        let long: [UInt8] = [0x32, 0x80, 0x80, 0x10, 0, 1, 97, 0, 9] + [UInt8](repeating: 0, count: (0x10 << 14) - 5)
        let broker = ScriptedBroker([
            .read(20), .write(Self.accepted + bad + long + good), .read(65), .write([0xE0, 1, 0x8B]),
        ])
        let client = Client()
        #expect(await run(broker, client, filters: ["a"])?.words.contains("shutting down") == true)
        let state = client.state.withLock { $0 }
        #expect(
            state.dropped == 2 && state.received == [ApplicationMessage(topic: "a", payload: [79], isRetained: false)])
        for number: UInt8 in [7, 8, 9] {
            #expect(broker.bytes.indices.contains { broker.bytes.dropFirst($0).prefix(4) == [0x40, 2, 0, number] })
        }
    }

    @Test("No more messages are under way than the broker allows, and none is longer than it takes")
    func window() async {
        let messages = (0..<5).map { ApplicationMessage(topic: "t", payload: [UInt8($0)], isRetained: true) }
        let long = ApplicationMessage(topic: "t", payload: [UInt8](repeating: 1, count: 40), isRetained: true)
        // 9 bytes a message: after two of them nothing comes until one is acknowledged.
        let greeting = 44
        let broker = ScriptedBroker([
            .read(greeting), .write(Self.bounded), .read(greeting + 18), .write([0xE0, 1, 0x8B]),
        ])
        let client = Client([long] + messages)
        #expect(await run(broker, client)?.words.contains("shutting down") == true)
        let state = client.state.withLock { $0 }
        #expect(state.left.count == 3, "the third is not asked for yet: something else may be wanted by then")
        #expect(state.refused.count == 1 && state.refused[0].contains("longer"))
        #expect(broker.bytes.count == greeting + 18)
    }

    @Test("A long message is under way alone: what comes after it is not asked for yet")
    func alone() async {
        let long = ApplicationMessage(topic: "t", payload: [UInt8](repeating: 1, count: 40_000), isRetained: true)
        let short = ApplicationMessage(topic: "t", payload: [], isRetained: true)
        let length = 44 + 8 + 40_010
        let broker = ScriptedBroker([.read(44), .write(Self.accepted), .read(length), .write([0xE0, 1, 0x8B])])
        let client = Client([short, long, short])
        #expect(await run(broker, client)?.words.contains("shutting down") == true)
        #expect(client.state.withLock { $0.left } == [short] && broker.bytes.count == length)
    }

    @Test("A client that has nothing more ends in order, once everything is acknowledged")
    func ended() async {
        let broker = ScriptedBroker([
            .read(44), .write(Self.accepted), .read(44 + 9), .write([0x40, 2, 0, 2]), .stay,
        ])
        let client = Client([ApplicationMessage(topic: "t", payload: [1], isRetained: true)], stays: false)
        #expect(await run(broker, client) == nil)
        #expect(client.state.withLock { $0.isConnected })
    }

    @Test("A flood of messages is heard one by one, and ends with the task")
    func flooded() async {
        let message: [UInt8] = [0x31, 5, 0, 1, 97, 0, 79]
        let broker = ScriptedBroker([
            .read(20), .write(Self.accepted), .flood(Array(repeating: message, count: 500).flatMap(\.self)),
        ])
        let client = Client()
        let task = Task { await run(broker, client) }
        while client.state.withLock({ $0.received.count < 20_000 }) { await Task.yield() }
        task.cancel()
        _ = await task.value
        #expect(client.state.withLock { $0.received.allSatisfy { $0.isRetained && $0.payload == [79] } })
    }
}
