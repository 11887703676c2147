import RandomSource
import Testing

@testable import MQTT

@Suite("Packets of MQTT")
struct PacketTests {
    /// What a broker may send, as it is on the wire, and what it means.
    static let packets: [(MQTTVersion, [UInt8], ServerPacket)] = [
        (.v3, [0x20, 2, 0, 0], .connected(ConnectAnswer(code: 0))),
        (.v3, [0x20, 2, 1, 5], .connected(ConnectAnswer(code: 5))),
        // A broker that does not know version 5 answers without properties.
        (.v5, [0x20, 2, 0, 1], .connected(ConnectAnswer(code: 1))),
        (
            .v5, [0x20, 18, 0, 0, 15, 0x21, 0, 20, 0x27, 0, 1, 0, 0, 0x24, 0, 0x25, 0, 0x13, 0, 9],
            .connected(answer)
        ),
        (.v3, [0x31, 7, 0, 3, 97, 47, 98, 79, 78], .message(message(retained: true), acknowledge: nil)),
        (.v3, [0x3A, 9, 0, 3, 97, 47, 98, 0, 7, 79, 78], .message(message(duplicate: true), acknowledge: 7)),
        (.v5, [0x32, 12, 0, 3, 97, 47, 98, 0, 7, 2, 1, 1, 79, 78], .message(message(), acknowledge: 7)),
        (.v3, [0x30, 3, 0, 1, 35], .unusable(acknowledge: nil)),
        (.v3, [0x30, 4, 0, 2, 0xC3, 0x28], .unusable(acknowledge: nil)),
        (.v3, [0x40, 2, 1, 2], .acknowledged(258, isRefused: false)),
        (.v5, [0x40, 4, 0, 2, 0x87, 0], .acknowledged(2, isRefused: true)),
        (.v3, [0x90, 4, 0, 1, 1, 0x80], .subscribed(1, refused: [1])),
        (.v5, [0x90, 6, 0, 1, 0, 1, 0x87, 0], .subscribed(1, refused: [1])),
        (.v3, [0xD0, 0], .pong), (.v5, [0xE0, 2, 0x8E, 0], .disconnected(0x8E)), (.v5, [0xE0, 0], .disconnected(0)),
    ]

    private static let answer: ConnectAnswer = {
        var answer = ConnectAnswer(code: 0)
        (answer.unacknowledgedMax, answer.packetBytesMax, answer.keepAliveSeconds) = (20, 65_536, 9)
        (answer.acknowledges, answer.retains) = (false, false)
        return answer
    }()

    private static func message(retained: Bool = false, duplicate: Bool = false) -> ApplicationMessage {
        ApplicationMessage(topic: "a/b", payload: [79, 78], isRetained: retained, isDuplicate: duplicate)
    }

    @Test("Each packet is read, in whatever pieces it comes")
    func pieces() throws {
        for version in MQTTVersion.allCases {
            let wanted = Self.packets.filter { $0.0 == version }
            for size in 1...9 {
                var reader = PacketReader(version)
                var read: [ServerPacket] = []
                var rest = wanted.flatMap(\.1)[...]
                while !rest.isEmpty {
                    reader.take(rest.prefix(size))
                    rest = rest.dropFirst(size)
                    while let packet = try reader.next() { read.append(packet) }
                }
                #expect(read == wanted.map(\.2), "\(version), pieces of \(size)")
                #expect(reader.held == 0)
            }
        }
    }

