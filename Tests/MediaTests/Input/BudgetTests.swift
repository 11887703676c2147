import Foundation
import Machines
import Testing

@testable import Media

/// Cameras that send what no clip can hold, or more than one camera may: their good media is recorded, and the rest is told.
@Suite("Cameras beyond their budget (H1)", .serialized)
struct BudgetTests {
    /// A camera with video and with sound as `format` (the fmtp line) says, which plays `bytes`.
    private static func camera(_ format: String, _ bytes: [UInt8], rtpmap: String = "mpeg4-generic/16000/1") throws
        -> ScriptedCamera
    {
        let sdp = """
            v=0
            s=x
            a=control:*
            m=video 0 RTP/AVP 96
            a=rtpmap:96 H264/90000
            a=control:track1
            m=audio 0 RTP/AVP 97
            a=rtpmap:97 \(rtpmap)
            a=fmtp:97 \(format)
            a=control:track2

            """
        return try ScriptedCamera { request, _ in
            switch request.method {
            case "DESCRIBE": .init(text: RTSPInputTests.ok("Content-Base: \(request.uri)/\n", body: sdp))
            case "SETUP":
                .init(
                    text: RTSPInputTests.ok(
                        "Session: 1;timeout=60\nTransport: RTP/AVP/TCP;unicast;interleaved="
                            + (request.uri.hasSuffix("track2") ? "2-3\n" : "0-1\n")))
            case "PLAY": .init(text: RTSPInputTests.ok(), bytes: bytes, closes: true)
            default: .init(text: RTSPInputTests.ok())
            }
        }
    }

    /// Video of two seconds, packed, and the same as frames.
    private static func video() throws -> (bytes: [UInt8], frames: [Frame]) {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let frames = try RTSPInputTests.frames(maker, bFrames: 0)
        var packetizer = Packetizer()
        let packets = frames.flatMap {
            packetizer.packets(CollectingSink.units($0), stamp: UInt32(truncatingIfNeeded: $0.pts))
        }
        return (Packetizer.interleaved(packets), frames)
    }

