import Hashing
import Machines

/// The samples of one track in a chunk.
struct PushedFragment: Sendable {
    /// When its first sample is decoded, in ticks of the track.
    let decodeTime: UInt64
    /// The number of its `moof`.
    let sequence: UInt32?
    /// The samples in decoding order.
    let samples: [SampleMetadata]
    /// Where the bytes of each sample begin in `data`; they all lie in it.
    let offsets: [Int]
    /// The contents of `mdat`, shared by the tracks of the chunk.
    let data: [UInt8]
    /// What `data` is known by.
    let digest: SHA256.Value
    /// When the first sample was taken, where the pusher says so.
    let wallClock: WallClock?
    /// Whether nothing follows in the track.
    let isLast: Bool

    /// Ticks from the first sample to the end of the last.
    var durationTicks: UInt64 { samples.reduce(0) { $0 &+ UInt64($1.durationTicks) } }

    /// What a chunk holds of each of `tracks`, by their place. Throws where it cannot be read.
    static func fragments(
        of chunk: PushedBody.Chunk, tracks: [PushedTrack]
    ) throws(PushRefusal) -> [(track: Int, fragment: PushedFragment)] {
        guard let boxes = Box.list(chunk.header[...]) else { throw .broken("a moof holds a box that does not fit") }
        let sequence = boxes.first("mfhd")
        let digest = SHA256.value(of: chunk.data)
        var found: [(track: Int, fragment: PushedFragment)] = []
        for (number, box) in boxes.filter({ $0.type == "traf" }).enumerated() {
            guard let id = trackID(box) else { throw .broken("a traf has no tfhd") }
            guard let place = tracks.firstIndex(where: { $0.layout.trackID == id }) else {
                // A track of the header that is not recorded.
                continue
            }
            guard !found.contains(where: { $0.track == place }) else { throw .broken("two traf are of one track") }
            var writer = BoxWriter()
            for part in [sequence, box].compactMap({ $0 }) {
                writer.box(part.type.description) { $0.raw(Array(part.contents)) }
            }
            found.append((place, try fragment(writer.bytes, chunk, tracks[place].layout, digest, isFirst: number == 0)))
        }
        return found
    }

    /// The number of the track of a `traf`.
    static func trackID(_ box: Box) -> UInt32? {
        guard let header = box.children()?.first("tfhd") else { return nil }
        var reader = ByteReader(header.contents)
        return reader.skip(4) ? reader.u32() : nil
    }

    /// The numbers of the tracks of a chunk.
    static func trackIDs(of chunk: PushedBody.Chunk) -> [UInt32] {
        (Box.list(chunk.header[...]) ?? []).filter { $0.type == "traf" }.compactMap(trackID)
    }

    private static func fragment(
        _ header: [UInt8], _ chunk: PushedBody.Chunk, _ layout: TrackLayout, _ digest: SHA256.Value, isFirst: Bool
    ) throws(PushRefusal) -> PushedFragment {
        guard let parsed = ParsedFragment(header[...], position: 0, layout: layout) else {
            throw .broken("a traf cannot be read, or has no samples")
        }
        // Where nothing is said the data of the first traf count from the moof, too (ISO/IEC 14496-12, 8.8.7): GStreamer writes it so.
        guard parsed.hasDefaultBase || isFirst && !parsed.hasExplicitBase else {
            throw PushRefusal(
                .malformed, "a traf does not count its data from the moof",
                "set default-base-is-moof (ffmpeg: -movflags +default_base_moof)")
        }
        guard let time = parsed.decodeTime else { throw .broken("a traf has no tfdt") }
        guard time <= PushLimits.decodeTimeMax else { throw .broken("a tfdt is beyond 2^62") }
        guard parsed.samples.count <= PushLimits.samplesMax else {
            throw PushRefusal(
                .tooLarge, "a fragment has \(parsed.samples.count) samples, and \(PushLimits.samplesMax) is the most",
                "push shorter fragments")
        }
        guard parsed.samples.allSatisfy({ $0.size > 0 }) else { throw .broken("a sample has no bytes") }
        let fragment = PushedFragment(
            decodeTime: time, sequence: parsed.sequence, samples: parsed.samples,
            offsets: try offsets(parsed, chunk), data: chunk.data, digest: digest,
            wallClock: chunk.clocks[layout.trackID], isLast: chunk.isLast)
        let durationMs = Int64(clamping: fragment.durationTicks).scaled(1_000, Int64(layout.timescale))
        guard durationMs <= PushLimits.fragmentMsMax else {
            throw PushRefusal(
                .tooLarge, "a fragment lasts \(durationMs) ms, and \(PushLimits.fragmentMsMax) ms is the most",
                "push shorter fragments")
        }
        return fragment
    }

    /// What it takes of memory while it waits, in bytes: all of its data, also what no sample is of.
    var cost: Int { data.count + samples.count * PushedFragment.sampleBytes }

    private static let sampleBytes =
        MemoryLayout<SampleMetadata>.stride + MemoryLayout<Int>.stride + PushTrack.sampleBytes

    private static func offsets(_ parsed: ParsedFragment, _ chunk: PushedBody.Chunk) throws(PushRefusal) -> [Int] {
        var offsets: [Int] = []
        for (number, run) in parsed.runs.enumerated() {
            let end = number + 1 < parsed.runs.count ? parsed.runs[number + 1].firstSample : parsed.samples.count
            let (begin, isBefore) = Int(clamping: run.dataOffset).subtractingReportingOverflow(chunk.dataOffset)
            guard !isBefore, begin >= 0, begin <= chunk.data.count,
                run.bytes <= UInt64(chunk.data.count - begin)
            else { throw .broken("a trun has its data outside of the mdat behind it") }
            var next = begin
            for sample in parsed.samples[run.firstSample..<max(run.firstSample, end)] {
                offsets.append(next)
                next += Int(sample.size)
            }
        }
        return offsets
    }
}
