import CLibav
import Machines
import Synchronization
import Testing

@testable import Media

@Suite("Audio that is turned into AAC")
struct AudioTests {
    /// Packets of 20 ms of µ-law silence with their times in samples.
    private func run(_ transcoder: AudioTranscoder, packets: Range<Int64>, shift: (Int64) -> Int64 = { _ in 0 }) -> [(
        pts: Int64, duration: Int64
    )] {
        var frames: [(pts: Int64, duration: Int64)] = []
        let packet = [UInt8](repeating: 0xFF, count: 160)
        for index in packets {
            guard packet.withUnsafeBytes({ transcoder.decode($0) }) == 160 else {
                Issue.record("a packet of 160 bytes has 160 samples")
                return frames
            }
            transcoder.encode(pts: index * 160 + shift(index)) { frames.append(($1, $2)) }
        }
        transcoder.flush { frames.append(($1, $2)) }
        return frames
    }

    private func telephone() throws -> AudioTranscoder {
        let transcoder = AudioTranscoder(codec: AV_CODEC_ID_PCM_MULAW, sampleRate: 8_000, channels: 1)
        return try #require(transcoder)
    }

    @Test("does not drift in an hour")
    func hour() throws {
        let transcoder = try telephone()
        let priming = Int64(transcoder.parameters.primingSamples)
        let frames = run(transcoder, packets: 0..<180_000)
        #expect(priming == 1_024)
        #expect(frames.first?.pts == -priming)
        #expect(frames.allSatisfy { $0.duration == 1_024 })
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.pts - $0.pts == 1_024 })
        let end = try #require(frames.last.map { $0.pts + $0.duration })
        #expect((28_800_000..<28_800_000 + 2_048).contains(end))
    }

    @Test("keeps a hole in the input a hole in time, and fills a small one")
    func holes() throws {
        let small = run(try telephone(), packets: 0..<500) { $0 >= 250 ? 400 : 0 }
        #expect(zip(small, small.dropFirst()).allSatisfy { $1.pts - $0.pts == 1_024 })
        let off = (small.last?.pts ?? 0) - (500 * 160 + 400)
        #expect(off.magnitude < 2_048)

        let large = run(try telephone(), packets: 0..<500) { $0 >= 250 ? 40_000 : 0 }
        let steps = zip(large, large.dropFirst()).map { $1.pts - $0.pts }
        #expect(steps.filter { $0 != 1_024 }.count == 1)
        // The first frame after the hole begins where the input does.
        #expect(large.contains { $0.pts == 250 * 160 + 40_000 })
    }

    /// Wants AAC while it is told so.
    private final class Listener: InputSink {
        let wants = Atomic<Bool>(false)
        let frames = Mutex<[Frame]>([])
        var wantsStoredSound: Bool { wants.load(ordering: .relaxed) }
        func dialed(_ streams: [StreamDescription]) {}
        func frame(_ frame: Frame) { frames.withLock { $0.append(frame) } }
        func repaired(_ report: RepairReport) {}
        func ended(_ end: InputEnd, counts: InputCounts) {}
    }

    @Test("is made only while it is wanted, and begins anew: no sound of before comes out later")
    func wanted() throws {
        let sink = Listener()
        let context = DialContext(
            sink: sink, pool: SlabPool(), limits: InputLimits(),
            clocks: [Timeline.Clock(kind: .audio, timescale: 8_000)])
        context.timeline.setZero(0, track: 0)
        let track = AudioTrack(ordinal: 0, transcoder: try telephone(), context: context)
        // Loud while nobody may hear it, silent after.
        for index in 0..<Int64(300) {
            sink.wants.store((100..<200).contains(index), ordering: .relaxed)
            let isLoud = !(100..<200).contains(index)
            let packet = (0..<160).map { isLoud ? ($0 / 4 % 2 == 0 ? 0x00 : 0x80) : UInt8(0xFF) }
            packet.withUnsafeBytes {
                track.accept(
                    $0, PacketContext(stamp: index * 160, arrival: Instant(ms: 1_000 + index * 20)),
                    durationTicks: nil)
            }
        }
        track.flush(at: Instant(ms: 7_000))
        let frames = sink.frames.withLock { $0 }
        let (original, made) = (frames.filter { $0.track == 0 }, frames.filter { $0.track == 1 })
        #expect(original.count == 300 && original.allSatisfy { $0.count == 160 && $0.durationTicks == 160 })
        #expect(made.count == 14 || made.count == 15)
        let first = try #require(original.first).pts
        #expect(made.first?.pts == first + 16_000 - 1_024)
        #expect(made.allSatisfy { $0.arrival >= Instant(ms: 3_000) && $0.arrival < Instant(ms: 5_000) })
        // Silence is next to nothing; a square wave at full scale is not.
        #expect(made.allSatisfy { $0.count < 40 }, "\(made.map(\.count))")
    }

    @Test("is not offered where AAC has no such rate")
    func rates() {
        #expect(AudioTranscoder(codec: AV_CODEC_ID_PCM_S16BE, sampleRate: 8_001, channels: 1) == nil)
        #expect(AudioTranscoder(codec: AV_CODEC_ID_PCM_S16BE, sampleRate: 44_100, channels: 2) != nil)
        #expect(
            AudioTranscoder(codec: AV_CODEC_ID_ADPCM_G726LE, sampleRate: 8_000, channels: 1, bitsPerSample: 4) != nil)
    }

    @Test("No packet gives more units than it may have, in whatever form they come (H1)")
    func unitsMax() {
        // 200 units of one byte: behind a table of sizes, behind heads of ADTS, behind their lengths.
        let table =
            [UInt8((200 * 8) >> 8), UInt8(truncatingIfNeeded: 200 * 8)] + [UInt8](repeating: 1 << 2, count: 200)
        let forms: [(AudioDepacketizer.Layout, [UInt8])] = [
            (.mpeg4(sizeBits: 6, indexBits: 2, frameTicks: 1_024), table + [UInt8](repeating: 7, count: 200)),
            (
                .mpeg4(sizeBits: 13, indexBits: 3, frameTicks: 1_024),
                (0..<200).flatMap { _ in [0xFF, 0xF1, 0x60, 0x40, 0x01, 0x00, 0xFC, 7] as [UInt8] }
            ),
            (.latm(frameTicks: 1_024), (0..<200).flatMap { _ in [1, 7] as [UInt8] }),
        ]
        for (layout, payload) in forms {
            var depacketizer = AudioDepacketizer(layout: layout, unitsMax: 64)
            var count = 0
            payload.withUnsafeBytes { depacketizer.push($0, isMarked: true) { _, _, _, _ in count += 1 } }
            #expect(count == 64, "\(layout)")
        }
    }

    @Test("AAC units come out of RTP packets with several of them, and from several packets")
    func mpeg4() {
        var depacketizer = AudioDepacketizer(
            layout: .mpeg4(sizeBits: 13, indexBits: 3, frameTicks: 1_024), unitsMax: 64)
        var units: [(bytes: [UInt8], offset: Int64, isDamaged: Bool)] = []
        let push = { (payload: [UInt8], depacketizer: inout AudioDepacketizer) in
            payload.withUnsafeBytes {
                depacketizer.push($0, isMarked: true) { units.append(([UInt8]($0), $1, $3)) }
            }
        }
        push([0, 32, 0, 3 << 3, 0, 2 << 3, 1, 2, 3, 4, 5], &depacketizer)
        push([0, 16, 0, 5 << 3, 1, 2], &depacketizer)
        push([0, 16, 0, 5 << 3, 3, 4, 5], &depacketizer)
        depacketizer.lost()
        push([0, 16, 0, 1 << 3, 9], &depacketizer)
        push([0, 16, 0xFF, 0xFF], &depacketizer)
        push([9], &depacketizer)
        #expect(units.map(\.bytes) == [[1, 2, 3], [4, 5], [1, 2, 3, 4, 5], [9]])
        #expect(units.map(\.offset) == [0, 1_024, 0, 0])
        #expect(units.map(\.isDamaged) == [false, false, false, true])
    }

    @Test("Opus packets say how long they last")
    func opus() {
        let duration = { (bytes: [UInt8]) in bytes.withUnsafeBytes { OpusPacket.duration($0) } }
        #expect(duration([0x78]) == 960)
        #expect(duration([0xFC, 1]) == 960)
        #expect(duration([0x19, 0]) == 5_760)
        #expect(duration([0xFB, 3]) == 2_880)
        #expect(duration([]) == nil)
    }

    @Test("an AudioSpecificConfig is read back as it was made, by the writer's parser")
    func configuration() throws {
        for rate in [8_000, 16_000, 48_000] {
            let bytes = try #require(AACConfiguration.bytes(objectType: 2, sampleRate: rate, channels: 2))
            let read = try AudioSpecificConfig(bytes)
            #expect(read.sampleRate == rate && read.channels == 2 && read.objectType == 2)
        }
    }
}
