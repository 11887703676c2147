import Machines
import RandomSource
import Testing

@testable import Media

@Suite("Access units from RTP")
struct AssemblerTests {
    private let sps: [UInt8] = [0x67, 0x42, 0xC0, 0x1E, 0xD9, 0x00, 0xA0, 0x47, 0xFE, 0x88]
    private let pps: [UInt8] = [0x68, 0xCE, 0x38, 0x80]

    private func depacketizer(_ codec: TrackCodec = .h264, frameBytesMax: Int = 1 << 20) -> VideoDepacketizer {
        let writer = SlabWriter(pool: SlabPool(slabBytes: 16 << 10), frameBytesMax: frameBytesMax)
        return VideoDepacketizer(
            assembler: VideoAssembler(codec: codec, writer: writer, sets: ParameterSetStore(codec: codec)))
    }

    private func context(_ stamp: Int64, isMarked: Bool = false) -> PacketContext {
        PacketContext(stamp: stamp, arrival: Instant(ms: stamp), isMarked: isMarked)
    }

    private func units(_ unit: AssembledUnit) -> [[UInt8]] { CollectingSink.units(unit) }

    private func push(
        _ depacketizer: inout VideoDepacketizer, _ payload: [UInt8], _ stamp: Int64, isMarked: Bool = false
    ) {
        payload.withUnsafeBytes { depacketizer.push($0, context(stamp, isMarked: isMarked)) }
    }

    /// A NAL unit cut into pieces as RFC 6184 does.
    private func fragments(_ nal: [UInt8], size: Int) -> [[UInt8]] {
        let body = Array(nal.dropFirst())
        let starts = Array(stride(from: 0, to: body.count, by: size))
        return starts.map { start in
            var fu = nal[0] & 0x1F
            if start == 0 { fu |= 0x80 }
            if start == starts.last { fu |= 0x40 }
            return [nal[0] & 0xE0 | 28, fu] + body[start..<min(body.count, start + size)]
        }
    }

    private func slice(_ header: UInt8, first: Bool = true, count: Int = 50, fill: UInt8) -> [UInt8] {
        [header, first ? 0x88 : 0x48] + [UInt8](repeating: fill, count: count)
    }

    @Test("come out whole from single, aggregated and fragmented packets")
    func packets() throws {
        var video = depacketizer()
        let aggregate: [UInt8] = [24, 0, UInt8(sps.count)] + sps + [0, UInt8(pps.count)] + pps
        let key = slice(0x65, count: 4_000, fill: 7)
        push(&video, aggregate, 0)
        for piece in fragments(key, size: 900) { push(&video, piece, 0) }
        push(&video, slice(0x41, fill: 9), 3_600, isMarked: true)
        push(&video, slice(0x41, first: false, fill: 10), 3_600)
        video.flush()
        let ready = video.takeReady()
        try #require(ready.count == 2)
        #expect(units(ready[0]) == [sps, pps, key])
        #expect(ready[0].isKey && !ready[0].isDamaged)
        #expect(ready[0].changedSets?.sets.all == [sps, pps])
        #expect(units(ready[1]) == [slice(0x41, fill: 9), slice(0x41, first: false, fill: 10)])
        #expect(!ready[1].isKey && ready[1].changedSets == nil)
    }

    @Test("are divided where a picture begins although the time stamp is the same")
    func sameStamp() {
        var video = depacketizer()
        push(&video, slice(0x65, fill: 1), 100, isMarked: true)
        push(&video, slice(0x41, fill: 2), 100, isMarked: true)
        push(&video, slice(0x41, first: false, fill: 3), 100, isMarked: true)
        push(&video, sps, 100)
        push(&video, slice(0x65, fill: 4), 200)
        video.flush()
        let ready = video.takeReady()
        #expect(ready.map { units($0).count } == [1, 2, 2])
        // The parameter sets go with the picture that follows them, and take its time.
        #expect(ready.map(\.context.stamp) == [100, 100, 200])
    }

    @Test("with a hole are kept, cut at the hole and flagged")
    func loss() throws {
        var video = depacketizer()
        let nal = slice(0x65, count: 3_000, fill: 5)
        let pieces = fragments(nal, size: 500)
        push(&video, pieces[0], 0)
        push(&video, pieces[1], 0)
        video.lost()
        for piece in pieces[3...] { push(&video, piece, 0) }
        push(&video, slice(0x41, fill: 6), 3_600)
        push(&video, slice(0x41, fill: 7), 7_200)
        video.flush()
        let ready = video.takeReady()
        try #require(ready.count == 3)
        #expect(units(ready[0]) == [Array(nal.prefix(1_001))])
        #expect(ready.map(\.isDamaged) == [true, false, false])
    }

    @Test("whose units no longer fit when a byte stream is taken apart end with the last that does")
    func boundInByteStream() throws {
        let (first, second) = (slice(0x65, fill: 1), slice(0x41, first: false, fill: 2))
        let stream = first + [0, 0, 1] + second
        // Behind its length it just fits. Taken apart it needs a byte more: the second length fits, its unit does not.
        var video = depacketizer(frameBytesMax: 4 + stream.count)
        push(&video, stream, 0)
        video.flush()
        let ready = video.takeReady()
        try #require(ready.count == 1)
        #expect(ready[0].range.count == 4 + first.count)
        #expect(units(ready[0]) == [first])
        #expect(ready[0].isDamaged)
    }

    @Test("larger than the bound are cut and flagged")
    func bound() {
        var video = depacketizer(frameBytesMax: 2_000)
        push(&video, slice(0x65, count: 1_500, fill: 1), 0)
        push(&video, slice(0x65, first: false, count: 1_500, fill: 1), 0)
        video.flush()
        let ready = video.takeReady()
        #expect(ready.map { units($0).count } == [1])
        #expect(ready.first?.isDamaged == true)
    }

