import Machines

/// The tracks of a session, and how far each has come.
struct SegmentSession: Sendable {
    struct Track: Sendable {
        let header: TrackHeader
        /// When its last segment ends, in ticks.
        var end: UInt64 = 0
        /// What stands still while nothing comes.
        var still: Still?
        /// Nothing follows in it.
        var hasLast = false

        var kind: TrackKind { header.configuration.kind }
        var endMs: Int64 { Ticks.milliseconds(end, timescale: header.timescale) }
    }

    private(set) var tracks: [Track]
    /// When its first frame came.
    let began: Instant
    /// For how long fillers have followed each other, in milliseconds.
    private(set) var filledMs: Int64 = 0

    /// A session that begins with these chunks; nil where there are none.
    init?(_ chunks: [TrackKind: [MediaSegment.Chunk]], _ run: SegmentRun) {
        let headers = Dictionary(run.maker.tracks.values.map { ($0.kind, $0.header) }) { first, _ in first }
        tracks = [TrackKind.video, .audio].compactMap { kind in
            guard let chunks = chunks[kind], let header = headers[kind], run.kinds.contains(kind) else { return nil }
            let ticks = chunks.reduce(UInt64(0)) { $0 &+ $1.fragment.durationTicks }
            let bytes = chunks.reduce(0) { $0 + $1.data.count }
            let ms = max(1, Ticks.milliseconds(ticks, timescale: header.timescale))
            let rate = UInt32(clamping: Int64(clamping: bytes).multipliedReportingOverflow(by: 8_000).partialValue / ms)
            return Track(
                header: TrackHeader(
                    header.configuration, timescale: header.timescale, bitrate: Bitrate(max: rate, average: rate),
                    rotation: header.rotation))
        }
        began = run.began
        if tracks.isEmpty { return nil }
    }

    /// When its last segment ends, in milliseconds.
    var endMs: Int64 { tracks.reduce(0) { max($0, $1.endMs) } }

    /// Whether each track has said that nothing follows.
    var hasLast: Bool { tracks.allSatisfy(\.hasLast) }

    /// Whether a dial that begins with `frame` can go on with it.
    func accepts(_ frame: Frame) -> Bool {
        tracks.contains {
            $0.header.configuration == frame.configuration.coded
                && $0.header.rotation == frame.configuration.parameters.rotation
        }
    }

    /// Whether frames come of a track that it does not have.
    func lacks(_ run: SegmentRun) -> Bool { run.kinds.contains { kind in !tracks.contains { $0.kind == kind } } }

    /// The segments of these chunks, and before them fillers over what the camera did not send.
    mutating func take(
        _ chunks: [TrackKind: [MediaSegment.Chunk]], _ run: SegmentRun, _ form: SegmentMaker.Form, isLast: Bool,
        _ wall: (Instant) -> Int64
    ) -> [MediaSegment] {
        var segments: [MediaSegment] = []
        for index in tracks.indices {
            guard let chunks = chunks[tracks[index].kind], let first = chunks.first else { continue }
            // Times go on from a dial to the next; within one they are the camera's.
            segments += fill(index, to: first.fragment.decodeTime, form, wall)
            var segment = MediaSegment(
                track: index, timescale: tracks[index].header.timescale, filler: nil, chunks: chunks)
            segment.isLast = isLast
            tracks[index].hasLast = isLast
            tracks[index].end = segment.endTime
            let own = Still(segment)
            // A segment that can stand still by itself needs no copy of it.
            if own == nil { segment.still = tracks[index].still }
            tracks[index].still = own ?? tracks[index].still
            segments.append(segment)
        }
        filledMs = 0
        return segments
    }

    /// Fillers of all tracks up to a time of the session, in milliseconds; `isLast`: nothing follows.
    mutating func fill(
        toMs: Int64, _ form: SegmentMaker.Form, isLast: Bool = false, _ wall: (Instant) -> Int64
    ) -> [MediaSegment] {
        let toMs = min(toMs, endMs + SegmentMaker.fillerMsMax)
        filledMs += max(0, toMs - endMs)
        return tracks.indices.flatMap { index in
            let ticks = Ticks.rescale(toMs, from: 1_000, to: tracks[index].header.timescale)
            var fillers = fill(index, to: UInt64(clamping: ticks), form, wall)
            if isLast, !fillers.isEmpty { fillers[fillers.count - 1].isLast = true }
            return fillers
        }
    }

    /// Fillers of a track up to a time in ticks: none where less than a hundredth of a second is missing.
    private mutating func fill(
        _ index: Int, to ticks: UInt64, _ form: SegmentMaker.Form, _ wall: (Instant) -> Int64
    ) -> [MediaSegment] {
        let track = tracks[index]
        let timescale = track.header.timescale
        let most = UInt64(clamping: max(1, Ticks.rescale(form.segmentMs, from: 1_000, to: timescale)))
        guard let still = track.still, ticks > track.end, ticks - track.end >= UInt64(timescale) / 100 else {
            return []
        }
        var segments: [MediaSegment] = []
        while tracks[index].end < ticks {
            let from = tracks[index].end
            let atMs = Ticks.milliseconds(from, timescale: timescale)
            let segment = still.segment(
                index, timescale, .link, from: from, ticks: min(most, ticks - from),
                arrival: WallClock(unixMs: wall(began + atMs)))
            tracks[index].end = segment.endTime
            segments.append(segment)
        }
        return segments
    }
}
