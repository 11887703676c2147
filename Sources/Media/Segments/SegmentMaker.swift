public import Machines

/// Makes the segments of sessions (docs/design/ingest.md) of the frames of a camera's ring: for each session the headers of its
/// tracks, then segments that begin with key frames, on one time line from 0.
///
///     take(frame)* ──► began(tracks) ──► segment* ──► ended      began(tracks) ──► …
///                         first cut      each cut      finish, or what cannot go on
///
/// The samples are those of the frames, byte for byte. While the camera sends nothing, and over the time that it did not, fillers
/// keep the time line whole: the last key frame stands still. A value; what it holds is bounded.
public struct SegmentMaker: Sendable {
    /// What is made of the frames.
    public struct Form: Hashable, Sendable {
        /// The length of a segment in milliseconds, 1 or more: one ends before the first key frame from there on.
        public var segmentMs: Int64
        /// The length of a chunk in milliseconds; 0: a segment is one chunk.
        public var chunkMs: Int64
        /// Which tracks are taken; one at least.
        public var kinds: Set<TrackKind>

        /// A form.
        public init(segmentMs: Int64, chunkMs: Int64, kinds: Set<TrackKind>) {
            (self.segmentMs, self.chunkMs, self.kinds) = (max(1, segmentMs), max(0, chunkMs), kinds)
        }
    }

    /// A track of a session.
    public struct Track: Sendable {
        /// What comes before its segments. Its bit rate is that of its first segment.
        public let header: TrackHeader
        /// What it carries.
        public var kind: TrackKind { header.configuration.kind }
    }

    /// Why a session goes on no longer.
    public enum End: String, Hashable, Sendable, CaseIterable {
        /// The recording is over.
        case finished
        /// The camera codes a track otherwise, has another number of tracks, or its frames cannot be put into segments.
        case changed
        /// The camera has sent nothing for `fillerMsMax`.
        case away
        /// It is as long as a session may be; the next one begins with the key frame that follows.
        case length
    }

    /// What is made.
    public enum Item: Sendable {
        /// A session begins, with these tracks: the picture first. Its first frame came at that instant.
        case began([Track], at: Instant)
        /// A segment of it.
        case segment(MediaSegment)
        /// It is over.
        case ended(End)
    }

    /// For how long fillers follow each other, in milliseconds; then the session ends.
    static let fillerMsMax: Int64 = 60_000
    /// How long a session is at most, in milliseconds, but for what lies before the next key frame.
    static let sessionMsMax: Int64 = 300_000
    /// The most that waits to be cut, in bytes of memory; then a segment ends wherever that is.
    package static let bytesMax = 8 << 20
    /// By how much key frames may come early for the length of a segment, in parts of 100.
    static let earlyPercent: Int64 = 5
    /// How much longer than said a segment becomes while no key frame comes, in milliseconds.
    static let lateMs: Int64 = 10_000
    /// How long after the end of the last segment the camera is taken to send nothing, besides a segment's own length.
    static let lossMs: Int64 = 1_000

    private let form: Form
    private let wall: @Sendable (Instant) -> Int64
    private var session: SegmentSession?
    private var run: SegmentRun?

    /// Of nothing yet. `wall` gives milliseconds since 1970 for an instant.
    public init(_ form: Form, wall: @escaping @Sendable (Instant) -> Int64) {
        (self.form, self.wall) = (form, wall)
    }

    /// Whether a session has begun and is not over.
    public var isOpen: Bool { session != nil }

