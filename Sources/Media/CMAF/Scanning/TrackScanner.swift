import Glibc

/// Reads a track file as it is on disk, after a crash or for a check. Total on any file, with memory bounded by the number of
/// fragments (an entry each, at most `maxFragments`) and one `moof`.
public enum TrackScanner {
    /// The most fragments a track file may have: a 10-minute clip has some hundred.
    static let maxFragments = 1 << 20

    /// Finds the whole fragments of the file at `path`. Blocking.
    ///
    /// With `repair` what follows the last whole fragment is cut off and the cut made durable, and so is everything from a
    /// fragment on that lacks blocks (`LostBlocks`). A file whose header is not
    /// whole holds nothing playable, and one that is no CMAF track file is not ours: the scan throws and leaves it alone.
    public static func scan(path: String, repair: Bool = false) throws(TrackFileError) -> ScannedTrack {
        // Not blocking, so that a named pipe in a track file's place cannot hang the recorder.
        let file = try RawFile(path, flags: (repair ? O_RDWR : O_RDONLY) | O_NONBLOCK, as: .open)
        var walker = try TrackWalker(file)
        // A repair must never cut the media off a movie that some other program wrote and someone put here.
        let layout = walker.layout
        guard layout.trackCount == 1, !layout.hasSamplesInHeader, !repair || layout.brands.contains("cmfc") else {
            throw TrackFileError(.read, path, .malformed("a movie, but no CMAF track file; it is left alone"))
        }
        var index = FragmentIndex(
            timescale: walker.layout.timescale, primingTicks: walker.layout.primingTicks,
            headerBytes: walker.headerBytes)
        while let found = try walker.next() {
            guard index.entries.count < maxFragments else {
                throw TrackFileError(.read, path, .malformed("more than \(maxFragments) fragments"))
            }
            index.entries.append(entry(found, after: index.entries.last))
        }
        var (whole, damage) = (walker.position, walker.damage)
        if repair, let lost = try LostBlocks.first(in: index, upTo: whole, of: file) {
            whole = index.entries[lost].offset
            index.entries.removeSubrange(lost...)
            damage = "blocks of zeros after byte \(whole)"
        }
        let torn = walker.size - whole
        var isRepaired = false
        if repair, torn > 0 {
            try file.truncate(to: whole)
            try file.sync()
            isRepaired = true
        }
        return ScannedTrack(
            kind: walker.layout.kind,
            configuration: try? CodecConfiguration(sampleEntry: walker.layout.sampleEntry), bytes: whole,
            tornBytes: torn, damage: torn > 0 ? damage ?? "unknown" : nil, isRepaired: isRepaired, index: index)
    }

    /// The index entry of a fragment; one without a decode time follows the one before.
    static func entry(_ found: TrackWalker.Found, after previous: FragmentIndex.Entry?) -> FragmentIndex.Entry {
        let samples = found.movie.samples
        return FragmentIndex.Entry(
            offset: found.offset, size: found.end - found.offset,
            decodeTime: found.movie.decodeTime ?? previous?.endTime ?? 0,
            durationTicks: samples.reduce(0) { $0 + UInt64($1.durationTicks) },
            sampleCount: UInt32(truncatingIfNeeded: samples.count), startsWithKey: samples.first?.isSync ?? false,
            damagedCount: UInt32(truncatingIfNeeded: samples.count(where: \.isDamaged)))
    }
}
