/// Reads one track file by its index; see `ClipReader`. Blocking, and used from one thread at a time.
///
/// What the file says is not believed: a fragment that is not as the index has it is an error, and no read takes more than
/// `readBytesMax`, the `moof` of one fragment, or one sample.
public final class TrackReader {
    /// The most that one call reads, in bytes.
    static let readBytesMax = 1 << 20
    /// The largest sample that is taken for a picture, in bytes; a key frame of a camera has some hundred thousand.
    static let frameBytesMax: UInt32 = 32 << 20

    /// The file, and which of its fragments may be read.
    public let track: ClipFiles.Track
    /// What a decoder must know; nil when another program wrote the file with a codec that Vigil does not store.
    public let configuration: CodecConfiguration?
    private let file: any TrackBytes
    private let layout: TrackLayout
    private let fileBytes: UInt64

    /// Where the fragments are.
    public var index: FragmentIndex { track.index }
    /// How players turn its pictures.
    public var rotation: PictureRotation { layout.rotation }
    /// How many fragments may be read.
    public var fragments: Int { track.index.entries.count }

    init(_ track: ClipFiles.Track, at place: any TrackPlace) throws(TrackFileError) {
        file = try place.open(track.path)
        fileBytes = try file.size()
        guard fileBytes >= track.bytes else {
            throw TrackFileError(.read, file.path, .malformed("it is shorter than its index says"))
        }
        if let flaw = track.index.flaw { throw TrackFileError(.read, file.path, .malformed(flaw)) }
        var reading = TrackWalker.Reading(file: file, size: track.index.headerBytes)
        let (layout, headerBytes) = try reading.header()
        guard headerBytes == track.index.headerBytes, layout.kind == track.kind,
            layout.timescale == track.index.timescale, layout.primingTicks == track.index.primingTicks
        else { throw TrackFileError(.read, file.path, .malformed("its header is not what its index was made from")) }
        self.track = track
        self.layout = layout
        configuration = try? CodecConfiguration(sampleEntry: layout.sampleEntry)
    }

    /// `ftyp` and `moov`: what a player needs before any fragment.
    public func header() throws(TrackFileError) -> [UInt8] { try read(0..<index.headerBytes) }

    /// Where fragments lie in the file, as one range; nil where the track has not all of them, or a hole lies between them.
    public func bytes(of fragments: Range<Int>) -> Range<UInt64>? {
        guard !fragments.isEmpty, fragments.lowerBound >= 0, fragments.upperBound <= self.fragments else { return nil }
        let entries = index.entries[fragments]
        guard zip(entries, entries.dropFirst()).allSatisfy({ $0.endOffset == $1.offset }) else { return nil }
        return index.entries[fragments.lowerBound].offset..<index.entries[fragments.upperBound - 1].endOffset
    }

    /// The bytes in `range`, all of them or none.
    ///
    /// - Throws: `refused` for more than `readBytesMax`, or beyond the last fragment; `malformed` if the file became shorter.
    public func read(_ range: Range<UInt64>) throws(TrackFileError) -> [UInt8] {
        guard range.upperBound <= track.bytes, range.count <= Self.readBytesMax else {
            throw TrackFileError(.read, file.path, .refused("bytes \(range) of \(track.bytes) in one read"))
        }
        let bytes = try file.read(range.count, at: range.lowerBound)
        guard bytes.count == range.count else {
            throw TrackFileError(.read, file.path, .malformed("it became shorter while it was read"))
        }
        return bytes
    }

    /// Fills all of `buffer` with the bytes from `offset` on, without a copy in between.
    ///
    /// - Throws: as `read`.
    public func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(TrackFileError) {
        let (end, overflow) = offset.addingReportingOverflow(UInt64(buffer.count))
        guard !overflow, end <= track.bytes, buffer.count <= Self.readBytesMax else {
            throw TrackFileError(.read, file.path, .refused("\(buffer.count) bytes at \(offset) of \(track.bytes)"))
        }
        guard try file.read(into: buffer, at: offset) == buffer.count else {
            throw TrackFileError(.read, file.path, .malformed("it became shorter while it was read"))
        }
    }