    /// Takes the next frame; `dial` is the number of its dial in the ring.
    public mutating func take(_ frame: Frame, dial: UInt64) -> [Item] {
        guard form.kinds.contains(frame.kind), frame.configuration.coded != nil else { return [] }
        var items: [Item] = []
        if let run, run.dial != dial {
            items += cut(next: nil, isWhole: true, isLast: false)
            self.run = nil
        }
        let isLeading = frame.kind == leading
        let isStart = isLeading && (frame.kind == .audio || frame.isVideoStart)
        if isStart, let why = endsBefore(frame) { items += end(why, at: frame.arrival) }
        switch run?.place(frame, isLeading: isLeading, isStart: isStart) {
        case nil where !isStart: return items
        case .ignored: return items
        case .changed:
            run?.hasChanged = true
            return items
        case .stalls:
            items += cut(next: nil, isWhole: true, isLast: false)
            run = nil
            return items
        case .beginsChunk: items += cut(next: frame, isWhole: false, isLast: false)
        case .beginsSegment: items += cut(next: frame, isWhole: true, isLast: false)
        case .follows, nil: break
        }
        if run == nil {
            // A session that goes on over a loss does so when the camera's first frame came, by the session's time.
            let leadMs = session.map { max(frame.arrival - $0.began, $0.endMs + 1) } ?? 0
            run = SegmentRun(frame, dial: dial, leadMs: leadMs, form)
        }
        run?.take(frame)
        return items
    }

    /// Nothing has come until `now`, and the camera's dial is over: fillers for what is missing by then.
    public mutating func idle(at now: Instant) -> [Item] {
        var items = cut(next: nil, isWhole: true, isLast: false)
        run = nil
        guard var session, now - session.began - session.endMs >= form.segmentMs + Self.lossMs else { return items }
        if session.filledMs + form.segmentMs > Self.fillerMsMax {
            return items + end(.away, at: session.began + (session.endMs + form.segmentMs))
        }
        items += session.fill(toMs: session.endMs + form.segmentMs, form, wall).map(Item.segment)
        self.session = session
        return items
    }

    /// The recording is over at `now`: what waits is the last segment of each track.
    public mutating func finish(at now: Instant) -> [Item] { end(.finished, at: now) }

    // MARK: Parts

    /// The track that says where segments end.
    private var leading: TrackKind { form.kinds.contains(.video) ? .video : .audio }

    /// Why the session cannot go on with `frame`, a start; nil where it can.
    private func endsBefore(_ frame: Frame) -> End? {
        if let run { return run.hasChanged || !run.accepts(frame) ? .changed : nil }
        guard let session else { return nil }
        guard session.accepts(frame) else { return .changed }
        return frame.arrival - session.began - session.endMs > Self.fillerMsMax ? .away : nil
    }

    /// Cuts what waits: a chunk, or a whole segment.
    private mutating func cut(next: Frame?, isWhole: Bool, isLast: Bool) -> [Item] {
        guard var run else { return [] }
        // What makes the session as long as it may be is its last segment, and the next session begins with `next`.
        let lengthMs = (session?.endMs ?? 0) + run.segmentMs(before: next)
        let isEnd = isWhole && next != nil && lengthMs >= Self.sessionMsMax
        do { try run.cutChunk(next: next, isLast: isLast || isEnd || next == nil, wall) } catch {
            self.run = nil
            return close(.changed)
        }
        let chunks = isWhole ? run.takeSegment() : [:]
        self.run = isEnd ? nil : run
        guard !chunks.isEmpty else { return isEnd ? close(.length) : [] }
        var items: [Item] = []
        if session == nil, let made = SegmentSession(chunks, run) {
            session = made
            items.append(.began(made.tracks.map { Track(header: $0.header) }, at: made.began))
        }
        guard var session else { return items }
        items += session.take(chunks, run, form, isLast: isLast || isEnd, wall).map(Item.segment)
        if session.lacks(run) { self.run?.hasChanged = true }
        self.session = session
        return isEnd ? items + close(.length) : items
    }

    private mutating func end(_ why: End, at now: Instant) -> [Item] {
        var items = cut(next: nil, isWhole: true, isLast: true)
        run = nil
        if var session, !session.hasLast {
            // It was cut when nothing came any more, without knowing that nothing would: what ends it is a filler.
            items += session.fill(toMs: max(now - session.began, session.endMs + 1), form, isLast: true, wall)
                .map(Item.segment)
        }
        return items + close(why)
    }

    private mutating func close(_ why: End) -> [Item] {
        defer { session = nil }
        return session == nil ? [] : [.ended(why)]
    }
}
