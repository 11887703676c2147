import Machines
import RandomSource
import Testing

@testable import Media

/// Whatever comes in packets, the track gives frames that are whole in themselves, in order (H4, H8).
@Suite("H4 any packets")
struct AnyPacketTests {
    @Test("altered at random give frames in order, and no more than came", arguments: 0..<16)
    func packets(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let harness = PacketHarness()
        var now: Int64 = 1_000
        var bytes = 0
        let rounds = try (0..<4).flatMap { _ in try PacketHarness.packets(PacketHarness.pictures()) }
        for packet in rounds {
            var raw = packet.bytes
            switch random.next() % 12 {
            case 0: raw[Int(random.next() % 12)] = UInt8(truncatingIfNeeded: random.next())
            case 1: raw[Int(random.next() % UInt64(raw.count))] = UInt8(truncatingIfNeeded: random.next())
            case 2: raw.removeLast(Int(random.next() % UInt64(raw.count)))
            case 3: raw = raw.map { _ in UInt8(truncatingIfNeeded: random.next()) }
            case 4: now += Int64(random.next() % 3_000)
            case 5: now -= Int64(random.next() % 50)
            default: now += 2
            }
            bytes += raw.count
            harness.receive(raw, at: now, isOrdered: seed % 2 == 0)
            if random.next() % 9 == 0 {
                let control = (0..<Int(random.next() % 60)).map { index in
                    index == 0 ? 0x81 : UInt8(truncatingIfNeeded: random.next())
                }
                control.withUnsafeBytes { harness.track.receiveControl($0, at: Instant(ms: now)) }
            }
        }
        let seen = harness.finish()
        #expect(seen.frames.reduce(0) { $0 + $1.count } <= bytes * 2)
        let times = seen.frames.map(\.dts)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        for frame in seen.frames {
            #expect(CollectingSink.units(frame).reduce(0) { $0 + $1.count + 4 } == frame.count)
        }
        #expect(seen.frames.count > 20)
    }

    @Test("framing and LATM end with any bytes", arguments: 0..<16)
    func bytes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var framing = InterleavedFraming()
        if seed % 2 == 0 { framing.expect(channel: 0) }
        var latm = LATMReader()
        for _ in 0..<3_000 {
            let bytes = (0..<Int(random.next() % 80)).map { index -> UInt8 in
                switch random.next() % 4 {
                case 0: 0x24
                case 1: 0
                default: index == 0 ? 0x24 : UInt8(truncatingIfNeeded: random.next())
                }
            }
            bytes.withUnsafeBytes { bytes in
                if bytes.first == 0x24, case .packet(let length) = framing.judge(bytes) {
                    #expect(4 + length <= bytes.count)
                }
                _ = InterleavedFraming.mayBeginMessage(bytes)
            }
            for unit in latm.units(bytes) { #expect(unit.count < bytes.count) }
        }
    }
}
