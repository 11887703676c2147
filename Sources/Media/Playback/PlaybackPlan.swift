public import Machines

/// What playing a time means: the stretches of media in it, and the segments of files of which they consist. Made of indexes
/// alone. What it says of a clip that is being written stays so when more of it is written: segments only follow.
///
/// Its time line is that of the first clip. Each other clip is shifted by whole milliseconds to where it lies on the clock, or
/// behind the one before where that would not go forward.
///
///     clip 1 ────────────────  hole  clip 2 ──────▸ still written     time of the clock
///     |stretch 1             |      |stretch 2  |…
///     |seg|seg|seg|seg|seg|se|      |seg|seg|seg|
public struct PlaybackPlan: Sendable {
    /// A run of media without a hole.
    public struct Stretch: Sendable {
        /// The clip.
        public let clip: Int64
        /// The wall time of the clip's zero, in milliseconds since 1970.
        public let zeroMs: Int64
        /// How much later its times are as it is played, in milliseconds.
        let shiftMs: Int64
        /// Its tracks, pictures first.
        public let tracks: [PlayedTrack]
        /// Its begin on the time line of the plan, in milliseconds.
        var playedStartMs: Int64 {
            guard let track = tracks.first, let first = track.segments.first else { return shiftMs }
            return Ticks.rescale(track.playedStart(first), from: track.timescale, to: 1_000)
        }

        /// Its end on the time line of the plan, in milliseconds.
        var playedEndMs: Int64 {
            tracks.reduce(0) { end, track in
                guard let last = track.segments.last else { return end }
                let ticks = track.playedStart(last) &+ last.duration
                return max(end, Ticks.rescale(ticks, from: track.timescale, to: 1_000))
            }
        }

        /// Whether nothing more follows it in its clip.
        public let isWhole: Bool

        /// The track of a kind.
        public func track(_ kind: TrackKind) -> PlayedTrack? { tracks.first { $0.kind == kind } }

        /// The wall time of a tick of one of its tracks, in milliseconds.
        public func wallMs(_ ticks: Int64, _ track: PlayedTrack) -> Int64 {
            zeroMs &+ Ticks.rescale(ticks, from: track.timescale, to: 1_000)
        }

        /// The wall times from its first picture (or sound) to its end.
        public var wallMs: Range<Int64> {
            guard let track = tracks.first, let first = track.segments.first, let last = track.segments.last else {
                return zeroMs..<zeroMs
            }
            let start = wallMs(first.start, track)
            return start..<max(start, wallMs(last.start + last.duration, track))
        }
    }

    /// The most segments of all tracks together: four days with sound.
    public static let segmentsMax = 200_000
    /// A pause of this length inside of a clip is a hole, in milliseconds.
    static let holeMs: Int64 = 500

    /// Whether holes between clips are closed up on the time line of the plan.
    public let skipsHoles: Bool
    /// The begin, in milliseconds since 1970.
    public let fromMs: Int64
    /// The end.
    public let toMs: Int64
    /// What there is to play, in order.
    public private(set) var stretches: [Stretch] = []
    /// Whether a clip that is being written may bring more.
    public private(set) var isGrowing = false
    /// Whether there are more than `segmentsMax` segments; the rest is not in it.
    public private(set) var isTooLong = false
    /// How many segments there are, of all tracks.
    private(set) var segmentCount = 0

    /// Nothing yet of the time from `fromMs` to `toMs`.
    public init(fromMs: Int64, toMs: Int64, skipsHoles: Bool = false) {
        self.skipsHoles = skipsHoles
        self.fromMs = fromMs
        self.toMs = toMs
    }

