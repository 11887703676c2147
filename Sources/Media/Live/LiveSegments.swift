public import Machines

/// The newest media of a live stream as low-latency HLS (RFC 8216bis) lists it: segments, and parts of them that can be had while
/// the segment is under way. A value; what it holds is bounded.
public struct LiveSegments: Sendable {
    /// The longest segment, in milliseconds: one ends before the first picture at which decoding can begin after half of that, or
    /// without one where it would become longer.
    public static let segmentMsMax: Int64 = 4_000
    /// The longest part, in milliseconds; longer only where a single picture is.
    static let partMsStandard: Int64 = 500
    /// What of it is listed, in milliseconds; as much again can still be had.
    static let listedMs: Int64 = 16_000
    /// The most bytes of all that is held.
    public static let bytesMax = 32 << 20

    /// Some fragments of one track.
    public struct Part: Sendable {
        /// The fragments in order.
        public fileprivate(set) var cuts: [FragmentMaker.Cut] = []
        /// How long they are, in microseconds.
        public fileprivate(set) var durationUs: Int64 = 0
        /// Whether decoding can begin at the first of them.
        public let isStart: Bool

        /// The fragments in one piece.
        public var bytes: [UInt8] { cuts.flatMap(\.bytes) }
    }

    /// A segment of all tracks.
    public struct Segment: Sendable {
        /// Its number, from 0.
        public let number: Int
        /// The number of its run, from 0: which headers come before it.
        public let run: Int
        /// When its first frame arrived.
        public let arrival: Instant
        /// Whether it begins a run that follows another one.
        public let isDiscontinuous: Bool
        /// The parts of each track of its run; the last one is under way unless the segment is whole.
        public fileprivate(set) var tracks: [[Part]]
        /// How many parts of each track are whole.
        public fileprivate(set) var wholeParts: [Int]
        /// Whether nothing more comes into it.
        public fileprivate(set) var isWhole = false
        /// Bytes of media in it so far.
        public fileprivate(set) var bytes = 0

        /// How long a track of it is so far, in microseconds.
        public func durationUs(_ track: Int) -> Int64 {
            tracks.indices.contains(track) ? tracks[track].reduce(0) { $0 + $1.durationUs } : 0
        }
    }

    /// The tracks of each run that is still held, by its number.
    public private(set) var runs: [Int: [LiveFragments.Track]] = [:]
    /// The segments that can be had, in order; the last one may be under way.
    public private(set) var segments: [Segment] = []
    /// How many discontinuities lie before the first segment.
    public private(set) var discontinuities = 0
    /// The longest part, in milliseconds.
    public private(set) var partMs = Self.partMsStandard
    private var run = -1
    private var next = 0

    /// Of nothing yet.
    public init() {}

    /// Takes what follows.
    public mutating func take(_ item: LiveFragments.Item) {
        switch item {
        case .began(let tracks):
            finish()
            run += 1
            runs[run] = tracks
        case .piece(let piece): take(piece)
        case .lost, .ended: finish()
        case .skipped: break
        }
    }

    /// The place of the track of that kind in a run; nil where it has none.
    public func track(_ kind: TrackKind, in run: Int) -> Int? { runs[run]?.firstIndex { $0.kind == kind } }

    /// The segments that are listed, and how many discontinuities lie before them.
    public var listed: (segments: ArraySlice<Segment>, discontinuities: Int) {
        var (first, length) = (segments.endIndex, Int64(0))
        while first > 0, length < Self.listedMs * 1_000 {
            first -= 1
            length += segments[first].durationUs(leading(segments[first].run))
        }
        return (segments[first...], discontinuities + segments[..<first].count(where: \.isDiscontinuous))
    }

    /// The track that says where parts and segments end: the picture, if there is one.
    private func leading(_ run: Int) -> Int { track(.video, in: run) ?? 0 }

    // MARK: Putting together

    private mutating func take(_ piece: LiveFragments.Piece) {
        guard let tracks = runs[run], tracks.indices.contains(piece.track) else { return }
        let isLeading = piece.track == leading(run)
        let scale = Int64(max(1, tracks[piece.track].header.timescale))
        let ticks = Int64(clamping: piece.cut.fragment.durationTicks)
        let durationUs = Ticks.rescale(ticks, from: UInt32(clamping: scale), to: 1_000_000)
        if isLeading, endsSegment(piece, durationUs) { finish() }
        if segments.last?.isWhole ?? true { begin(piece, tracks.count) }
        let last = segments.count - 1
        var parts = segments[last].tracks[piece.track]
        if parts.count == segments[last].wholeParts[piece.track] { parts.append(Part(isStart: piece.isStart)) }
        parts[parts.count - 1].cuts.append(piece.cut)
        parts[parts.count - 1].durationUs += durationUs
        segments[last].bytes += Int(clamping: piece.cut.fragment.dataBytes)
        segments[last].tracks[piece.track] = parts
        guard isLeading else { return }
        if segments[0].number == segments[last].number, parts.count == 1 {
            partMs = max(partMs, (durationUs + 999) / 1_000)
        }
        // The next picture will last as long as this one.
        if (parts.last?.durationUs ?? 0) + durationUs > partMs * 1_000 { finishParts() }
        release()
    }

    private func endsSegment(_ piece: LiveFragments.Piece, _ durationUs: Int64) -> Bool {
        guard let segment = segments.last, !segment.isWhole else { return false }
        let length = segment.durationUs(piece.track)
        if piece.isStart, track(.video, in: run) != nil { return length >= Self.segmentMsMax * 500 }
        return length + durationUs > Self.segmentMsMax * 1_000
    }

    private mutating func begin(_ piece: LiveFragments.Piece, _ tracks: Int) {
        segments.append(
            Segment(
                number: next, run: run, arrival: piece.arrival,
                isDiscontinuous: segments.last.map { $0.run != run } ?? false,
                tracks: Array(repeating: [], count: tracks), wholeParts: Array(repeating: 0, count: tracks)))
        next += 1
    }

    /// What is under way of each track's parts is whole.
    private mutating func finishParts() {
        guard !segments.isEmpty else { return }
        let last = segments.count - 1
        segments[last].wholeParts = segments[last].tracks.map(\.count)
    }

    private mutating func finish() {
        guard segments.last?.isWhole == false else { return }
        finishParts()
        segments[segments.count - 1].isWhole = true
    }

    /// Lets go of what is too old or too much.
    private mutating func release() {
        func lengthUs(_ segments: ArraySlice<Segment>) -> Int64 {
            segments.reduce(0) { $0 + $1.durationUs(leading($1.run)) }
        }
        while segments.count > 1,
            lengthUs(segments.dropFirst()) > 2 * Self.listedMs * 1_000
                || segments.reduce(0, { $0 + $1.bytes }) > Self.bytesMax
        {
            if segments.removeFirst().isDiscontinuous { discontinuities += 1 }
            runs = runs.filter { number, _ in number == run || segments.contains { $0.run == number } }
        }
    }
}
