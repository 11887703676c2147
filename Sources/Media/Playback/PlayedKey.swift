import Machines

/// A key frame, as the range of bytes that shows it: from its fragment's begin to the end of its own data.
public struct PlayedKey: Hashable, Sendable {
    /// Where it lies in the file.
    public let bytes: Range<UInt64>
    /// Its begin on the clip's time line, in ticks.
    public let start: Int64
    /// Ticks up to the next one, or to the end.
    public let duration: Int64

    /// The most key frames of one list. Where a time has more, as many are left out as it takes, evenly.
    public static let most = 2_000

    /// The least distance of two of them in a time of this length, in milliseconds.
    public static func stepMs(of lengthMs: Int64) -> Int64 { max(0, lengthMs) / Int64(most) }

    /// Those of a stretch of a clip, at least `stepMs` apart. Each takes a read of some kilobytes. `isOpen`: more may follow,
    /// so that the last one is left out, whose duration is not known. Blocking.
    ///
    /// - Throws: `TrackFileError` where the file is not as its index has it.
    public static func keys(
        of track: PlayedTrack, _ reader: TrackReader, stepMs: Int64, isOpen: Bool
    ) throws(TrackFileError) -> [PlayedKey] {
        guard let first = track.segments.first, let last = track.segments.last else { return [] }
        let step = Ticks.rescale(stepMs, from: 1_000, to: track.timescale)
        var chosen: [(bytes: Range<UInt64>, start: Int64)] = []
        for number in first.fragments.lowerBound..<last.fragments.upperBound {
            guard number < reader.fragments else { break }
            let entry = reader.index.entries[number]
            guard entry.startsWithKey, let start = reader.ticks(of: number)?.lowerBound,
                chosen.last.map({ start - $0.start >= step }) ?? true,
                let sample = try reader.samples(of: number).samples.first
            else { continue }
            chosen.append((entry.offset..<sample.bytes.upperBound, start))
        }
        let end = last.start + last.duration
        let ends = chosen.dropFirst().map(\.start) + (isOpen ? [] : [end])
        return zip(chosen, ends).map { PlayedKey(bytes: $0.bytes, start: $0.start, duration: max(1, $1 - $0.start)) }
    }
}