    /// Adds what a clip holds of the time. Clips come in the order of their starts.
    public mutating func add(_ clip: PlayedClip) {
        let tracks = clip.files.tracks.map(\.played).filter { $0.index.flaw == nil && !$0.index.entries.isEmpty }
        guard clip.startMs < toMs, let leading = tracks.first(where: { $0.kind == .video }) ?? tracks.first else {
            if clip.isGrowing { isGrowing = true }
            return
        }
        let index = leading.index
        let (from, to) = (ticks(fromMs, clip, index), ticks(toMs, clip, index))
        guard let last = index.entries.last, time(last.endTime, index) > from || clip.isGrowing else { return }
        let begin = clip.startMs < fromMs ? index.keyEntry(atOrBefore: decode(from, index)) ?? 0 : 0
        let end = index.entries.firstIndex { time($0.decodeTime, index) >= to } ?? index.entries.count
        let isOpen = clip.isGrowing && end == index.entries.count && time(last.endTime, index) < to
        if isOpen { isGrowing = true }
        guard begin < end, time(last.endTime, index) > from else { return }
        let runs = Self.runs(index, begin..<end)
        for (number, run) in runs.enumerated() {
            let isLast = number + 1 == runs.count
            let start = time(index.entries[run.lowerBound].decodeTime, index)
            let next = isLast ? to : time(index.entries[runs[number + 1].lowerBound].decodeTime, index)
            var played: [PlayedTrack] = []
            let shiftMs = shiftMs(of: clip, firstMs: Ticks.rescale(start, from: index.timescale, to: 1_000))
            for track in tracks.sorted(by: { $0.kind == .video && $1.kind != .video }) {
                let fragments =
                    track.kind == leading.kind
                    ? run
                    : Self.beside(
                        track.index, from: rescale(start, index, track.index), to: rescale(next, index, track.index),
                        isFirst: number == 0)
                let segments = PlayedTrack.segments(
                    of: track.index, fragments, timescale: track.index.timescale, isOpen: isOpen && isLast)
                guard !segments.isEmpty else { continue }
                played.append(
                    PlayedTrack(
                        kind: track.kind, codec: clip.codecs[track.kind] ?? "", timescale: track.index.timescale,
                        headerBytes: track.index.headerBytes,
                        shift: UInt64(
                            clamping: Ticks.rescale(shiftMs, from: 1_000, to: track.index.timescale)),
                        segments: segments))
            }
            // Sound is not played before the pictures to which it belongs.
            guard played.contains(where: { $0.kind == leading.kind }) else { continue }
            segmentCount += played.reduce(0) { $0 + $1.segments.count }
            guard segmentCount <= Self.segmentsMax else {
                isTooLong = true
                return
            }
            stretches.append(
                Stretch(
                    clip: clip.id, zeroMs: clip.startMs, shiftMs: shiftMs, tracks: played, isWhole: !(isOpen && isLast))
            )
        }
    }

    /// How much later the times of a clip are as it is played, where it continues with `firstMs` of its own time line.
    private func shiftMs(of clip: PlayedClip, firstMs: Int64) -> Int64 {
        guard let first = stretches.first, let last = stretches.last else { return 0 }
        let end = last.playedEndMs
        if last.clip == clip.id { return last.shiftMs }
        let (byClock, overflow) = clip.startMs.subtractingReportingOverflow(first.zeroMs)
        let least = max(0, end &- firstMs)
        // What follows within less than a hole follows at once.
        guard !skipsHoles, !overflow, byClock < Self.farMs, byClock > least + Self.holeMs else { return least }
        return byClock
    }

    /// The tracks of a kind, with their stretches.
    public func tracks(_ kind: TrackKind) -> [(stretch: Stretch, track: PlayedTrack)] {
        stretches.compactMap { stretch in stretch.track(kind).map { (stretch, $0) } }
    }

    /// What lies between the holes of a run of fragments.
    private static func runs(_ index: FragmentIndex, _ run: Range<Int>) -> [Range<Int>] {
        let hole = UInt64(index.timescale) * UInt64(holeMs) / 1_000
        var runs: [Range<Int>] = []
        var first = run.lowerBound
        for next in run.dropFirst() {
            let before = index.entries[next - 1].endTime
            guard index.entries[next].decodeTime > before, index.entries[next].decodeTime - before >= hole else {
                continue
            }
            runs.append(first..<next)
            first = next
        }
        return runs + [first..<run.upperBound]
    }

    /// The fragments that are heard between two times: those that begin there, and, unless they were heard before, the one that
    /// is under way at the begin.
    private static func beside(_ index: FragmentIndex, from: Int64, to: Int64, isFirst: Bool) -> Range<Int> {
        let priming = Int64(index.primingTicks)
        let times = index.entries
        var first = times.firstIndex { Int64(clamping: $0.decodeTime) - priming >= from } ?? times.count
        if isFirst, first > 0, Int64(clamping: times[first - 1].endTime) - priming > from { first -= 1 }
        let end = times.firstIndex { Int64(clamping: $0.decodeTime) - priming >= to } ?? times.count
        return first..<max(first, end)
    }

    /// A decode time of a file on the clip's time line.
    private func time(_ decode: UInt64, _ index: FragmentIndex) -> Int64 {
        Int64(clamping: decode) - Int64(index.primingTicks)
    }

    private func decode(_ ticks: Int64, _ index: FragmentIndex) -> UInt64 {
        UInt64(clamping: ticks.addingReportingOverflow(Int64(index.primingTicks)).partialValue)
    }

    /// A wall time on the clip's time line, in ticks of a track.
    private func ticks(_ wallMs: Int64, _ clip: PlayedClip, _ index: FragmentIndex) -> Int64 {
        let (ms, overflow) = wallMs.subtractingReportingOverflow(clip.startMs)
        // Half a year is more than any clip has, and its ticks are far from the bounds.
        let bounded = overflow ? Self.farMs : min(max(ms, -Self.farMs), Self.farMs)
        return Ticks.rescale(bounded, from: 1_000, to: index.timescale)
    }

    private static let farMs = Int64(FragmentIndex.maxSeconds) * 2_000

    private func rescale(_ ticks: Int64, _ from: FragmentIndex, _ to: FragmentIndex) -> Int64 {
        Ticks.rescale(ticks, from: from.timescale, to: to.timescale)
    }
}
