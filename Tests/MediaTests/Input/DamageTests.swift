import Machines
import RandomSource
import Testing

@testable import Media

/// Frames that packets are missing from (H4): they are recorded, marked, counted and told.
@Suite("H4 frames that packets are missing from")
struct DamageTests {
    /// Loses packets at random; gives what came of the rest, and which pictures lacked something.
    private func lose(
        percent: UInt64, isOrdered: Bool, seed: UInt64
    ) throws -> (seen: CollectingSink.Seen, touched: Set<Int>, gone: Set<Int>, lost: Int, counts: InputCounts) {
        var random = SeededGenerator(seed: seed)
        let source = try PacketHarness.pictures()
        let packets = PacketHarness.packets((0..<10).flatMap { _ in source })
        let kept = packets.enumerated().filter { $0.offset == 0 || random.next() % 100 >= percent }.map(\.element)
        let picture = { (packet: PacketHarness.Packet) in Int((packet.stamp - 9_000) / 3_600) }
        let all = Dictionary(grouping: packets, by: picture).mapValues(\.count)
        let left = Dictionary(grouping: kept, by: picture).mapValues(\.count)
        let touched = Set(all.keys.filter { left[$0] != nil && left[$0] != all[$0] })
        let harness = PacketHarness()
        let seen = harness.play(kept, isOrdered: isOrdered)
        let lastKept = kept.last.map { packet in packets.lastIndex { $0.sequence == packet.sequence } ?? 0 } ?? 0
        return (
            seen, touched, Set(all.keys).subtracting(left.keys), lastKept + 1 - kept.count, harness.context.counts
        )
    }

    @Test(
        "over UDP and TCP, with 1, 5 and 20 % of the packets lost: all that came is recorded, what lacks something is marked",
        arguments: [1, 5, 20], [true, false])
    func loss(percent: UInt64, isOrdered: Bool) throws {
        for seed in 0..<5 as Range<UInt64> {
            let (seen, touched, gone, lost, counts) = try lose(percent: percent, isOrdered: isOrdered, seed: seed)
            #expect(counts.lostPackets == UInt64(lost))
            let marked = seen.frames.filter(\.isDamaged).count
            #expect(counts.damaged == UInt64(marked))
            #expect(seen.damages.reduce(0) { $0 + $1.frames } == marked)
            #expect(seen.damages.reduce(0) { $0 + $1.lostPackets } <= counts.lostPackets)
            // Every picture of which a slice can be used is there.
            #expect(seen.frames.count <= 500 - gone.count && seen.frames.count >= 500 - gone.count - touched.count)
            // A picture that is gone for good marks a neighbour; nothing else is marked.
            let missing = 500 - seen.frames.count
            #expect(
                marked >= touched.count - missing && marked <= touched.count + missing, "\(marked) \(touched.count)")
            let times = seen.frames.map(\.dts)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test("the picture whose last packet is lost is marked, and the next one is not")
    func lastPacket() throws {
        let source = try PacketHarness.pictures()
        var packets = PacketHarness.packets(source)
        let keys = packets.filter { $0.stamp == 9_000 }.count
        packets.remove(at: keys - 1)
        let seen = PacketHarness().play(packets)
        #expect(seen.frames.map(\.isDamaged) == [true] + [Bool](repeating: false, count: 49))
        #expect(CollectingSink.digests(seen.frames.dropFirst()) == CollectingSink.digests(source.dropFirst()))
    }

    @Test("a picture that is lost as a whole marks the next one")
    func wholePicture() throws {
        let source = try PacketHarness.pictures()
        let packets = PacketHarness.packets(source).filter { $0.stamp != 9_000 + 10 * 3_600 }
        let seen = PacketHarness().play(packets)
        #expect(seen.frames.count == 49)
        #expect(seen.frames.enumerated().filter(\.element.isDamaged).map(\.offset) == [10])
    }

    @Test("a burst is told once, with the packets that were lost")
    func burst() throws {
        let source = try PacketHarness.pictures()
        let packets = PacketHarness.packets(source).enumerated().filter { $0.offset % 20 != 7 }.map(\.element)
        let seen = PacketHarness().play(packets)
        let report = try #require(seen.damages.first)
        #expect(seen.damages.count == 1)
        #expect(report.frames == seen.frames.filter(\.isDamaged).count && report.lostPackets > 0)
        #expect(report.first <= report.last)
    }

    @Test("is marked in fragment and index, and read back from both")
    func marked() throws {
        let samples = (0..<4).map { number in
            SampleMetadata(size: 10, durationTicks: 3_600, isSync: number == 0, isDamaged: number == 2)
        }
        let fragment = Fragment(decodeTime: 0, samples: samples)
        #expect(fragment.damagedCount == 1)
        var index = FragmentIndex(timescale: 90_000, headerBytes: 100)
        for number in 0..<3 as Range<UInt64> {
            index.entries.append(
                FragmentIndex.Entry(
                    offset: 100 + number * 50, size: 50, decodeTime: number * 90_000, durationTicks: 90_000,
                    sampleCount: 25, startsWithKey: true, damagedCount: number == 1 ? 7 : 0))
        }
        #expect(index.damagedCount == 7)
        #expect(try FragmentIndex(decoding: index.encoded()) == index)
        // An index without damage stays as it was: older programs read it.
        let whole = FragmentIndex(timescale: 90_000, headerBytes: 100, entries: [index.entries[0], index.entries[2]])
        #expect(whole.encoded().first == 1 && index.encoded().first == 2)
        #expect(try FragmentIndex(decoding: whole.encoded()) == whole)
        var broken = index.encoded()
        broken[broken.count - 1] = 26
        #expect(throws: BitstreamError.self) { try FragmentIndex(decoding: broken) }
    }

    @Test("is found again by a scan of the file, sample by sample")
    func scanned() throws {
        let maker = try MediaMaker()
        defer { maker.remove() }
        let stream = try TestMedia.h264.get()
        let path = maker.path("clip.cmfv")
        let writer = try TrackWriter.create(
            path: path, header: TrackHeader(stream.configuration, timescale: stream.timescale))
        for (number, slice) in stream.fragments().prefix(3).enumerated() {
            let first = try #require(slice.first)
            let fragment = Fragment(
                decodeTime: UInt64(first.decode),
                samples: slice.enumerated().map { index, sample in
                    SampleMetadata(
                        size: UInt32(sample.data.count), durationTicks: UInt32(sample.duration),
                        compositionOffsetTicks: Int32(sample.offset), isSync: sample.isSync,
                        isDamaged: number == 1 && index % 5 == 0)
                })
            let bytes = Array(slice.map { Array($0.data) }.joined())
            try bytes.withUnsafeBytes { try writer.append(fragment, data: [$0]) }
        }
        let summary = try writer.finish()
        let found = try TrackScanner.scan(path: path)
        #expect(found.index == summary.index)
        #expect(found.index.entries.map(\.damagedCount) == [0, 5, 0])
        // The mark is no obstacle to those who do not know it.
        let decoded = try maker.decode(path, format: "mov")
        #expect(decoded.warnings.isEmpty && decoded.hashes.count == 75)
    }
}
