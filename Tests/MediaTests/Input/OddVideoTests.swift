import Machines
import Testing

@testable import Media

/// Video packets as real cameras make them (H4): what the standard forbids and nothing is lost by.
@Suite("H4 odd video packets")
struct OddVideoTests {
    private typealias Packet = PacketHarness.Packet

    /// Packets of one payload each; the last of each picture is marked.
    private func packets(_ pictures: [[[UInt8]]], marks: (Int, Int) -> Bool = { $1 == $0 - 1 }) -> [Packet] {
        var sequence: UInt16 = 65_530
        return pictures.enumerated().flatMap { picture, payloads in
            payloads.enumerated().map { index, payload in
                defer { sequence &+= 1 }
                return Packet(
                    sequence: sequence, stamp: 9_000 + UInt32(picture) * 3_600, isMarked: marks(payloads.count, index),
                    payload: payload, arrivalMs: 1_000 + Int64(picture) * 40)
            }
        }
    }

    private func fragments(_ nal: [UInt8], size: Int = 900) -> [[UInt8]] {
        let body = Array(nal.dropFirst())
        let starts = Array(stride(from: 0, to: body.count, by: size))
        return starts.map { start in
            var fu = nal[0] & 0x1F
            if start == 0 { fu |= 0x80 }
            if start == starts.last { fu |= 0x40 }
            return [nal[0] & 0xE0 | 28, fu] + body[start..<min(body.count, start + size)]
        }
    }

    private func play(_ pictures: [[[UInt8]]], marks: (Int, Int) -> Bool = { $1 == $0 - 1 }) throws {
        PacketHarness.expectWhole(PacketHarness().play(packets(pictures, marks: marks)), try PacketHarness.pictures())
    }

    private func pictures(_ change: ([UInt8]) -> [[UInt8]]) throws -> [[[UInt8]]] {
        try PacketHarness.pictures().map { CollectingSink.units($0).flatMap(change) }
    }

    @Test("an empty first fragment begins the unit")
    func emptyFirst() throws {
        try play(
            pictures { nal in
                let pieces = fragments(nal)
                guard pieces.count > 1 else { return pieces }
                var (first, second) = (pieces[0], Array(pieces[0]))
                first.removeSubrange(2...)
                second[1] &= 0x7F
                return [first, second] + pieces.dropFirst()
            })
    }

    @Test("an empty last fragment, and empty ones between, end and cut nothing")
    func emptyOthers() throws {
        try play(
            pictures { nal in
                let pieces = fragments(nal)
                guard pieces.count > 1, var last = pieces.last else { return pieces }
                last[1] &= 0xBF
                let empty = [last[0], last[1] & 0x3F]
                return pieces.dropLast().flatMap { [$0, empty] } + [last, [last[0], last[1] & 0x3F | 0x40]]
            })
    }

    @Test("start and end in one fragment is a whole unit")
    func startAndEnd() throws {
        try play(
            pictures { nal in
                [[nal[0] & 0xE0 | 28, nal[0] & 0x1F | 0xC0] + nal.dropFirst()]
            })
    }

    @Test("another type in later fragments, and the reserved bit, are passed over")
    func changingType() throws {
        try play(
            pictures { nal in
                fragments(nal).enumerated().map { index, piece in
                    var piece = piece
                    piece[1] |= 0x20
                    if index > 0 { piece[1] = piece[1] & 0xE0 | 1 }
                    return piece
                }
            })
    }

    @Test("zeros behind the last unit of an aggregate are padding")
    func padded() throws {
        try play(
            pictures { nal in
                guard nal.count < 200 else { return fragments(nal) }
                return [[nal[0] & 0xE0 | 24, UInt8(nal.count >> 8), UInt8(nal.count & 255)] + nal + [0, 0, 0, 0, 0]]
            })
    }

    @Test("no mark ever, a mark on each packet, and marks on parameter sets divide nothing", arguments: 0..<3)
    func marks(kind: Int) throws {
        try play(pictures { fragments($0) }) { count, index in
            switch kind {
            case 0: false
            case 1: true
            default: index < 2 || index == count - 1
            }
        }
    }

    @Test("parameter sets with the time of the picture before go with the next one")
    func setsOfBefore() throws {
        let source = try PacketHarness.pictures()
        var all = packets(try pictures { fragments($0) })
        for index in all.indices where [7, 8, 6].contains(all[index].payload[1] & 0x1F) && all[index].stamp > 9_000 {
            all[index].stamp -= 3_600
            all[index].isMarked = true
        }
        PacketHarness.expectWhole(PacketHarness().play(all), source)
    }

    @Test("a byte stream with start codes, over fragments or in one unit, is taken apart", arguments: [300, 7, 1_200])
    func byteStream(size: Int) throws {
        let source = try PacketHarness.pictures()
        let pictures = source.map { frame in
            // As V380 does it: the first unit's header leads, the others follow behind start codes.
            let units = CollectingSink.units(frame)
            return fragments(Array(units.map { $0 }.joined(separator: [0, 0, 0, 1])), size: size)
        }
        PacketHarness.expectWhole(PacketHarness().play(packets(pictures)), source)
    }

    @Test("packets of 10 000 bytes and more are taken")
    func large() throws {
        try play(pictures { [$0] })
    }

    @Test("one picture stamped hours away stays between its neighbours", arguments: [5 * 3_600, -5 * 3_600, 3])
    func outlier(seconds: Int) throws {
        let source = try PacketHarness.pictures()
        let packets = PacketHarness.packets(source).map { packet in
            var packet = packet
            let picture = (packet.stamp - 9_000) / 3_600
            if picture % 15 == 10 { packet.stamp = packet.stamp &+ UInt32(truncatingIfNeeded: seconds * 90_000) }
            return packet
        }
        PacketHarness.expectWhole(PacketHarness().play(packets), source)
    }

