import Foundation
import Machines
import Testing

@testable import Media

/// What lies between the packets of an interleaved connection (H4).
@Suite("H4 stray bytes between packets", .serialized)
struct StrayBytesTests {
    private func play(_ make: ([[UInt8]]) -> [UInt8]) throws {
        let source = try PacketHarness.pictures()
        var packetizer = Packetizer()
        let packets = source.flatMap { packetizer.packets(CollectingSink.units($0), stamp: UInt32($0.pts + 9_000)) }
        let camera = try ScriptedCamera(RTSPInputTests.plain(make(packets)))
        defer { camera.stop() }
        let seen = try RTSPInputTests.run(camera).seen
        #expect(seen.ends == [.failed(.closed, detail: "the camera closed the connection")])
        #expect(seen.counts.lostPackets == 0 && seen.counts.damaged == 0)
        #expect(CollectingSink.digests(seen.frames) == CollectingSink.digests(source))
    }

    @Test(
        "before each packet cost nothing",
        arguments: [
            [13, 10], [0], [0x24], [0x24, 0x24], [0x24, 0, 0], [0x24, 9, 0, 200], [0x24, 0, 0xFF, 0xFF],
            [0x52, 0x54], Array("RTSP".utf8), Array("\r\n\r\n".utf8), [UInt8](repeating: 0xFF, count: 300),
        ] as [[UInt8]])
    func before(stray: [UInt8]) throws {
        try play { packets in packets.flatMap { stray + Packetizer.interleaved([$0]) } }
    }

    @Test("packets of channels that were never set up are passed over")
    func channels() throws {
        try play { packets in
            packets.enumerated().flatMap { index, packet in
                Packetizer.interleaved([packet]) + [0x24, UInt8(2 + index % 200), 0, 4, 1, 2, 3, 4]
            }
        }
    }

    @Test("what looks like the head of a packet in those swallows nothing", arguments: [0xFF, 0x10, 0x02])
    func channelsWithHeads(high: UInt8) throws {
        try play { packets in
            packets.enumerated().flatMap { index, packet in
                let head: [UInt8] = [0x24, 0, high, UInt8(8 + index % 200), 0x80, 96]
                var bytes: [UInt8] = [0x24, 8, 0, 40]
                bytes += [UInt8](repeating: 7, count: index % 30)
                bytes += head
                bytes += [UInt8](repeating: 9, count: 34 - index % 30)
                bytes += Packetizer.interleaved([packet])
                return bytes
            }
        }
    }

    @Test("large packets of such channels in a row are not waited for until the buffer is full")
    func large() throws {
        let other = [0x24, 9, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 0xFFFF)
        try play { packets in
            packets.enumerated().flatMap { index, packet in
                Packetizer.interleaved([packet]) + (index == 3 ? Array([other, other, other, other].joined()) : [])
            }
        }
    }

    @Test("packets of length nothing, and of no RTP, are passed over")
    func empty() throws {
        try play { packets in
            packets.flatMap { [0x24, 0, 0, 0, 0x24, 0, 0, 3, 1, 2, 3] + Packetizer.interleaved([$0]) }
        }
    }

    @Test("an answer that nobody asked for, with a body or without, is passed over")
    func answers() throws {
        let answer = Array("RTSP/1.0 200 OK\r\nCSeq: 77\r\nContent-Length: 5\r\n\r\n$\0\0\u{5}x".utf8)
        let short = Array("RTSP/1.0 404 Not Found\r\nCSeq: 3\r\n\r\n".utf8)
        try play { packets in
            packets.enumerated().flatMap { index, packet in
                (index % 2 == 0 ? answer : short) + Packetizer.interleaved([packet])
            }
        }
    }

    @Test("RTP before the answer to PLAY is kept")
    func early() throws {
        let source = try PacketHarness.pictures()
        var packetizer = Packetizer()
        let packets = source.flatMap { packetizer.packets(CollectingSink.units($0), stamp: UInt32($0.pts + 9_000)) }
        let (first, rest) = (
            Packetizer.interleaved(Array(packets[..<40])), Packetizer.interleaved(Array(packets[40...]))
        )
        let camera = try ScriptedCamera { request, peer in
            var answer = RTSPInputTests.plain(rest)(request, peer)
            if request.method == "SETUP" { answer?.bytes = first }
            return answer
        }
        defer { camera.stop() }
        let seen = try RTSPInputTests.run(camera).seen
        #expect(seen.counts.lostPackets == 0)
        #expect(CollectingSink.digests(seen.frames) == CollectingSink.digests(source))
    }
}
