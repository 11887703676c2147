import Machines
import Testing

@testable import Media

/// Sound as real cameras send it (H4).
@Suite("H4 odd audio packets")
struct OddAudioTests {
    /// What comes out of a track that `lines` describe when it gets `payloads`, each `ticks` after the one before.
    private func play(
        _ lines: String, _ payloads: [[UInt8]], ticks: UInt32 = 1_024, rate: Int = 16_000,
        isMarked: (Int) -> Bool = { _ in true }, g726: G726Order = .auto
    ) throws -> CollectingSink.Seen {
        let sdp = SDP("v=0\nm=audio 0 RTP/AVP 97\n" + lines, mediaMax: 4)
        let media = try #require(sdp.media.first)
        let plan = try RTSPTrackPlan.plan(media, g726: g726)
        let sink = CollectingSink()
        let context = DialContext(sink: sink, pool: SlabPool(), limits: InputLimits(), clocks: [plan.clock(media)])
        context.timeline.setZero(0, track: 0)
        let track = RTSPTrack(ordinal: 0, plan: plan, payloadType: 97, context: context)
        for (index, payload) in payloads.enumerated() {
            let now = Int64(index) * Int64(ticks) * 1_000 / Int64(rate) + 1_000
            let packet = PacketHarness.Packet(
                sequence: UInt16(truncatingIfNeeded: index), stamp: UInt32(index) * ticks, isMarked: isMarked(index),
                payload: payload, payloadType: 97, arrivalMs: now)
            packet.bytes.withUnsafeBytes { _ = track.receive($0, at: Instant(ms: now), isOrdered: true) }
        }
        track.flush(at: Instant(ms: 100_000))
        return sink.seen
    }

    private func bytes(_ seen: CollectingSink.Seen) -> [[UInt8]] {
        seen.frames.filter { $0.track == 0 }.map { frame in frame.withBytes { Array($0) } }
    }

