import Machines

/// Frames of one dial on their way into segments of a session.
struct SegmentRun: Sendable {
    /// Where a frame belongs.
    enum Place: Sendable {
        /// Behind those that wait.
        case follows
        /// A chunk begins with it.
        case beginsChunk
        /// A segment begins with it.
        case beginsSegment
        /// Nowhere: its track is not taken.
        case ignored
        /// Nowhere: its track is coded otherwise from here on.
        case changed
        /// Behind those that wait, which are as many as may: the leading track stands while its own goes on.
        case stalls
    }

    let dial: UInt64
    /// When its first frame came.
    let began: Instant
    private let form: SegmentMaker.Form
    private(set) var maker: FragmentMaker
    /// The ordinal of the one track of each kind that is taken.
    private var ordinals: [TrackKind: Int] = [:]
    private var chunks: [TrackKind: [MediaSegment.Chunk]] = [:]
    /// Where the segment and the chunk under way begin, in ticks of the leading track.
    private var segmentDts: Int64?
    private var chunkDts: Int64?
    private var timescale: UInt32 = 1
    /// Bytes of memory that the frames take which wait, and those that have been cut.
    private var waiting = 0
    private var cutBytes = 0
    /// Something has come that cannot follow.
    var hasChanged = false

    init(_ first: Frame, dial: UInt64, leadMs: Int64, _ form: SegmentMaker.Form) {
        (self.dial, self.form) = (dial, form)
        began = first.arrival
        maker = FragmentMaker(leadMs: leadMs)
        timescale = UInt32(clamping: max(1, first.configuration.parameters.timescale))
    }

    /// The kinds of which frames have come.
    var kinds: Set<TrackKind> { Set(ordinals.keys) }

    func accepts(_ frame: Frame) -> Bool { maker.accepts(frame) }

    /// Where `frame` belongs. `isLeading`: its track says where segments end; `isStart`: one can begin with it.
    func place(_ frame: Frame, isLeading: Bool, isStart: Bool) -> Place {
        guard ordinals[frame.kind] ?? frame.track == frame.track else { return .ignored }
        guard maker.accepts(frame) else { return .changed }
        guard isLeading else { return waiting + cutBytes >= SegmentMaker.bytesMax ? .stalls : .follows }
        let lengthMs = segmentMs(before: frame)
        let leastMs = form.segmentMs - form.segmentMs * SegmentMaker.earlyPercent / 100
        if isStart, lengthMs >= leastMs { return .beginsSegment }
        if lengthMs >= form.segmentMs.addingClamped(SegmentMaker.lateMs) || waiting + cutBytes >= SegmentMaker.bytesMax
        {
            return .beginsSegment
        }
        return form.chunkMs > 0 && ms(chunkDts, frame) >= form.chunkMs ? .beginsChunk : .follows
    }

    /// How long the segment under way is if `frame` of the leading track follows it, in milliseconds.
    func segmentMs(before frame: Frame?) -> Int64 { frame.map { ms(segmentDts, $0) } ?? 0 }

    private func ms(_ from: Int64?, _ frame: Frame) -> Int64 {
        from.map { Ticks.rescale(frame.dts.subtractingClamped($0), from: timescale, to: 1_000) } ?? 0
    }

    mutating func take(_ frame: Frame) {
        ordinals[frame.kind] = frame.track
        if frame.kind == .video || !form.kinds.contains(.video) {
            segmentDts = segmentDts ?? frame.dts
            chunkDts = chunkDts ?? frame.dts
        }
        maker.append(frame)
        waiting += frame.cost
    }

    /// Cuts what waits as one chunk of each track.
    mutating func cutChunk(next: Frame?, isLast: Bool, _ wall: (Instant) -> Int64) throws {
        try maker.sort()
        (chunkDts, waiting) = (nil, 0)
        for (kind, ordinal) in ordinals.sorted(by: { $0.value < $1.value }) {
            guard let cut = maker.cut(ordinal, next: next, isLast: isLast), let first = cut.frames.first else {
                continue
            }
            let data = cut.withData { parts in
                var data: [UInt8] = []
                data.reserveCapacity(parts.reduce(0) { $0 + $1.count })
                for part in parts { data.append(contentsOf: part) }
                return data
            }
            cutBytes += data.count
            chunks[kind, default: []].append(
                MediaSegment.Chunk(
                    fragment: cut.fragment, data: data, arrival: WallClock(unixMs: wall(first.arrival))))
        }
    }

    /// What has been cut since the last segment.
    mutating func takeSegment() -> [TrackKind: [MediaSegment.Chunk]] {
        defer { (chunks, segmentDts, cutBytes) = ([:], nil, 0) }
        return chunks
    }
}
