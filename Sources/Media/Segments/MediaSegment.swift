internal import Machines

/// A segment of one track of a session: one or more chunks, of which the first begins with a key frame. CMAF (ISO/IEC 23000-19)
/// calls it a fragment where it has one chunk.
public struct MediaSegment: Sendable {
    /// A run of samples that is written as one `moof` and `mdat`.
    struct Chunk: Sendable {
        let fragment: Fragment
        /// The samples' bytes, in order.
        let data: [UInt8]
        /// When its first sample came, for `prft` where the camera does not tell its own time.
        let arrival: WallClock
    }

    /// What it stands for where it holds no media of its own time.
    public enum Filler: String, Hashable, Sendable, CaseIterable {
        /// The camera sent nothing.
        case link
        /// The receiver took media more slowly than it came, or not at all.
        case receiver
    }

    /// Its place among the tracks of its session.
    public let track: Int
    /// Ticks per second of its times.
    public let timescale: UInt32
    /// Why it is a filler: its first sample stands still for all of its time. Nil for media.
    public let filler: Filler?
    /// Whether nothing follows in its track.
    public internal(set) var isLast = false
    let chunks: [Chunk]
    /// What stands still in its place where it cannot be put and decoding cannot begin with its first sample: that of an earlier
    /// segment.
    var still: Still?

    /// How many numbers its chunks take in the sequence of its track.
    public var chunkCount: Int { chunks.count }
    /// When its first sample is decoded on the session's time line, in ticks.
    public var decodeTime: UInt64 { chunks.first?.fragment.decodeTime ?? 0 }
    /// Ticks from its begin to its end.
    public var durationTicks: UInt64 { chunks.reduce(0) { $0 &+ $1.fragment.durationTicks } }
    /// Its length in milliseconds.
    public var durationMs: Int64 { Ticks.milliseconds(durationTicks, timescale: timescale) }
    /// Bytes of its samples.
    public var byteCount: Int { chunks.reduce(0) { $0 + $1.data.count } }
    /// Bytes of memory that it takes: its samples, and what stands still in its place.
    public var memoryBytes: Int { byteCount + (still?.data.count ?? 0) }
    /// When its last sample ends, in ticks.
    var endTime: UInt64 { decodeTime &+ durationTicks }

    /// Its bytes: for each chunk `styp`, `prft`, `moof` and `mdat`. `sequence`: the number of its first chunk in its track.
    ///
    /// The brands of `styp` are those of CMAF clause 7.3 and of DASH-IF Live Media Ingest: `cmfl` for a chunk that does not begin a
    /// fragment, `slat` for a filler, `lmsg` for the last segment of a track.
    public func encoded(sequence: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount + chunks.count * 1_024)
        for (number, chunk) in chunks.enumerated() {
            var writer = BoxWriter()
            writer.box("styp") { writer in
                let brands =
                    (number == 0 ? ["cmfs", "cmff", "msdh"] : ["cmfl"]) + (filler == nil ? [] : ["slat"])
                    + (isLast && number == chunks.count - 1 ? ["lmsg"] : [])
                writer.text(brands[0])
                writer.u32(0)
                for brand in brands { writer.text(brand) }
            }
            bytes += writer.bytes
            bytes += chunk.fragment.encodedHeader(
                sequence: sequence &+ UInt32(truncatingIfNeeded: number),
                arrival: chunk.fragment.wallClock == nil ? chunk.arrival : nil)
            bytes += chunk.data
        }
        return bytes
    }

    /// The same time with one sample, which stands still. `other`: a filler right before it, whose sample it repeats, so that a long
    /// hole takes no more memory than a short one. Nil where nothing can stand still.
    public func filled(_ why: Filler, like other: MediaSegment? = nil) -> MediaSegment? {
        let still = other.flatMap { $0.filler == nil || $0.track != track ? nil : Still($0) } ?? still ?? Still(self)
        guard
            var made = still?.segment(
                track, timescale, why, from: decodeTime, ticks: durationTicks, arrival: chunks[0].arrival)
        else { return nil }
        made.isLast = isLast
        return made
    }
}

/// A sample that can stand still, of one track.
struct Still: Sendable {
    let sample: SampleMetadata
    let data: [UInt8]

    /// The first sample of a segment; nil where decoding cannot begin there.
    init?(_ segment: MediaSegment) {
        guard let chunk = segment.chunks.first, let sample = chunk.fragment.samples.first, sample.isSync,
            Int(clamping: sample.size) <= chunk.data.count
        else { return nil }
        self.sample = sample
        data = chunk.fragment.samples.count == 1 ? chunk.data : Array(chunk.data.prefix(Int(clamping: sample.size)))
    }

    /// The sample for so many ticks.
    func segment(
        _ track: Int, _ timescale: UInt32, _ why: MediaSegment.Filler, from: UInt64, ticks: UInt64, arrival: WallClock
    ) -> MediaSegment {
        let sample = SampleMetadata(
            size: sample.size, durationTicks: UInt32(clamping: ticks), isSync: true, isDamaged: sample.isDamaged)
        return MediaSegment(
            track: track, timescale: timescale, filler: why,
            chunks: [
                MediaSegment.Chunk(
                    fragment: Fragment(decodeTime: from, samples: [sample]), data: data, arrival: arrival)
            ])
    }
}
