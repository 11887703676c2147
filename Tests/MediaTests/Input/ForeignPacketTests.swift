import Machines
import Testing

@testable import Media

/// Packets and reports of others, and numbers that say nothing (H4).
@Suite("H4 packets of others")
struct ForeignPacketTests {
    private typealias Packet = PacketHarness.Packet

    /// What row 57 sends: a payload type that nobody was told, 50.
    private func foreign(_ sequence: UInt16, like packet: Packet, source: UInt32? = nil) -> Packet {
        var foreign = packet
        foreign.sequence = sequence
        foreign.payloadType = 50
        foreign.payload = [0x65, 0x88, 1, 2, 3, 4]
        foreign.isMarked = true
        if let source { foreign.source = source }
        return foreign
    }

    @Test("of another payload type change nothing, wherever their numbers stand", arguments: 0..<4, [true, false])
    func payloadType(numbering: Int, isOrdered: Bool) throws {
        let source = try PacketHarness.pictures()
        var packets: [Packet] = []
        var shift: UInt16 = 0
        for (index, packet) in PacketHarness.packets(source).enumerated() {
            var own = packet
            own.sequence &+= shift
            packets.append(own)
            guard index % 5 == 4 else { continue }
            switch numbering {
            case 0:
                shift &+= 1
                packets.append(foreign(own.sequence &+ 1, like: own))
            case 1: packets.append(foreign(own.sequence, like: own))
            case 2: packets.append(foreign(UInt16(index), like: own))
            default: packets.append(foreign(UInt16(index), like: own, source: 77))
            }
        }
        let harness = PacketHarness()
        PacketHarness.expectWhole(harness.play(packets, isOrdered: isOrdered), source)
        #expect(harness.context.counts.lostPackets == 0)
    }

    @Test("with a payload type that the description does not name are the camera's own where there are no others")
    func wrongPayloadType() throws {
        let source = try PacketHarness.pictures()
        let packets = PacketHarness.packets(source).map {
            var packet = $0
            packet.payloadType = 35
            return packet
        }
        PacketHarness.expectWhole(PacketHarness().play(packets), source)
    }

    @Test("that come first with a foreign payload type do not shut out the camera's own")
    func foreignFirst() throws {
        let source = try PacketHarness.pictures()
        let packets = PacketHarness.packets(source)
        let before = (0..<3).map { foreign(UInt16($0), like: packets[0], source: $0 == 1 ? 77 : nil) }
        PacketHarness.expectWhole(PacketHarness().play(before + packets), source)
    }

    @Test("of an old session in the same channel are left out", arguments: [true, false])
    func twoSources(isOrdered: Bool) throws {
        let source = try PacketHarness.pictures()
        let own = PacketHarness.packets(source)
        let old = PacketHarness.packets(source.suffix(40), sequence: 300, source: 99, stamp: 0x8000_0000)
        let mixed = zip(own, old).flatMap { [$0, $1] } + own.dropFirst(min(own.count, old.count))
        let harness = PacketHarness()
        PacketHarness.expectWhole(harness.play(mixed, isOrdered: isOrdered), source)
        #expect(harness.context.counts.lostPackets == 0)
    }

    @Test("a sender that takes another source number goes on without a hole", arguments: [true, false])
    func sourceChange(isOrdered: Bool) throws {
        let source = try PacketHarness.pictures()
        let before = PacketHarness.packets(source.prefix(25))
        let after = PacketHarness.packets(
            source.suffix(25), sequence: 7, source: 99, stamp: 0x8000_0000, startMs: 2_000)
        let harness = PacketHarness()
        PacketHarness.expectWhole(harness.play(before + after, isOrdered: isOrdered), source)
        #expect(harness.context.counts.lostPackets == 0)
    }

    @Test("when the source that was taken ends, the other one follows from there")
    func takeOver() throws {
        let source = try PacketHarness.pictures()
        let first = PacketHarness.packets(source.prefix(25))
        let other = PacketHarness.packets(source, sequence: 7, source: 99, stamp: 0x8000_0000)
        let mixed = zip(first, other).flatMap { [$0, $1] } + other.dropFirst(min(first.count, other.count))
        let seen = PacketHarness().play(mixed)
        // Everything of the first one, and of the other one what came behind that, from a frame's begin on or marked.
        let digests = CollectingSink.digests(seen.frames)
        #expect(Array(digests.prefix(24)) == CollectingSink.digests(source.prefix(24)))
        #expect(seen.frames.count >= 49 && seen.frames.count <= 51, "\(seen.frames.count)")
        #expect(digests.last == CollectingSink.digests(source.suffix(1)).first)
        #expect(seen.frames.filter(\.isDamaged).count <= 1)
    }

    @Test("numbers that stand still are not believed", arguments: [true, false])
    func standing(isOrdered: Bool) throws {
        let source = try PacketHarness.pictures()
        let packets = PacketHarness.packets(source).map {
            var packet = $0
            packet.sequence = 0
            return packet
        }
        PacketHarness.expectWhole(PacketHarness().play(packets, isOrdered: isOrdered), source)
    }

    @Test("numbers that begin anew are followed", arguments: [2, 90, 101, 40_000], [true, false])
    func back(step: Int, isOrdered: Bool) throws {
        let source = try PacketHarness.pictures()
        let packets = PacketHarness.packets(source).enumerated().map { index, packet in
            var packet = packet
            if index >= 60 { packet.sequence &-= UInt16(step) }
            return packet
        }
        let harness = PacketHarness()
        let seen = harness.play(packets, isOrdered: isOrdered)
        guard isOrdered || step > 100 else {
            // Over UDP a small step back looks like packets that come twice; it is over when they have passed.
            #expect(seen.frames.count >= 40)
            return
        }
        PacketHarness.expectWhole(seen, source)
        #expect(harness.context.counts.lostPackets == 0)
    }