    /// Decode time of a fragment on the clip's time line, in ticks, from its first sample to the end of its last.
    public func ticks(of fragment: Int) -> Range<Int64>? {
        guard index.entries.indices.contains(fragment) else { return nil }
        let entry = index.entries[fragment]
        let priming = Int64(index.primingTicks)
        let start = Int64(clamping: entry.decodeTime) - priming
        return start..<max(start, Int64(clamping: entry.endTime) - priming)
    }

    /// The last fragment that begins at or before `ticks` of the clip's time line and at which decoding can begin; nil where
    /// the track begins later.
    func keyFragment(atOrBefore ticks: Int64) -> Int? {
        let (decode, overflow) = ticks.addingReportingOverflow(Int64(index.primingTicks))
        return decode < 0 && !overflow ? nil : index.keyEntry(atOrBefore: overflow ? .max : UInt64(decode))
    }

    /// The samples of a fragment, read from its `moof`.
    func samples(of fragment: Int) throws(TrackFileError) -> FragmentSamples {
        guard index.entries.indices.contains(fragment) else {
            throw TrackFileError(.read, file.path, .refused("fragment \(fragment) of \(fragments)"))
        }
        let entry = index.entries[fragment]
        var walker = TrackWalker(
            file: file, layout: layout, headerBytes: index.headerBytes, from: entry.offset, to: entry.endOffset)
        let previous = fragment > 0 ? index.entries[fragment - 1] : nil
        guard let found = try walker.next(), TrackScanner.entry(found, after: previous) == entry else {
            let why = walker.damage ?? "it is not what its index says"
            throw TrackFileError(.read, file.path, .malformed("fragment \(fragment) at byte \(entry.offset): \(why)"))
        }
        return FragmentSamples(found, entry: entry, priming: index.primingTicks)
    }

    /// The data of a sample.
    ///
    /// - Throws: `malformed` for one of more than `frameBytesMax`.
    public func frame(_ sample: FragmentSamples.Sample) throws(TrackFileError) -> [UInt8] {
        guard sample.metadata.size <= Self.frameBytesMax, sample.bytes.upperBound <= track.bytes else {
            throw TrackFileError(.read, file.path, .malformed("a sample of \(sample.metadata.size) bytes"))
        }
        let bytes = try file.read(Int(sample.metadata.size), at: sample.offset)
        guard bytes.count == Int(sample.metadata.size) else {
            throw TrackFileError(.read, file.path, .malformed("it became shorter while it was read"))
        }
        return bytes
    }

    /// Compares the whole file with its index: every fragment lies where the index says, and nothing lies between or behind.
    public func verify() throws(TrackFileError) {
        var end = index.headerBytes
        for number in 0..<fragments {
            guard index.entries[number].offset == end else {
                throw TrackFileError(.read, file.path, .malformed("its index has a hole before fragment \(number)"))
            }
            end = index.entries[number].endOffset
            _ = try samples(of: number)
        }
        guard end == fileBytes else {
            throw TrackFileError(.read, file.path, .malformed("its index ends at byte \(end) of \(fileBytes)"))
        }
    }
}

extension FragmentIndex {
    /// The longest time line of a clip, about half a year, in seconds. With 32-bit timescales every time in ticks stays below
    /// 2^56, so that sums of a few cannot overflow whatever a file says.
    static let maxSeconds: UInt64 = 1 << 24

    /// The most bytes of a header: the largest box that is read, and some.
    private static let headerBytesMax = UInt64(TrackReader.readBytesMax)

    /// Why nothing can be read by this index; nil when it can.
    package var flaw: String? {
        guard headerBytes <= Self.headerBytesMax else { return "a header of \(headerBytes) bytes" }
        var end = headerBytes
        let last = Self.maxSeconds * UInt64(timescale)
        for entry in entries {
            guard entry.offset >= end, entry.endOffset > entry.offset, entry.endOffset < UInt64(Int64.max) else {
                return "its index is damaged: fragments that lie over each other"
            }
            guard entry.endTime <= last else { return "its times are beyond half a year" }
            end = entry.endOffset
        }
        return nil
    }
}