    /// A packet of sound on channel 2.
    private static func sound(_ number: Int, _ payload: [UInt8]) -> [UInt8] {
        let stamp = UInt32(truncatingIfNeeded: number * 1_024)
        var packet: [UInt8] = [
            0x80, 0x80 | 97, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number),
        ]
        packet += (0..<4).map { UInt8(truncatingIfNeeded: stamp >> UInt32(24 - 8 * $0)) } + [5, 6, 7, 8] + payload
        return [UInt8(ascii: "$"), 2, UInt8(packet.count >> 8), UInt8(packet.count & 255)] + packet
    }

    @Test(
        "Sound that no clip can hold, or no sound can be, is left out with the reason, and the video is recorded whole",
        arguments: [
            // Audio object type 42, channel configuration 0, an implausible rate, and sizes of one bit.
            ("config=F9502000", "object type 42"), ("config=14000000000000000000", "has no channels"),
            ("config=178000fa08", "500, out of range"), ("config=1408;sizelength=1;indexlength=0", "sizelength"),
            ("config=", "no AAC configuration"),
        ])
    func sound(format: String, why: String) throws {
        let video = try Self.video()
        let camera = try Self.camera("mode=AAC-hbr;\(format)", video.bytes)
        defer { camera.stop() }
        let seen = try RTSPInputTests.run(camera).seen
        #expect(CollectingSink.digests(seen.frames) == CollectingSink.digests(video.frames))
        #expect(seen.streams.first?.ignored == nil)
        let ignored = try #require(seen.streams.last?.ignored)
        #expect(ignored.contains(why), "\(ignored)")
    }

    @Test("Packets that hold more units than sound has give no more than a camera may send, and the dial ends so")
    func units() throws {
        // 200 units of one byte each: sizes of six bits, indices of two.
        let count = 200
        let table = [UInt8](repeating: 1 << 2, count: count)
        let payload =
            [UInt8((count * 8) >> 8), UInt8((count * 8) & 255)] + table + [UInt8](repeating: 7, count: count)
        let camera = try Self.camera(
            "mode=AAC-lbr;config=1408;sizelength=6;indexlength=2",
            (0..<400).flatMap { Self.sound($0, payload) })
        defer { camera.stop() }
        let seen = try RTSPInputTests.run(camera).seen
        #expect(seen.frames.count <= InputLimits().packetUnitsMax * 400)
        #expect(seen.frames.count < 20_000)
        guard case .failed(.budget, let detail)? = seen.ends.first else {
            Issue.record("\(seen.ends), \(seen.frames.count) frames, \(seen.streams.map(\.ignored))")
            return
        }
        #expect(detail.contains("frame rate"))
    }

    @Test("Parameter sets with numbers that no clip can hold are left out and told, and the frames are recorded")
    func refusedSets() throws {
        let video = try Self.video()
        let bad = [TestParameterSets.pps(id: 300), TestParameterSets.sps(id: 77), [0x67, 0x42], [0x68]]
        var packetizer = Packetizer()
        let packets = video.frames.flatMap { frame in
            packetizer.packets(bad + CollectingSink.units(frame), stamp: UInt32(truncatingIfNeeded: frame.pts))
        }
        let camera = try ScriptedCamera(RTSPInputTests.plain(Packetizer.interleaved(packets)))
        defer { camera.stop() }
        let seen = try RTSPInputTests.run(camera).seen
        #expect(CollectingSink.digests(seen.frames) == CollectingSink.digests(video.frames))
        #expect(seen.frames.allSatisfy { $0.configuration.coded != nil })
        #expect(seen.refusals.count == 4)
        #expect(seen.refusals.contains { $0.contains("pic_parameter_set_id is 300") })
        #expect(seen.refusals.contains { $0.contains("seq_parameter_set_id is 77") })
        // The writer takes them all.
        var maker = FragmentMaker()
        for frame in seen.frames { maker.append(frame) }
        try maker.sort()
    }

    @Test(
        "Parameter sets that change between key frames end no clip: they hold from the next key frame on, and lie in the frames"
    )
    func changesBetweenKeyFrames() throws {
        let key: [UInt8] = [0x65, 0x88] + [UInt8](repeating: 9, count: 50)
        let other: [UInt8] = [0x41, 0x9A] + [UInt8](repeating: 9, count: 50)
        var packetizer = Packetizer()
        var packets: [[UInt8]] = []
        for number in 0..<100 {
            let begin = [TestParameterSets.sps(), TestParameterSets.pps(), key]
            let later = [TestParameterSets.pps(id: number % 25), other]
            packets += packetizer.packets(number % 25 == 0 ? begin : later, stamp: UInt32(number * 3_600))
        }
        let camera = try ScriptedCamera(RTSPInputTests.plain(Packetizer.interleaved(packets)))
        defer { camera.stop() }
        let seen = try RTSPInputTests.run(camera).seen
        #expect(seen.frames.count == 100)
        var configuration: UInt32?
        for frame in seen.frames {
            #expect(frame.opensClip || frame.configuration.id == configuration)
            configuration = frame.configuration.id
            if !frame.isKey { #expect(CollectingSink.units(frame).count == 2) }
        }
        #expect(Set(seen.frames.map(\.configuration.id)).count == 2)
    }

    @Test("Parameter sets that change with every frame end the dial, which names the bound")
    func changes() throws {
        let sets = [TestParameterSets.sps(columns: 20), TestParameterSets.sps(columns: 40)]
        var packetizer = Packetizer()
        let packets = (0..<500).flatMap { number in
            packetizer.packets(
                [sets[number % 2], TestParameterSets.pps(), [0x65, 0x88] + [UInt8](repeating: 9, count: 50)],
                stamp: UInt32(number * 3_600))
        }
        let camera = try ScriptedCamera(RTSPInputTests.plain(Packetizer.interleaved(packets)))
        defer { camera.stop() }
        let seen = try RTSPInputTests.run(camera).seen
        guard case .failed(.budget, let detail)? = seen.ends.first else {
            Issue.record("\(seen.ends)")
            return
        }
        #expect(detail.contains("stream changes"))
        let configurations = Set(seen.frames.map { $0.configuration.id })
        #expect(configurations.count <= InputLimits().changesPerMinuteMax + 1)
    }
}