    @Test("numbers that count down are not believed", arguments: [true, false])
    func down(isOrdered: Bool) throws {
        let source = try PacketHarness.pictures()
        let packets = PacketHarness.packets(source).map {
            var packet = $0
            packet.sequence = 0 &- packet.sequence
            return packet
        }
        let seen = PacketHarness().play(packets, isOrdered: isOrdered)
        if isOrdered { PacketHarness.expectWhole(seen, source) } else { #expect(seen.frames.count >= 45) }
    }

    @Test("a packet that comes twice counts once", arguments: [true, false])
    func twice(isOrdered: Bool) throws {
        let source = try PacketHarness.pictures()
        let packets = PacketHarness.packets(source).flatMap { [$0, $0] }
        let harness = PacketHarness()
        PacketHarness.expectWhole(harness.play(packets, isOrdered: isOrdered), source)
        #expect(harness.context.counts.lostPackets == 0)
    }

    @Test("a late packet over TCP is put where it belongs or left out, and disturbs nothing else")
    func lateOverTCP() throws {
        let source = try PacketHarness.pictures()
        var packets = PacketHarness.packets(source)
        packets.swapAt(40, 41)
        let harness = PacketHarness()
        let seen = harness.play(packets)
        #expect(seen.frames.count == source.count)
        #expect(seen.frames.filter(\.isDamaged).count <= 1)
    }

    @Test("padding of no bytes and header extensions are passed over")
    func padding() throws {
        let source = try PacketHarness.pictures()
        let harness = PacketHarness()
        for (index, packet) in PacketHarness.packets(source).enumerated() {
            var bytes = packet.bytes
            if index % 3 == 0 {
                bytes[0] |= 0x20
                bytes += [0, 0, 0, 4]
            } else if index % 3 == 1, bytes.last == 0 {
                bytes[0] |= 0x20
            } else {
                bytes[0] |= 0x10
                bytes.insert(contentsOf: [0xBE, 0xDE, 0, 1, 9, 9, 9, 9], at: 12)
            }
            harness.receive(bytes, at: packet.arrivalMs)
        }
        PacketHarness.expectWhole(harness.finish(), source)
    }

    @Test("a padding bit whose count is zero costs nothing")
    func paddingOfZero() throws {
        let unit: [UInt8] = [0x80 | 0x20, 96, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0x41, 0x9A, 7, 0]
        let packet = unit.withUnsafeBytes { RTPPacket($0) }
        #expect(try #require(packet).payload == 12..<16)
    }

    // MARK: reports

    private static func report(_ type: UInt8, source: UInt32, words: [UInt32] = []) -> [UInt8] {
        let all = [0x8100_0000 | UInt32(type) << 16 | UInt32(words.count + 1), source] + words
        return all.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
    }

    @Test("a BYE ends the track only when it is the track's own")
    func bye() throws {
        let source = try PacketHarness.pictures()
        let packets = PacketHarness.packets(source)
        let harness = PacketHarness()
        let control = { (bytes: [UInt8]) in
            bytes.withUnsafeBytes { harness.track.receiveControl($0, at: Instant(ms: 1_000)) }
        }
        control(ForeignPacketTests.report(203, source: 99))
        #expect(!harness.track.isOver)
        for packet in packets.prefix(10) { harness.receive(packet.bytes, at: packet.arrivalMs) }
        control(ForeignPacketTests.report(203, source: 99))
        // An empty one, a cut one, SDES without end, a length of nothing, a wrong version.
        control([0x80, 203, 0, 0])
        control([0x82, 203, 0, 9, 1, 2, 3])
        control([0x81, 202, 0, 2, 0, 0, 0, 99, 1, 200, 65, 65])
        control([0x80, 200, 0xFF, 0xFF])
        control([0x41, 203, 0, 1, 1, 2, 3, 4])
        control([])
        #expect(!harness.track.isOver)
        control(ForeignPacketTests.report(203, source: packets[0].source))
        #expect(harness.track.isOver)
    }

    @Test("a BYE that names several sources ends the track when it is among them")
    func byeOfSeveral() throws {
        let packets = try PacketHarness.packets(PacketHarness.pictures())
        for (others, isOver) in [([5, 6] as [UInt32], false), ([5, packets[0].source], true)] {
            let harness = PacketHarness()
            harness.receive(packets[0].bytes, at: 1_000)
            var bytes = ForeignPacketTests.report(203, source: others[0], words: [others[1]])
            bytes[0] = 0x82
            bytes.withUnsafeBytes { harness.track.receiveControl($0, at: Instant(ms: 1_000)) }
            #expect(harness.track.isOver == isOver)
        }
    }

    @Test("a sender report of another source moves nothing")
    func foreignReport() throws {
        let source = try PacketHarness.pictures()
        let harness = PacketHarness()
        for packet in PacketHarness.packets(source) {
            harness.receive(packet.bytes, at: packet.arrivalMs)
            let report = ForeignPacketTests.report(
                200, source: 99, words: [3_900_000_000, 0, packet.stamp &+ 900_000, 1, 1])
            report.withUnsafeBytes { harness.track.receiveControl($0, at: Instant(ms: packet.arrivalMs)) }
        }
        let seen = harness.finish()
        PacketHarness.expectWhole(seen, source)
        #expect(seen.frames.allSatisfy { $0.wallClockMs == nil })
    }
}