    @Test("time that goes back for a while, or repeats, is put right")
    func timeBack() throws {
        let source = try PacketHarness.pictures()
        let packets = PacketHarness.packets(source).map { packet in
            var packet = packet
            let picture = (packet.stamp - 9_000) / 3_600
            if (20..<30).contains(picture) { packet.stamp = packet.stamp &- 4 * 90_000 }
            if picture % 7 == 6 { packet.stamp = packet.stamp &- 3_600 }
            return packet
        }
        PacketHarness.expectWhole(PacketHarness().play(packets), source)
    }

    @Test("a clock in milliseconds, or one of another wrong rate, is found out", arguments: [1_000, 8_000, 16_000])
    func wrongRate(rate: Int) throws {
        let source = try PacketHarness.pictures()
        // A hundred seconds at 25 pictures a second.
        let pictures = (0..<50).flatMap { _ in source }
        let packets = PacketHarness.packets(pictures, ticks: UInt32(rate / 25))
        let seen = PacketHarness().play(packets)
        #expect(seen.frames.count == 2_500)
        let times = seen.frames.map(\.dts)
        let length = (times.last ?? 0) - (times.first ?? 0)
        #expect(abs(length - 2_499 * 3_600) < 45_000, "\(Double(length) / 90_000) s")
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 > 0 && $0 < 200_000 }, "\(steps.max() ?? 0)")
    }

    @Test("parameter sets that change again and again within one unit are looked at 64 times, then left out (H2)")
    func changes() throws {
        let slice: [UInt8] = [0x65, 0x88, 9, 9]
        let sets = [TestParameterSets.sps()] + (1...200).map { TestParameterSets.pps(fill: $0) }
        let stream = sets.flatMap { $0 + [0, 0, 1] } + slice
        let harness = PacketHarness()
        let packet = PacketHarness.Packet(sequence: 7, stamp: 9_000, isMarked: true, payload: stream, arrivalMs: 1_000)
        let seen = harness.play([packet])
        let frame = try #require(seen.frames.first)
        #expect(CollectingSink.units(frame) == sets.prefix(ParameterSetStore.changesMax) + [slice])
        #expect(frame.isKey && frame.configuration.parameters.parameterSets.count == 2)
    }

    // MARK: H.265

    private static let vps: [UInt8] = [0x40, 0x01, 0x0C, 0x01]

    private func assemble(_ payloads: [(bytes: [UInt8], stamp: Int64)]) -> [(units: [[UInt8]], isDamaged: Bool)] {
        let writer = SlabWriter(pool: SlabPool(slabBytes: 16 << 10), frameBytesMax: 1 << 20)
        var video = VideoDepacketizer(
            assembler: VideoAssembler(codec: .h265, writer: writer, sets: ParameterSetStore(codec: .h265)))
        for payload in payloads {
            payload.bytes.withUnsafeBytes {
                video.push(
                    $0,
                    PacketContext(stamp: payload.stamp, arrival: Instant(ms: payload.stamp / 90), isMarked: false))
            }
        }
        video.flush()
        return video.takeReady().map { (CollectingSink.units($0), $0.isDamaged) }
    }

    @Test("H.265: fragments with an empty first one, with start and end, and with changing types")
    func h265Fragments() {
        let key: [UInt8] = [0x26, 0x01, 0x80] + (0..<600).map { UInt8(truncatingIfNeeded: $0 | 1) }
        let other: [UInt8] = [0x02, 0x01, 0x80, 9, 9]
        let made = assemble([
            ([0x62, 0x01, 0x80 | 19], 0), ([0x62, 0x01, 19] + key[2..<300], 0), ([0x62, 0x01, 1], 0),
            ([0x62, 0x01, 1] + key[300...], 0), ([0x62, 0x01, 0x40 | 19], 0),
            ([0x62, 0x01, 0xC0 | 1] + other[2...], 3_600),
        ])
        #expect(made.map(\.units) == [[key], [other]])
        #expect(made.map(\.isDamaged) == [false, false])
    }

    @Test("H.265: PACI packets are opened, and what is behind their head is taken")
    func paci() {
        let slice: [UInt8] = [0x02, 0x01, 0x80, 9, 9]
        // RFC 7798, 4.4.4: cType is the type inside, PHSsize the bytes of extension (here three).
        let head: [UInt8] = [50 << 1, 0x01, 1 << 1 | 0, 3 << 4, 7, 7, 7]
        let made = assemble([([0x26, 0x01, 0x80, 5], 0), (head + slice[2...], 3_600), (slice, 7_200)])
        #expect(made.map(\.units) == [[[0x26, 0x01, 0x80, 5]], [slice], [slice]])
    }

    @Test("H.265: an aggregate with zeros behind it, and one that is cut")
    func h265Aggregate() {
        let slice: [UInt8] = [0x26, 0x01, 0x80, 5]
        let sei: [UInt8] = [0x4E, 0x01, 6, 1, 0x80]
        let whole: [UInt8] = [0x60, 0x01, 0, 5] + sei + [0, 4] + slice
        let made = assemble([(whole + [0, 0, 0], 0), (whole + [0, 9, 2], 3_600)])
        #expect(made.map(\.units) == [[sei, slice], [sei, slice]])
        #expect(made.map(\.isDamaged) == [false, true])
    }
}