    @Test("What is cut off is waited for, or a fault; never another packet")
    func truncated() throws {
        for (version, bytes, packet) in Self.packets {
            for count in 0..<bytes.count {
                var reader = PacketReader(version)
                reader.take(bytes.prefix(count))
                #expect(try reader.next() == nil, "\(packet) cut to \(count)")
                // The same, but the length says that this is all: what is left out at the end may be left out by the protocol.
                guard count >= 2 else { continue }
                var shorter = Array(bytes.prefix(count))
                shorter[1] = UInt8(count - 2)
                var other = PacketReader(version)
                other.take(shorter)
                do throws(PacketFault) {
                    // Version 5 lets empty properties be left out at the end.
                    let mayBe = version == .v5 && bytes.last == 0 && count == bytes.count - 1
                    #expect(try other.next() != packet || mayBe, "\(packet) cut to \(count)")
                    #expect(other.held == 0)
                } catch { #expect(!error.words.isEmpty) }
            }
        }
    }

    @Test("With any one byte changed a packet is read, waited for or a fault")
    func flipped() {
        var (faults, reads) = (0, 0)
        for (version, bytes, _) in Self.packets {
            for place in bytes.indices {
                for value in UInt8.min...UInt8.max {
                    var changed = bytes
                    changed[place] = value
                    var reader = PacketReader(version)
                    reader.take(changed)
                    do throws(PacketFault) { while try reader.next() != nil { reads += 1 } } catch { faults += 1 }
                    #expect(reader.held <= bytes.count)
                }
            }
        }
        #expect(faults > 1_000 && reads > 1_000, "\(faults) faults, \(reads) packets")
    }

    @Test("A message that is too long is passed over, in bounded room, and the next one is read")
    func tooLong() throws {
        for version in MQTTVersion.allCases {
            var reader = PacketReader(version)
            // The longest that can be: 268,435,455 bytes.
            reader.take([0x32, 0xFF, 0xFF, 0xFF, 0x7F, 0, 1, 97, 0, 9])
            var left = 0xFFF_FFFF - 5
            var read: [ServerPacket] = []
            while left > 0 {
                let count = min(left, 60_000)
                reader.take([UInt8](repeating: 7, count: count))
                left -= count
                while let packet = try reader.next() { read.append(packet) }
                #expect(reader.held <= PacketReader.bytesMax + 60_000)
            }
            reader.take([0xD0, 0])
            while let packet = try reader.next() { read.append(packet) }
            #expect(read == [.unusable(acknowledge: 9), .pong])
        }
    }

    @Test("A length without end, a packet that is too long and a kind that brokers do not send are faults")
    func faults() {
        let long = [UInt8](repeating: 0, count: PacketReader.bytesMax + 1)
        let cases: [[UInt8]] = [
            [0x30, 0x80, 0x80, 0x80, 0x80, 1], [0x90, 0x81, 0x80, 6] + long, [0x10, 0], [0x62, 2, 0, 1], [0x00, 0],
            [0xF0, 0], [0x34, 5, 0, 1, 97, 0, 1], [0x36, 3, 0, 1, 97], [0x21, 2, 0, 0],
        ]
        for bytes in cases {
            var reader = PacketReader(.v3)
            reader.take(bytes)
            #expect(throws: PacketFault.self) { try reader.next() }
        }
    }

    @Test("Random bytes never trap, and what is held stays bounded")
    func random() {
        var random = SeededGenerator(seed: 26)
        var read = 0
        for _ in 0..<20_000 {
            var reader = PacketReader(random.next() & 1 == 0 ? .v3 : .v5)
            let bytes = (0..<Int(random.next() % 60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            reader.take([[0x20, 0x30, 0x32, 0x40, 0x90, 0xE0][Int(random.next() % 6)], UInt8(bytes.count)] + bytes)
            do throws(PacketFault) { while try reader.next() != nil { read += 1 } } catch { continue }
        }
        #expect(read > 100, "some of it is read")
    }

    @Test("What is sent is as the standard has it")
    func sent() {
        let will = ApplicationMessage(topic: "s", payload: [79], isRetained: true)
        let connect = ClientPacket.connect(
            id: "v", keepAliveSeconds: 30, will: will, login: Login(user: "u", password: "p"))
        #expect(
            connect.bytes(.v3) == [
                0x10, 25, 0, 4, 77, 81, 84, 84, 4, 0b1110_0110, 0, 30, 0, 1, 118, 0, 1, 115, 0, 1, 79, 0, 1, 117, 0, 1,
                112,
            ])
        #expect(
            connect.bytes(.v5) == [
                0x10, 32, 0, 4, 77, 81, 84, 84, 5, 0b1110_0110, 0, 30, 5, 0x27, 0, 1, 0x80, 0, 0, 1, 118, 0, 0, 1, 115,
                0, 1,
                79, 0, 1, 117, 0, 1, 112,
            ])
        let message = ApplicationMessage(topic: "a/b", payload: [79, 78], isRetained: true)
        #expect(ClientPacket.publish(message, number: nil).bytes(.v3) == [0x31, 7, 0, 3, 97, 47, 98, 79, 78])
        #expect(ClientPacket.publish(message, number: 258).bytes(.v5) == [0x33, 10, 0, 3, 97, 47, 98, 1, 2, 0, 79, 78])
        #expect(ClientPacket.subscribe(1, filters: ["a"]).bytes(.v3) == [0x82, 6, 0, 1, 0, 1, 97, 1])
        #expect(ClientPacket.subscribe(1, filters: ["a"]).bytes(.v5) == [0x82, 7, 0, 1, 0, 0, 1, 97, 9])
        #expect(ClientPacket.acknowledge(5).bytes(.v5) == [0x40, 2, 0, 5])
        let long = ApplicationMessage(topic: "a", payload: [UInt8](repeating: 1, count: 200), isRetained: false)
        #expect(ClientPacket.publish(long, number: nil).bytes(.v3)?.prefix(3) == [0x30, 203, 1])
        let password = String(repeating: "x", count: 70_000)
        let tooLong = ClientPacket.connect(
            id: "v", keepAliveSeconds: 30, will: nil, login: Login(user: "u", password: password))
        #expect(tooLong.bytes(.v5) == nil)
    }

    @Test("A login shows its password to nobody")
    func redacted() {
        let login = Login(user: "vigil", password: "open sesame")
        var dumped = ""
        dump(login, to: &dumped)
        for text in ["\(login)", String(reflecting: login), dumped] { #expect(!text.contains("sesame")) }
    }
}