    @Test("of cameras that put a byte stream into a packet are taken apart")
    func embedded() {
        var video = depacketizer()
        let key = slice(0x65, fill: 3)
        push(&video, [0, 0, 0, 1] + sps + [0, 0, 0, 1] + pps + [0, 0, 1] + key, 0)
        video.flush()
        let ready = video.takeReady()
        #expect(ready.map(units) == [[sps, pps, key]])
        #expect(ready.first?.isKey == true)
    }

    @Test("of H.265 come out of aggregates and fragments, key frames by their kind")
    func h265() throws {
        var video = depacketizer(.h265)
        let vps: [UInt8] = [0x40, 0x01, 0x0C, 0x01]
        let key: [UInt8] = [0x26, 0x01, 0x80] + [UInt8](repeating: 2, count: 700)
        push(&video, [0x60, 0x01, 0, 4] + vps + [0, 5, 0x4E, 0x01, 6, 1, 0x80], 0)
        push(&video, [0x62, 0x01, 0x80 | 19] + key[2..<400], 0)
        push(&video, [0x62, 0x01, 0x40 | 19] + key[400...], 0)
        push(&video, [0x02, 0x01, 0x80, 1, 2, 3], 3_600)
        video.flush()
        let ready = video.takeReady()
        try #require(ready.count == 2)
        #expect(units(ready[0]) == [vps, [0x4E, 0x01, 6, 1, 0x80], key])
        #expect(ready[0].isKey && ready[0].hasRecoveryPoint)
        #expect(!ready[1].isKey)
    }

    @Test("survive any bytes", arguments: 0..<40)
    func nonsense(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var video = depacketizer(seed % 2 == 0 ? .h264 : .h265, frameBytesMax: 20_000)
        var ready = 0
        for _ in 0..<3_000 {
            let payload = (0..<Int(random.next() % 40)).map { _ in
                UInt8(truncatingIfNeeded: random.next() % 5 == 0 ? 0 : random.next())
            }
            if random.next() % 20 == 0 { video.lost() }
            push(&video, payload, Int64(random.next() % 4), isMarked: random.next() % 3 == 0)
            for unit in video.takeReady() {
                #expect(units(unit).reduce(0) { $0 + $1.count + 4 } == unit.range.count)
                ready += 1
            }
        }
        #expect(ready > 100)
    }
}

@Suite("RTP and RTCP packets")
struct RTPTests {
    private func judge(
        _ receiver: inout RTPReceiver, _ sequence: UInt16, isOrdered: Bool
    ) throws -> RTPReceiver.Verdict {
        let bytes: [UInt8] = [0x80, 96, UInt8(sequence >> 8), UInt8(sequence & 255), 0, 0, 0, 0, 0, 0, 0, 1, 1]
        let verdict = bytes.withUnsafeBytes { bytes in
            RTPPacket(bytes).map { receiver.judge($0, bytes, at: 0, isOrdered: isOrdered) }
        }
        return try #require(verdict)
    }

    @Test("are counted over the wrap of their numbers; gaps are losses, repeats are stale")
    func sequence() throws {
        var receiver = RTPReceiver()
        let steps: [(sequence: UInt16, isOrdered: Bool, verdict: RTPReceiver.Verdict)] = [
            (65_534, true, .next), (65_535, true, .next), (0, true, .next), (0, true, .stale), (4, false, .early),
            (4, true, .afterLoss(3)), (2, true, .astray), (5, true, .next), (900, true, .afterLoss(894)),
            (3, true, .astray), (4, true, .renumbered), (5, true, .next),
        ]
        for step in steps {
            let verdict = try judge(&receiver, step.sequence, isOrdered: step.isOrdered)
            #expect(verdict == step.verdict, "\(step)")
        }
        #expect(receiver.lost == 897)
        let made = receiver.report(nowMs: 0)
        let report = try #require(made)
        #expect(report.count == 48 && report[1] == 201 && report[33] == 202)
    }

    @Test("headers with extension, sources and padding are passed over, broken ones refused")
    func header() throws {
        let head: [UInt8] = [0xB1, 0xE0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 2, 0xBE, 0xDE, 0, 1, 1, 2, 3, 4]
        let bytes = head + [7, 8, 9, 0, 0, 3]
        let read = bytes.withUnsafeBytes { RTPPacket($0) }
        let packet = try #require(read)
        #expect(packet.isMarked && packet.payloadType == 96 && packet.timestamp == 9)
        #expect(Array(bytes[packet.payload]) == [7, 8, 9])
        for count in 0..<24 { #expect(Array(bytes.prefix(count)).withUnsafeBytes { RTPPacket($0) } == nil) }
        #expect(([0xB1, 0xE0] + [UInt8](repeating: 255, count: 30)).withUnsafeBytes { RTPPacket($0) } == nil)
    }

    @Test("sender reports give the wall clock")
    func report() {
        let seconds: UInt32 = 2_208_988_800 + 1_700_000_000
        let words: [UInt32] = [0x80C8_0006, 1, seconds, 0x8000_0000, 90_000, 1, 1, 0x81CB_0001, 1]
        let bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
        let middle = seconds << 16 | 0x8000
        #expect(
            bytes.withUnsafeBytes { RTCPItem.read($0) } == [
                .senderReport(source: 1, wallUs: 1_700_000_000_500_000, stamp: 90_000, middle: middle),
                .bye(sources: [1]),
            ])
    }
}
