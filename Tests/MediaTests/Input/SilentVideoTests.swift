import Machines
import Testing

@testable import Media

/// Cameras whose sound goes on when their video does not.
@Suite("Cameras whose video is silent", .serialized)
struct SilentVideoTests {
    private static let description = """
        v=0
        m=video 0 RTP/AVP 96
        a=rtpmap:96 H264/90000
        a=control:track1
        m=audio 0 RTP/AVP 0
        a=control:track2

        """

    /// A packet as it lies in the connection: of the video on channel 0, of the sound on channel 2.
    private static func packet(_ number: Int, of kind: TrackKind, _ payload: [UInt8]) -> [UInt8] {
        let packet = PacketHarness.Packet(
            sequence: UInt16(truncatingIfNeeded: number), stamp: UInt32(number) * (kind == .video ? 1_800 : 160),
            isMarked: kind == .video, payload: payload, source: kind == .video ? 1 : 2,
            payloadType: kind == .video ? 96 : 0, arrivalMs: 0)
        let bytes = packet.bytes
        return [0x24, kind == .video ? 0 : 2, UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }

    /// How a camera ends that sends sound each 20 ms, `parts` times, and with it of the video what `video` says.
    private func end(parts: Int, _ video: (Int) -> [UInt8]) throws -> CollectingSink.Seen {
        let later = (0..<parts).map { part in
            Self.packet(part, of: .audio, [UInt8](repeating: 0xFF, count: 160)) + video(part)
        }
        let camera = try ScriptedCamera { request, peer in
            switch request.method {
            case "DESCRIBE":
                .init(text: RTSPInputTests.ok("Content-Base: \(request.uri)/\n", body: Self.description))
            case "SETUP":
                .init(text: RTSPInputTests.ok("Session: 1\nTransport: \(request.fields["transport"] ?? "")\n"))
            case "PLAY": .init(text: RTSPInputTests.ok(), later: later, closes: true)
            default: RTSPInputTests.plain([])(request, peer)
            }
        }
        defer { camera.stop() }
        var limits = InputLimits()
        limits.silenceMs = 1_000
        return try RTSPInputTests.run(camera, limits: limits).seen
    }

    @Test("end as silent when no packet of it has come for the bound, though sound comes")
    func none() throws {
        let seen = try end(parts: 250) { $0 < 3 ? Self.packet($0, of: .video, [0x65, 0x88, 0x84, 0, 1]) : [] }
        #expect(seen.ends == [.failed(.silence, detail: "no packet of the video for 1000 ms, while sound comes")])
        #expect(seen.frames.contains { $0.kind == .audio })
    }

    @Test("end as silent when its packets make no picture for twice the bound")
    func pictureless() throws {
        // Packets of a kind that is none.
        let seen = try end(parts: 500) { Self.packet($0, of: .video, [0x1F, 1, 2, 3]) }
        #expect(seen.ends == [.failed(.silence, detail: "no picture for 2000 ms, though packets of the video come")])
    }

    @Test("go on where a picture comes now and then")
    func slow() throws {
        let seen = try end(parts: 150) { part in
            guard part.isMultiple(of: 25) else { return [] }
            return Self.packet(part / 25, of: .video, [0x65, 0x88, 0x84, 0, UInt8(part)])
        }
        guard case .failed(.closed, _)? = seen.ends.first else {
            Issue.record("\(seen.ends)")
            return
        }
    }
}