    /// An access unit that begins as AAC does, with its own contents.
    private func unit(_ number: Int, count: Int = 40) -> [UInt8] {
        [0x21, UInt8(number)] + (0..<count - 2).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }
    }

    /// ISO/IEC 13818-7, 6.2: seven bytes, nine with a checksum. 16 kHz, one channel, LC.
    private func adts(_ unit: [UInt8], hasChecksum: Bool = false) -> [UInt8] {
        let length = unit.count + (hasChecksum ? 9 : 7)
        let head: [UInt8] = [
            0xFF, hasChecksum ? 0xF0 : 0xF1, 1 << 6 | 8 << 2, 1 << 6 | UInt8(length >> 11), UInt8(length >> 3 & 0xFF),
            UInt8(length & 7) << 5 | 0x1F, 0xFC,
        ]
        return head + (hasChecksum ? [0xAB, 0xCD] : []) + unit
    }

    private func table(_ units: [[UInt8]]) -> [UInt8] {
        let bits = units.count * 16
        var table = [UInt8(bits >> 8), UInt8(bits & 255)]
        for unit in units { table += [UInt8(unit.count >> 5), UInt8(unit.count << 3 & 0xFF)] }
        return table + units.joined()
    }

    private static let aac = """
        a=rtpmap:97 MPEG4-GENERIC/16000/1
        a=fmtp:97 mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1408

        """

    @Test("AAC with an ADTS head in each unit is taken without it", arguments: [false, true])
    func adtsInside(hasChecksum: Bool) throws {
        let units = (0..<12).map { unit($0) }
        let payloads = stride(from: 0, to: 12, by: 2).map { index in
            table(units[index...index + 1].map { adts($0, hasChecksum: hasChecksum) })
        }
        let seen = try play(OddAudioTests.aac, payloads, ticks: 2_048)
        #expect(bytes(seen) == units)
    }

    @Test("AAC with ADTS in place of the table of sizes is taken, one or several to a packet")
    func adtsInsteadOfTable() throws {
        let units = (0..<12).map { unit($0) }
        let seen = try play(OddAudioTests.aac, units.map { adts($0) })
        #expect(bytes(seen) == units)
        let pairs = stride(from: 0, to: 12, by: 2).map { adts(units[$0]) + adts(units[$0 + 1]) }
        let paired = try play(OddAudioTests.aac, pairs, ticks: 2_048)
        #expect(bytes(paired) == units)
    }

    @Test("AAC without indexlength, with names in capitals and a semicolon at the end, is read")
    func missingIndexLength() throws {
        let lines = """
            a=rtpmap:97 mpeg4-generic/16000/1
            a=fmtp:97 Mode=AAC-hbr;SizeLength=13;Config=1408;

            """
        let units = (0..<6).map { unit($0) }
        let seen = try play(lines, units.map { table([$0]) })
        #expect(bytes(seen) == units)
    }

    @Test("AAC whose table of sizes is longer than the packet costs that packet only")
    func brokenTable() throws {
        let units = (0..<6).map { unit($0) }
        var payloads = units.map { table([$0]) }
        payloads[2] = [0xFF, 0xFF, 1, 2, 3]
        payloads[3] = [0, 0]
        let seen = try play(OddAudioTests.aac, payloads)
        #expect(bytes(seen) == [0, 1, 4, 5].map { units[$0] })
    }

    /// StreamMuxConfig (ISO/IEC 14496-3, 1.7.3) of one layer, AAC-LC, 16 kHz, mono, in a bit string.
    private static let mux =
        "0" + "1" + "000000" + "0000" + "000" + "00010" + "1000" + "0001" + "000" + "000" + "11111111" + "0" + "0"

    private func packed(_ bits: String) -> [UInt8] {
        let padded = bits + String(repeating: "0", count: (8 - bits.count % 8) % 8)
        let all = Array(padded)
        return stride(from: 0, to: all.count, by: 8).map { UInt8(String(all[$0..<$0 + 8]), radix: 2) ?? 0 }
    }

    private func binary(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let text = String(byte, radix: 2)
            return String(repeating: "0", count: 8 - text.count) + text
        }.joined()
    }

    /// PayloadLengthInfo.
    private func length(_ count: Int) -> [UInt8] { [UInt8](repeating: 255, count: count / 255) + [UInt8(count % 255)] }

    @Test("LATM whose description has the configuration comes out, units longer than 255 bytes too")
    func latm() throws {
        let config = packed(OddAudioTests.mux).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let lines = "a=rtpmap:97 MP4A-LATM/16000/1\na=fmtp:97 profile-level-id=1;cpresent=0;config=\(config)\n"
        let units = [unit(1), unit(2, count: 300), unit(3, count: 255), unit(4)]
        let seen = try play(lines, units.map { length($0.count) + $0 })
        #expect(bytes(seen) == units)
    }

    @Test(
        "LATM without a configuration in the description is taken from the stream",
        arguments: ["cpresent=1", "profile-level-id=1;object=2", "cpresent=0;config=", "cpresent=0"])
    func latmInBand(parameters: String) throws {
        let lines = "a=rtpmap:97 MP4A-LATM/16000/1\na=fmtp:97 \(parameters)\n"
        let units = (0..<8).map { unit($0) }
        let payloads = units.enumerated().map { index, unit in
            // useSameStreamMux: the configuration is in every fourth.
            packed((index % 4 == 0 ? "0" + OddAudioTests.mux : "1") + binary(length(unit.count) + unit))
        }
        let seen = try play(lines, payloads)
        #expect(bytes(seen) == units)
        let frame = try #require(seen.frames.first)
        #expect(frame.configuration.parameters.sampleRate == 16_000)
        #expect(frame.configuration.parameters.codecConfiguration == [0x14, 0x08])
    }

    @Test("A configuration of LATM that no unit follows is no change, however often it comes (H1)")
    func latmInVain() throws {
        let lines = "a=rtpmap:97 MP4A-LATM/16000/1\na=fmtp:97 cpresent=1\n"
        // 8 kHz; the elements that tell it are empty.
        let other = OddAudioTests.mux.replacing("0001010000001", with: "0001010110001")
        #expect(other != OddAudioTests.mux)
        let units = (0..<30).map { unit($0) }
        let payloads = units.flatMap { unit in
            [
                packed("0" + OddAudioTests.mux + binary(length(unit.count) + unit)),
                packed("0" + other + binary(length(0))),
            ]
        }
        let seen = try play(lines, payloads, ticks: 512)
        #expect(bytes(seen) == units)
        let first = try #require(seen.frames.first)
        #expect(seen.frames.allSatisfy { $0.configuration === first.configuration })
        #expect(first.configuration.parameters.codecConfiguration == [0x14, 0x08])
    }

    @Test("LATM without any configuration gives no frame and harms nothing")
    func latmWithout() throws {
        let lines = "a=rtpmap:97 MP4A-LATM/16000/1\na=fmtp:97 cpresent=1\n"
        let payloads = (0..<8).map { number in packed("1" + binary(length(40) + unit(number))) }
        let seen = try play(lines, payloads)
        #expect(bytes(seen).isEmpty)
    }

    @Test("PCM is linear sound with the low byte first")
    func pcm() throws {
        let samples = (0..<160).map { Int16(truncatingIfNeeded: $0 * 200 - 16_000) }
        let little = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let big = samples.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        var made: [[[UInt8]]] = []
        for (name, payload) in [("PCM/8000", little), ("L16/8000/1", big)] {
            let seen = try play(
                "a=rtpmap:97 \(name)\n", [[UInt8]](repeating: payload, count: 50), ticks: 160, rate: 8_000)
            made.append(
                seen.frames.filter { $0.configuration.parameters.codec == .aac }.map { frame in
                    frame.withBytes { Array($0) }
                })
        }
        // The same sound, whatever the order of its bytes.
        #expect(made[0].count >= 7 && made[0] == made[1])
    }

    @Test("G.726 comes out the same in both orders, as the name says or as the camera is configured")
    func g726() throws {
        let low = (0..<80).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        let high = low.map { $0 << 4 | $0 >> 4 }
        var made: [[[UInt8]]] = []
        for (name, payload, order) in [
            ("G726-32", low, .auto), ("AAL2-G726-32", high, .auto), ("G726-32", high, .aal2),
            ("AAL2-G726-32", low, .rfc3551), ("G726-32", high, .rfc3551),
        ] as [(String, [UInt8], G726Order)] {
            let seen = try play(
                "a=rtpmap:97 \(name)/8000\n", [[UInt8]](repeating: payload, count: 50), ticks: 160, rate: 8_000,
                g726: order)
            made.append(
                seen.frames.filter { $0.configuration.parameters.codec == .aac }.map { frame in
                    frame.withBytes { Array($0) }
                })
        }
        #expect(made[0].count >= 7)
        #expect(made[1] == made[0] && made[2] == made[0] && made[3] == made[0])
        // The wrong order is heard.
        #expect(made[4] != made[0])
    }

    @Test("OPUS is 48000/2 whatever the description says, G723.1 is left out")
    func others() throws {
        let opus = try play("a=rtpmap:97 OPUS/48000/1\n", [[0x78, 1, 2], [0x78, 3, 4]], ticks: 960, rate: 48_000)
        #expect(bytes(opus).count == 2)
        #expect(throws: RTSPTrackPlan.Unsupported.self) {
            try play("a=rtpmap:97 G723/8000\n", [])
        }
    }

    @Test("a foreign payload type, a second source and stray empty packets change nothing in sound either")
    func foreign() throws {
        let units = (0..<6).map { unit($0) }
        var payloads = units.map { table([$0]) }
        payloads.insert([], at: 3)
        let seen = try play(OddAudioTests.aac, payloads)
        #expect(bytes(seen) == units)
    }
}
