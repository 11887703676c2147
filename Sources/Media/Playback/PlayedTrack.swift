public import Machines

/// One track of a stretch that is played, as segments of its file.
public struct PlayedTrack: Sendable {
    /// Fragments that lie side by side in the file, which a player takes as one.
    public struct Segment: Hashable, Sendable {
        /// Where it lies in the file.
        public let bytes: Range<UInt64>
        /// Its begin on the clip's time line, in ticks.
        public let start: Int64
        /// Ticks up to the next one.
        public internal(set) var duration: Int64
        /// Whether decoding can begin with it.
        public let startsWithKey: Bool
        /// Which fragments of the track it holds.
        public let fragments: Range<Int>
    }

    /// A segment ends before the first key frame that is this long after its begin, in milliseconds.
    public static let segmentMs: Int64 = 4_000
    /// A segment ends before any fragment that is this long after its begin, in milliseconds.
    public static let segmentMsMax: Int64 = 8_000

    /// What it carries.
    public let kind: TrackKind
    /// Its codec.
    public let codec: String
    /// Ticks per second.
    public let timescale: UInt32
    /// Bytes of its header, which a player needs first.
    public let headerBytes: UInt64
    /// By how many ticks its times are later as it is played, so that the stretches of a plan follow each other.
    public let shift: UInt64
    /// Its segments in order, at least one.
    public let segments: [Segment]

    /// The begin of a segment on the time line of the plan, in ticks.
    func playedStart(_ segment: Segment) -> Int64 { segment.start &+ Int64(clamping: shift) }

    /// The segments of a run of fragments, none of an empty one. `isOpen`: more may follow, so that what may still become longer is left out.
    package static func segments(
        of index: FragmentIndex, _ run: Range<Int>, timescale: UInt32, isOpen: Bool
    ) -> [Segment] {
        // A track may have ended before the others begin.
        guard !run.isEmpty else { return [] }
        let entries = index.entries
        let priming = Int64(index.primingTicks)
        let wanted = UInt64(timescale) * UInt64(segmentMs) / 1_000
        let most = UInt64(timescale) * UInt64(segmentMsMax) / 1_000
        var segments: [Segment] = []
        var first = run.lowerBound
        for next in run.dropFirst() + [run.upperBound] {
            let isEnd = next == run.upperBound
            if isEnd, isOpen { break }
            let end = isEnd ? entries[next - 1].endTime : entries[next].decodeTime
            let length = end - min(end, entries[first].decodeTime)
            guard isEnd || (length >= wanted && entries[next].startsWithKey) || length >= most else { continue }
            segments.append(
                Segment(
                    bytes: entries[first].offset..<entries[next - 1].endOffset,
                    start: Int64(clamping: entries[first].decodeTime) - priming, duration: Int64(clamping: length),
                    startsWithKey: entries[first].startsWithKey, fragments: first..<next))
            first = next
        }
        return segments
    }
}
