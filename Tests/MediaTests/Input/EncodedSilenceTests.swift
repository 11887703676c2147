import CLibav
import Machines
import Synchronization
import Testing

@testable import Media

@Suite("Silence in place of a microphone that is off")
struct EncodedSilenceTests {
    private func configuration(_ codec: TrackCodec, _ bytes: [UInt8], rate: Int, channels: Int) -> TrackConfiguration {
        TrackConfiguration(
            id: 0,
            parameters: TrackParameters(
                kind: .audio, codec: codec, codecConfiguration: bytes, sampleRate: rate, channels: channels,
                timescale: Int32(clamping: rate)))
    }

    private func unit(_ bytes: [UInt8], _ configuration: TrackConfiguration) -> [UInt8]? {
        bytes.withUnsafeBytes { EncodedSilence.unit(for: $0, configuration) }
    }

    /// The samples of packets that one decoder takes one after the other; nil where it refuses one.
    private func decoded(_ packets: [[UInt8]], _ decoder: LibavCodec) -> [Int16]? {
        var samples: [Int16] = []
        for packet in packets {
            guard packet.withUnsafeBytes({ decoder.decode($0, into: &samples) }) else { return nil }
        }
        return samples
    }

    @Test("AAC of each channel configuration decodes to whole frames of zeros", arguments: [1, 2, 3, 4, 5, 6, 7])
    func aac(_ layout: Int) throws {
        for objectType in [1, 2, 4] {
            let audio = try #require(
                AACConfiguration.bytes(objectType: objectType, sampleRate: 48_000, channels: layout))
            let channels = layout == 7 ? 8 : layout
            let track = configuration(.aac, audio, rate: 48_000, channels: channels)
            let silence = try #require(unit([1, 2, 3, 4], track))
            // ADTS: a decoder without a configuration of its own reads it from there (ISO/IEC 13818-7, 6.2).
            let length = silence.count + 7
            let head: [UInt8] = [
                0xFF, 0xF1, UInt8((objectType - 1) << 6 | 3 << 2 | layout >> 2),
                UInt8((layout & 3) << 6 | length >> 11), UInt8(length >> 3 & 0xFF), UInt8((length & 7) << 5 | 0x1F),
                0xFC,
            ]
            let decoder = try #require(
                LibavCodec(decoder: AV_CODEC_ID_AAC, sampleRate: 48_000, channels: channels, bitsPerSample: 0))
            let samples = try #require(decoded([[UInt8]](repeating: head + silence, count: 5), decoder))
            #expect(samples.count == 5 * 1_024 * channels, "\(objectType) \(layout)")
            #expect(samples.allSatisfy { $0 == 0 }, "\(objectType) \(layout)")
        }
    }

    @Test("Opus of each mode and length decodes to as many zeros as the packet lasted, mono and stereo")
    func opus() throws {
        for channels in 1...2 {
            let track = configuration(.opus, OpusPacket.head(channels: channels), rate: 48_000, channels: channels)
            let decoder = try #require(
                LibavCodec(decoder: AV_CODEC_ID_OPUS, sampleRate: 48_000, channels: channels, bitsPerSample: 0))
            var (packets, lasted): ([[UInt8]], Int64) = ([], 0)
            for mode in UInt8(0)..<32 {
                for tail in [[0], [1], [2, 0], [3, 1], [3, 2], [3, 3]] as [[UInt8]] {
                    let head: UInt8 = mode << 3 | (channels == 2 ? 4 : 0) | tail[0]
                    let packet: [UInt8] = [head] + tail.dropFirst() + [9, 9, 9]
                    guard let duration = packet.withUnsafeBytes(OpusPacket.duration), duration <= 5_760 else {
                        continue
                    }
                    let silence = try #require(unit(packet, track))
                    #expect(silence.withUnsafeBytes(OpusPacket.duration) == duration)
                    packets.append(silence)
                    lasted += duration
                }
            }
            let samples = try #require(decoded(packets, decoder))
            #expect(samples.count == Int(lasted) * channels && packets.count > 150)
            #expect(samples.allSatisfy { $0 == 0 })
        }
        let mono = configuration(.opus, OpusPacket.head(channels: 1), rate: 48_000, channels: 1)
        #expect(unit([0xFF], mono) == nil)
    }

    @Test("G.711, G.726 and linear PCM of as many bytes are silence, also after something loud")
    func samples() throws {
        let forms: [(TrackCodec, [UInt8], AVCodecID, Int, ClosedRange<Int16>)] = [
            (.pcmu, [], AV_CODEC_ID_PCM_MULAW, 0, 0...0), (.pcma, [], AV_CODEC_ID_PCM_ALAW, 0, -8...8),
            (.l16, [], AV_CODEC_ID_PCM_S16BE, 0, 0...0), (.g726, [2], AV_CODEC_ID_ADPCM_G726LE, 2, -32...32),
            (.g726, [3], AV_CODEC_ID_ADPCM_G726LE, 3, 0...0), (.g726, [4], AV_CODEC_ID_ADPCM_G726LE, 4, 0...0),
            (.g726, [5], AV_CODEC_ID_ADPCM_G726LE, 5, 0...0),
        ]
        let loud = (0..<120).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
        for (codec, bytes, id, bits, bound) in forms {
            let track = configuration(codec, bytes, rate: 8_000, channels: 1)
            let silence = try #require(unit(loud, track))
            #expect(silence.count == loud.count)
            let decoder = try #require(LibavCodec(decoder: id, sampleRate: 8_000, channels: 1, bitsPerSample: bits))
            let before = try #require(decoded([loud], decoder))
            let after = try #require(decoded([[UInt8]](repeating: silence, count: 60), decoder))
            #expect(after.count == before.count * 60, "\(codec) \(bits)")
            #expect(before.contains { $0.magnitude > 256 }, "\(codec) \(bits)")
            #expect(
                after.suffix(before.count).allSatisfy(bound.contains), "\(codec) \(bits): \(after.suffix(20))")
        }
    }

    /// Wants AAC, and is muted while it is told so.
    private final class Listener: InputSink {
        let muted = Atomic<Bool>(false)
        let frames = Mutex<[Frame]>([])
        let told = Mutex<[String]>([])
        var isMuted: Bool { muted.load(ordering: .relaxed) }
        func dialed(_ streams: [StreamDescription]) {}
        func frame(_ frame: Frame) { frames.withLock { $0.append(frame) } }
        func refused(track: Int, why: String) { told.withLock { $0.append("\(track): \(why)") } }
        func repaired(_ report: RepairReport) {}
        func ended(_ end: InputEnd, counts: InputCounts) {}
    }

    @Test("It holds for what comes from then on, in each track and at the same times")
    func track() throws {
        let sink = Listener()
        let context = DialContext(
            sink: sink, pool: SlabPool(), limits: InputLimits(),
            clocks: [Timeline.Clock(kind: .audio, timescale: 8_000)])
        context.timeline.setZero(0, track: 0)
        let transcoder = try #require(
            AudioTranscoder(codec: AV_CODEC_ID_PCM_MULAW, sampleRate: 8_000, channels: 1))
        let track = AudioTrack(ordinal: 0, transcoder: transcoder, context: context)
        let loud = (0..<160).map { UInt8($0 / 4 % 2 == 0 ? 0x00 : 0x80) }
        for index in 0..<Int64(300) {
            sink.muted.store((100..<200).contains(index), ordering: .relaxed)
            loud.withUnsafeBytes {
                track.accept(
                    $0, PacketContext(stamp: index * 160, arrival: Instant(ms: 1_000 + index * 20)), durationTicks: nil)
            }
        }
        let frames = sink.frames.withLock { $0 }
        let (original, made) = (frames.filter { $0.track == 0 }, frames.filter { $0.track == 1 })
        let first = try #require(original.first?.pts)
        #expect(original.map(\.pts) == (0..<Int64(300)).map { first + $0 * 160 })
        for (index, frame) in original.enumerated() {
            let isSilent = frame.withBytes { $0.allSatisfy { $0 == 0xFF } }
            #expect(isSilent == (100..<200).contains(index) && frame.isSilence == isSilent, "\(index)")
        }
        #expect(zip(made, made.dropFirst()).allSatisfy { $1.pts - $0.pts == 1_024 })
        // Silence is next to nothing; a square wave at full scale is not. Two frames on either side are of both.
        let quiet = made.filter { ($0.pts - first) / 160 > 100 + 13 && ($0.pts + 2_048 - first) / 160 < 200 }
        #expect(!quiet.isEmpty && quiet.allSatisfy { $0.count < 40 }, "\(made.map(\.count))")
        #expect(sink.told.withLock { $0 }.isEmpty)
    }

    @Test("Sound of which no silence can be made is left out, which is told once, and comes again afterwards")
    func leftOut() throws {
        // AAC ELD at 48 kHz, mono.
        let eld: [UInt8] = [0xF8, 0xE6, 0x20, 0x00]
        let parameters = TrackParameters(
            kind: .audio, codec: .aac, codecConfiguration: eld, sampleRate: 48_000, channels: 1, timescale: 48_000)
        let sink = Listener()
        let context = DialContext(
            sink: sink, pool: SlabPool(), limits: InputLimits(),
            clocks: [Timeline.Clock(kind: .audio, timescale: 48_000)])
        context.timeline.setZero(0, track: 0)
        let track = AudioTrack(ordinal: 0, parameters: parameters, context: context)
        for index in 0..<Int64(30) {
            sink.muted.store((10..<20).contains(index), ordering: .relaxed)
            [UInt8](repeating: 7, count: 90).withUnsafeBytes {
                track.accept(
                    $0, PacketContext(stamp: index * 512, arrival: Instant(ms: 1_000 + index * 10)), durationTicks: 512)
            }
        }
        #expect(sink.frames.withLock { $0.count } == 20)
        #expect(sink.frames.withLock { $0.allSatisfy { $0.count == 90 } })
        let told = sink.told.withLock { $0 }
        #expect(told == ["0: the microphone is off, and no silence can be made of this aac"])
    }
}
