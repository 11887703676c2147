import Machines

/// One track of an exported movie while it is planned: the sample tables, run-length coded, and where the data comes from.
/// Four bytes per sample, and eight per change of duration or composition offset.
struct ExportTrack {
    /// How far the tables were, so that what is added behind can be taken back.
    struct Mark {
        fileprivate let configurations: Int
        fileprivate let durations: (count: Int, last: Run<UInt32>?)
        fileprivate let offsets: (count: Int, last: Run<Int32>?)
        fileprivate let sizes: Int
        fileprivate let syncs: Int
        fileprivate let chunks: (count: Int, last: Chunk?)
        fileprivate let times: (first: Int64?, last: Int64, duration: Int64)
    }

    /// A run of equal values in `stts` or `ctts`.
    struct Run<Value: Equatable> {
        var count: UInt32
        let value: Value
    }

    /// Samples whose data lie together in a source file.
    struct Chunk {
        let source: Int
        let offset: UInt64
        var bytes: UInt64
        var samples: UInt32
        /// Sample description, from 0.
        let entry: Int
        /// Decode time of the first sample, in ticks of the track.
        let time: Int64
    }

    let kind: TrackKind
    let timescale: UInt32
    /// How players turn the pictures, all of them alike.
    let rotation: PictureRotation
    private(set) var configurations: [CodecConfiguration] = []
    private(set) var durations: [Run<UInt32>] = []
    private(set) var offsets: [Run<Int32>] = []
    private(set) var sizes: [UInt32] = []
    /// Numbers, from 1, of the sync samples; meaningless for audio.
    private(set) var syncs: [UInt32] = []
    private(set) var chunks: [Chunk] = []
    /// Decode time of the first sample on the movie's time line; nil while there is none.
    private(set) var firstTime: Int64?
    private var lastTime: Int64 = 0
    private var lastDuration: Int64 = 0

    init(kind: TrackKind, timescale: UInt32, rotation: PictureRotation = .none) {
        self.kind = kind
        self.timescale = timescale
        self.rotation = rotation
    }

    /// Where the last sample ends on the movie's time line.
    var endTime: Int64 { lastTime + lastDuration }

    /// Ticks from the first sample to the end of the last.
    var duration: UInt64 { UInt64(clamping: endTime - (firstTime ?? endTime)) }

    /// What is added to every composition offset so that none is negative: players that know only version 0 of `ctts` are
    /// many, those that do not know edit lists are few.
    var offsetShift: Int64 { max(0, -Int64(offsets.lazy.map(\.value).min() ?? 0)) }

    /// What the tables take, in bytes.
    var tableBytes: Int {
        (sizes.count + syncs.count) * MemoryLayout<UInt32>.stride + durations.count * MemoryLayout<Run<UInt32>>.stride
            + offsets.count * MemoryLayout<Run<Int32>>.stride + chunks.count * MemoryLayout<Chunk>.stride
    }

    /// The number of a sample description, from 0.
    mutating func entry(for configuration: CodecConfiguration) -> Int {
        if let known = configurations.firstIndex(of: configuration) { return known }
        configurations.append(configuration)
        return configurations.count - 1
    }

    /// Adds a sample of a source. The duration of the sample before becomes the distance to this
    /// one, so holes and small overlaps between clips move nothing but that duration.
    mutating func add(
        _ sample: FragmentSamples.Sample, time wanted: Int64, duration: Int64, offset: Int64, source: Int, entry: Int
    ) {
        let (metadata, position) = (sample.metadata, sample.offset)
        var time = wanted
        if firstTime == nil {
            firstTime = wanted
        } else {
            time = max(wanted, lastTime + 1)
            Self.extend(&durations, UInt32(clamping: time - lastTime))
        }
        lastTime = time
        lastDuration = min(max(1, duration), Int64(UInt32.max))
        Self.extend(&offsets, Int32(clamping: offset))
        sizes.append(metadata.size)
        if metadata.isSync { syncs.append(UInt32(truncatingIfNeeded: sizes.count)) }
        if let last = chunks.last, last.source == source, last.entry == entry, last.offset + last.bytes == position,
            last.bytes < 8 << 20
        {
            chunks[chunks.count - 1].bytes += UInt64(metadata.size)
            chunks[chunks.count - 1].samples += 1
        } else {
            chunks.append(
                Chunk(
                    source: source, offset: position, bytes: UInt64(metadata.size), samples: 1, entry: entry, time: time
                ))
        }
    }

    /// Closes the tables after the last sample.
    mutating func finish() {
        if firstTime != nil { Self.extend(&durations, UInt32(clamping: lastDuration)) }
    }

    /// Where the tables are now.
    var mark: Mark {
        Mark(
            configurations: configurations.count, durations: (durations.count, durations.last),
            offsets: (offsets.count, offsets.last), sizes: sizes.count, syncs: syncs.count,
            chunks: (chunks.count, chunks.last), times: (firstTime, lastTime, lastDuration))
    }

    /// Takes back what was added since the mark.
    mutating func restore(_ mark: Mark) {
        configurations.removeLast(configurations.count - mark.configurations)
        Self.restore(&durations, mark.durations)
        Self.restore(&offsets, mark.offsets)
        sizes.removeLast(sizes.count - mark.sizes)
        syncs.removeLast(syncs.count - mark.syncs)
        Self.restore(&chunks, mark.chunks)
        (firstTime, lastTime, lastDuration) = mark.times
    }

    /// The last of the entries that stay may have grown.
    private static func restore<Entry>(_ entries: inout [Entry], _ mark: (count: Int, last: Entry?)) {
        entries.removeLast(entries.count - mark.count)
        if let last = mark.last { entries[entries.count - 1] = last }
    }

    private static func extend<Value>(_ runs: inout [Run<Value>], _ value: Value) {
        if let last = runs.last, last.value == value, last.count < .max {
            runs[runs.count - 1].count += 1
        } else {
            runs.append(Run(count: 1, value: value))
        }
    }
}
