import CLibav
import Testing

@testable import Media

@Suite("What is said, made ready for a loudspeaker")
struct PlayoutTests {
    private static func format(_ encoding: String, _ rate: Int) throws -> BackChannelFormat {
        let sdp = SDP(
            "v=0\nm=video 0 RTP/AVP 96\na=recvonly\nm=audio 0 RTP/AVP 97\na=rtpmap:97 \(encoding)/\(rate)\na=sendonly",
            mediaMax: 8)
        return try sdp.backChannel().format
    }

    private static func playout(_ encoding: String = "PCMU", _ rate: Int = 8_000) throws -> Playout {
        try #require(Playout(try format(encoding, rate)))
    }

    /// Plays packets, one for each of the loudspeaker's; then what is left.
    private static func play(_ packets: [SpokenPacket], _ playout: Playout, law: G711.Law = .mu) -> [Int16] {
        var samples: [Int16] = []
        for index in 0..<packets.count + 10 {
            if index < packets.count { playout.take(packets[index]) }
            samples += (playout.next() ?? []).map { G711.decode($0, law) }
        }
        return samples
    }

    private static func crossings(_ samples: some Sequence<Int16>) -> Int {
        zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) }
    }

    @Test("G.711 decodes as libav decodes it, and is the same again when it is encoded", arguments: [G711.Law.mu, .a])
    func laws(law: G711.Law) throws {
        let id = law == .mu ? AV_CODEC_ID_PCM_MULAW : AV_CODEC_ID_PCM_ALAW
        let decoder = try #require(LibavCodec(decoder: id, sampleRate: 8_000, channels: 1, bitsPerSample: 0))
        let all = (0...255).map { UInt8($0) }
        var expected: [Int16] = []
        #expect(all.withUnsafeBytes { decoder.decode($0, into: &expected) })
        #expect(all.map { G711.decode($0, law) } == expected)
        // The µ-law has two zeros.
        for byte in all where !(law == .mu && byte == 0x7F) {
            #expect(G711.encode(G711.decode(byte, law), law) == byte)
        }
        #expect(G711.decode(law.silence, law).magnitude <= 8)
        // The nearest one: no other byte is nearer, where the tables are not at their end.
        for sample in stride(from: Int16(-32_000), through: 32_000, by: 37) {
            let made = Int(G711.decode(G711.encode(sample, law), law))
            let best: UInt = expected.map { (Int($0) - Int(sample)).magnitude }.min() ?? 0
            let bound: UInt = best + 2 + UInt(sample.magnitude) / 32
            #expect((made - Int(sample)).magnitude <= bound)
        }
        #expect(
            G711.encode(.min, law) == G711.encode(-32_700, law) && G711.encode(.max, law) == G711.encode(32_700, law))
    }

    @Test("G.711 of the loudspeaker's own law goes through as it is")
    func straightThrough() throws {
        let packets = SpokenTone.g711(.pcma, seconds: 1)
        let playout = try Self.playout("PCMA")
        var bytes: [UInt8] = []
        for packet in packets {
            playout.take(packet)
            bytes += playout.next() ?? []
        }
        let said = packets.flatMap(\.payload)
        let begin = try #require(bytes.firstIndex { $0 != G711.Law.a.silence })
        #expect(
            begin <= 480
                && bytes[begin...].elementsEqual(said.drop { $0 == G711.Law.a.silence }.prefix(bytes.count - begin)))
    }

    @Test("Opus becomes the tone that it was, within 100 ms, and silence follows")
    func opus() throws {
        let packets = try SpokenTone.opus(seconds: 2)
        let samples = Self.play(packets, try Self.playout())
        let begin = try #require(samples.firstIndex { $0.magnitude > 400 })
        #expect(begin < 800)
        let crossings = Self.crossings(samples[begin + 160..<begin + 160 + 8_000])
        #expect((874...886).contains(crossings), "\(crossings)")
        #expect(samples.suffix(800).allSatisfy { $0.magnitude < 8 })
    }

    @Test("packets that are lost are silence of their length, and others that change places are put in order")
    func lossAndOrder() throws {
        let packets = SpokenTone.g711(.pcmu, seconds: 2)
        let lossy = packets.enumerated().filter { $0.offset % 10 != 9 }.map(\.element)
        let playout = try Self.playout()
        var (next, samples) = (0, [Int16]())
        for index in packets.indices {
            if next < lossy.count, lossy[next].sequence == packets[index].sequence {
                playout.take(lossy[next])
                next += 1
            }
            samples += (playout.next() ?? []).map { G711.decode($0, .mu) }
        }
        let blocks = stride(from: 0, to: samples.count, by: 160).map { samples[$0..<min($0 + 160, samples.count)] }
        let silent = blocks.dropFirst(3).count { $0.allSatisfy { $0 == 0 } }
        #expect((8...10).contains(silent), "\(silent)")
        #expect(playout.played == UInt64(lossy.count))

        var mixed = packets
        for index in stride(from: 10, to: mixed.count - 1, by: 7) { mixed.swapAt(index, index + 1) }
        let heard = Self.play(mixed, try Self.playout())
        let begin = try #require(heard.firstIndex { $0 != 0 })
        let said = packets.flatMap(\.payload).map { G711.decode($0, .mu) }.drop { $0 == 0 }
        #expect(heard[begin...].prefix(15_000).elementsEqual(said.prefix(15_000)))
    }

    @Test("what comes all at once is cut to the newest, so that it is not heard late")
    func burst() throws {
        let playout = try Self.playout()
        let packets = SpokenTone.g711(.pcmu, seconds: 2)
        for packet in packets.prefix(50) { playout.take(packet) }
        var loud = 0
        for _ in 0..<50 { loud += (playout.next() ?? []).contains { $0 != 0xFF } ? 1 : 0 }
        #expect(loud <= 4 && playout.cutMs >= 900, "\(loud), \(playout.cutMs)")
        // What comes then is heard as ever.
        let samples = Self.play(Array(packets.dropFirst(50)), playout)
        #expect(samples.count { $0 != 0 } > 7_000)
    }

    @Test("a queue is in order, without doubles, bounded, and begins anew with another source")
    func queue() {
        func packet(_ sequence: UInt16, _ source: UInt32 = 1) -> SpokenPacket {
            SpokenPacket(.pcmu, sequence: sequence, stamp: 0, source: source, payload: [1])
        }
        var buffer = JitterBuffer()
        for sequence: UInt16 in [65_534, 0, 65_535, 0, 65_534] { buffer.put(packet(sequence)) }
        var taken: [UInt16] = []
        while let next = buffer.take(isNeeded: false) { taken.append(next.packet.sequence) }
        #expect(taken == [65_534, 65_535, 0] && buffer.dropped == 2)
        // 1 is missing: it is waited for until it is needed.
        buffer.put(packet(2))
        #expect(buffer.take(isNeeded: false) == nil)
        #expect(buffer.take(isNeeded: true)?.hasGap == true)
        buffer.put(packet(1))
        #expect(buffer.dropped == 3)
        for sequence: UInt16 in 4..<104 { buffer.put(packet(sequence)) }
        var count = 0
        while buffer.take(isNeeded: true) != nil { count += 1 }
        #expect(count == JitterBuffer.packetsMax)
        buffer.put(packet(9, 2))
        #expect(buffer.take(isNeeded: false)?.packet.source == 2)
        buffer.put(packet(30_000, 2))
        #expect(buffer.take(isNeeded: false)?.packet.sequence == 30_000)
    }

    @Test(
        "whatever a talker sends, packets of the loudspeaker's length come out, and nothing grows",
        arguments: ["PCMU", "MPEG4-GENERIC"])
    func junk(encoding: String) throws {
        let playout = try Self.playout(encoding, encoding == "PCMU" ? 8_000 : 16_000)
        let good = try SpokenTone.opus(seconds: 1)
        for round in 0..<6_000 {
            let base = good[round % good.count]
            var payload = base.payload
            switch round % 4 {
            case 0: payload = (0..<Int.random(in: 0...1_500)).map { _ in UInt8.random(in: 0...255) }
            case 1: payload = payload.map { byte in Int.random(in: 0..<8) == 0 ? UInt8.random(in: 0...255) : byte }
            case 2: payload = Array(payload.prefix(Int.random(in: 0...payload.count)))
            default: break
            }
            let coding: SpokenPacket.Coding = round % 5 == 1 ? .pcmu : round % 7 == 1 ? .pcma : .opus
            let isElsewhere = Int.random(in: 0..<3) == 0
            let sequence = isElsewhere ? UInt16.random(in: 0...65_535) : UInt16(truncatingIfNeeded: round)
            let source = Int.random(in: 0..<50) == 0 ? UInt32.random(in: 0...3) : 1
            playout.take(
                SpokenPacket(
                    coding, sequence: sequence, stamp: UInt32.random(in: 0...UInt32.max), source: source,
                    payload: payload))
            guard round % 3 == 0, let made = playout.next() else { continue }
            if encoding == "PCMU" { #expect(made.count == 160) } else { #expect(made.count > 4) }
            #expect(playout.waitingSamples <= 16_000)
        }
        #expect(playout.refused > 0 && playout.played > 0)
    }

    @Test("the offers of descriptions that are chosen, and those that are not")
    func offers() throws {
        func chosen(_ text: String) -> String? {
            try? SDP("v=0\nm=video 0 RTP/AVP 96\na=recvonly\n" + text, mediaMax: 8).backChannel().format.name
        }
        #expect(chosen("m=audio 0 RTP/AVP 0\na=sendonly") == "PCMU/8000")
        #expect(chosen("m=audio 0 RTP/AVP 0\na=recvonly\nm=audio 0 RTP/AVP 8\na=sendonly") == "PCMA/8000")
        #expect(
            chosen("m=audio 0 RTP/AVP 98 97 8\na=rtpmap:98 G726-32/8000\na=rtpmap:97 PCMU/16000\na=sendonly")
                == "PCMU/16000")
        #expect(chosen("m=audio 0 RTP/AVP 97\na=rtpmap:97 MPEG4-GENERIC/48000/2\na=sendonly") == "AAC/48000")
        #expect(chosen("m=audio 0 RTP/AVP 97\na=rtpmap:97 MPEG4-GENERIC/48000/6\na=sendonly") == nil)
        #expect(chosen("m=audio 0 RTP/SAVP 0\na=sendonly") == nil)
        #expect(chosen("m=audio 0 RTP/AVP 0\na=recvonly") == nil)
        #expect(chosen("m=audio 0 RTP/AVP 98\na=rtpmap:98 PCMU/0\na=sendonly") == nil)
    }
}
