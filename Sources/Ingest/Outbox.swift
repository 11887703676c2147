import Media

/// What is to be put of one transport, in order: session after session, and of each the lists and headers, the segments, and the
/// lists that close it. A value that knows no clock and no network.
///
/// An object gets its path and its bytes when it comes first, and is the same each time it is sent until it was taken. So no
/// segment has two contents, none is left out, and the order is that of the numbers. What waits behind it is bounded: beyond the
/// bound the oldest segments become fillers, which stand still for as long and take a key frame.
struct Outbox: Sendable {
    /// What may wait.
    struct Bounds: Hashable, Sendable {
        var bytes: Int
        /// Milliseconds of media.
        var ms: Int64
    }

    /// What is next.
    enum Step: Sendable {
        /// This is to be put.
        case put(IngestObject)
        /// The session has been put whole.
        case finished(Summary)
        /// Nothing, for now.
        case rest
    }

    /// What became of a session.
    struct Summary: Hashable, Sendable {
        let session: Int64
        var segments = 0
        var fillers = 0
        var bytes: Int64 = 0
        /// How much of its time is missing from what was put, or stands still, in milliseconds, by reason.
        var holesMs: [String: Int64] = [:]
    }

    private enum Item: Sendable {
        case manifest(isFinished: Bool)
        case playlist(Int, isFinished: Bool)
        case header(Int)
        case media(MediaSegment, cost: Int)
    }

    private struct Sending: Sendable {
        let session: IngestSession
        var items: [Item]
        var puts: [PutTrack]
        var isEnded = false
        /// Whether an object of it was taken.
        var hasBegun = false
        var summary: Summary
    }

    /// The most sessions that wait.
    static let sessionsMax = 32

    private var sessions: [Sending] = []
    /// The first objects, with their bytes: what is put now, and before it what is to be put once more.
    private var prepared: [(object: IngestObject, segment: MediaSegment?)] = []
    private(set) var waitingBytes = 0
    private(set) var bounds: Bounds

    init(_ bounds: Bounds) { self.bounds = bounds }

    /// The session that is put; nil where nothing is.
    var current: Int64? { sessions.first?.session.number }
    var isEmpty: Bool { sessions.isEmpty }

    /// Milliseconds of media that wait, fillers too.
    var waitingMs: Int64 {
        var ms = prepared.last?.segment.map { $0.track == 0 ? $0.durationMs : 0 } ?? 0
        for sending in sessions {
            for case .media(let segment, _) in sending.items where segment.track == 0 { ms += segment.durationMs }
        }
        return ms
    }

    // MARK: What comes

    /// A session begins. Gives what became of sessions that had to go for it.
    mutating func begin(_ session: IngestSession) -> [Summary] {
        let lists: [Item] =
            switch session.interface {
            case .interface1, .interface2DASH:
                [.manifest(isFinished: false)] + session.tracks.indices.map { .header($0) }
            case .interface2HLS:
                [.manifest(isFinished: false)]
                    + session.tracks.indices.flatMap { [.playlist($0, isFinished: false), .header($0)] }
            }
        sessions.append(
            Sending(
                session: session, items: lists, puts: session.tracks.map { _ in PutTrack() },
                summary: Summary(session: session.number)))
        return makeRoom()
    }

    /// Takes a segment of the session that began last. Gives what became of sessions that had to go for it.
    mutating func add(_ segment: MediaSegment, to session: Int64) -> [Summary] {
        guard let last = sessions.indices.last, sessions[last].session.number == session, !sessions[last].isEnded,
            sessions[last].puts.indices.contains(segment.track)
        else { return [] }
        sessions[last].items.append(.media(segment, cost: segment.memoryBytes))
        waitingBytes += segment.memoryBytes
        shrink()
        return makeRoom()
    }

    /// Nothing more comes of the session that began last.
    mutating func end(_ session: Int64) {
        guard let last = sessions.indices.last, sessions[last].session.number == session, !sessions[last].isEnded
        else { return }
        sessions[last].isEnded = true
        switch sessions[last].session.interface {
        case .interface1, .interface2DASH: sessions[last].items.append(.manifest(isFinished: true))
        case .interface2HLS:
            sessions[last].items += sessions[last].session.tracks.indices.map { .playlist($0, isFinished: true) }
        }
    }

    /// Nothing of the media that waits is put, nor what of it is on its way; `why` is told as the reason of the hole. Gives whether
    /// something is on its way that may not arrive.
    mutating func drop(_ why: String) -> Bool {
        let isUnderWay = prepared.last?.segment != nil
        if let segment = prepared.last?.segment { note(segment, why) }
        if isUnderWay { prepared = [] }
        for index in sessions.indices {
            for case .media(let segment, _) in sessions[index].items where segment.track == 0 {
                sessions[index].summary.holesMs[why, default: 0] += segment.durationMs
            }
            sessions[index].items.removeAll { if case .media = $0 { true } else { false } }
        }
        waitingBytes = 0
        return isUnderWay
    }

    /// The first session is not put any further, nor are those behind it that have ended: what one was refused for is no fault of its
    /// own. Gives what became of them.
    mutating func giveUp(_ why: String) -> [Summary] {
        guard !sessions.isEmpty else { return [] }
        if let segment = prepared.last?.segment { note(segment, why) }
        prepared = []
        var gone = [remove(at: 0, why)]
        while sessions.first?.isEnded ?? false { gone.append(remove(at: 0, why)) }
        return gone
    }

    private mutating func remove(at index: Int, _ why: String) -> Summary {
        var gone = sessions.remove(at: index)
        for case .media(let segment, let cost) in gone.items {
            waitingBytes -= cost
            if segment.track == 0 { gone.summary.holesMs[why, default: 0] += segment.durationMs }
        }
        return gone.summary
    }

    // MARK: What is put

    /// What is next. The same until it was taken.
    mutating func next() -> Step {
        if let first = prepared.first { return .put(first.object) }
        guard !sessions.isEmpty else { return .rest }
        guard !sessions[0].items.isEmpty else {
            return sessions[0].isEnded ? .finished(sessions.removeFirst().summary) : .rest
        }
        let (object, segment) = prepare(sessions[0].items.removeFirst())
        prepared = [(object, segment)]
        return .put(object)
    }

    /// Whether the first object is there once more, for the sake of the one behind it.
    var isRepeating: Bool { prepared.count > 1 }

    /// The first object was taken. Gives whether it is the first of its session, and the segment that it was.
    mutating func taken() -> (isFirst: Bool, segment: MediaSegment?) {
        guard !prepared.isEmpty, !sessions.isEmpty else { return (false, nil) }
        let isFirst = !sessions[0].hasBegun
        sessions[0].hasBegun = true
        let segment = prepared.removeFirst().segment
        if let segment { count(segment) }
        return (isFirst, segment)
    }

    private mutating func count(_ segment: MediaSegment) {
        sessions[0].puts[segment.track].segments.append((segment.decodeTime, segment.durationTicks))
        sessions[0].puts[segment.track].bytes += Int64(segment.byteCount)
        sessions[0].summary.segments += 1
        sessions[0].summary.bytes += Int64(segment.byteCount)
        guard let why = segment.filler else { return }
        sessions[0].summary.fillers += 1
        if segment.track == 0 { sessions[0].summary.holesMs[why.rawValue, default: 0] += segment.durationMs }
    }

    /// The receiver lacks the header of the first object's track: it comes once more before it.
    mutating func repeatHeader() {
        guard prepared.count == 1, let first = prepared.first, case .media(let track) = first.object.content,
            !sessions.isEmpty
        else { return }
        prepared.insert(prepare(.header(track)), at: 0)
    }

    /// Gives an item its path and bytes.
    private mutating func prepare(_ item: Item) -> (object: IngestObject, segment: MediaSegment?) {
        let session = sessions[0].session
        let lists = SessionLists(session: session, puts: sessions[0].puts)
        switch item {
        case .manifest(let isFinished):
            if session.interface == .interface2HLS {
                return (IngestObject(session.folder + "index.m3u8", .playlist, lists.variants()), nil)
            }
            return (
                IngestObject(session.folder + "index.mpd", .manifest, lists.manifest(isFinished: isFinished)), nil
            )
        case .playlist(let track, let isFinished):
            let path = session.folder + session.tracks[track].name + "/index.m3u8"
            return (IngestObject(path, .playlist, lists.playlist(track, isFinished: isFinished)), nil)
        case .header(let track):
            let name = session.tracks[track].name
            let path = session.folder + name + "/" + SessionLists.header(name)
            return (IngestObject(path, .header, session.tracks[track].header.encoded()), nil)
        case .media(let segment, let cost):
            waitingBytes -= cost
            var put = sessions[0].puts[segment.track]
            put.numbered += 1
            let bytes = segment.encoded(sequence: put.sequence &+ 1)
            put.sequence &+= UInt32(truncatingIfNeeded: segment.chunkCount)
            sessions[0].puts[segment.track] = put
            let path = session.folder + session.tracks[segment.track].name + "/" + SessionLists.segment(put.numbered)
            // Matter's receiver of HLS is told the length with the segment.
            let headers =
                session.interface == .interface2HLS
                ? [
                    IngestObject.Header(
                        name: "X-EXTINF-duration",
                        value: SessionLists.seconds(segment.durationTicks, segment.timescale))
                ] : []
            return (IngestObject(path, .media(track: segment.track), headers: headers, bytes), segment)
        }
    }

    private mutating func note(_ segment: MediaSegment, _ why: String) {
        if segment.track == 0, !sessions.isEmpty { sessions[0].summary.holesMs[why, default: 0] += segment.durationMs }
    }

    // MARK: Bounds

    /// So many bytes may wait from now on. Gives what became of sessions that had to go for it.
    mutating func bound(bytes: Int) -> [Summary] {
        bounds.bytes = bytes
        shrink()
        return makeRoom()
    }

    /// Makes the oldest segments that wait fillers, while what waits is beyond a bound.
    private mutating func shrink() {
        var wholeMs: Int64 = 0
        for sending in sessions {
            for case .media(let segment, _) in sending.items where segment.track == 0 && segment.filler == nil {
                wholeMs += segment.durationMs
            }
        }
        for index in sessions.indices {
            var before: [Int: MediaSegment] = [:]
            for place in sessions[index].items.indices {
                guard waitingBytes > bounds.bytes || wholeMs > bounds.ms else { return }
                guard case .media(let segment, let cost) = sessions[index].items[place] else { continue }
                let other = before[segment.track]
                before[segment.track] = segment
                guard segment.filler == nil, let filler = segment.filled(.receiver, like: other) else { continue }
                if segment.track == 0 { wholeMs -= segment.durationMs }
                let kept = other?.filler != nil ? 0 : filler.byteCount
                sessions[index].items[place] = .media(filler, cost: kept)
                waitingBytes += kept - cost
                before[segment.track] = filler
            }
        }
    }

    /// Where fillers are too much, too, or there are too many sessions, the oldest go that have ended and of which nothing is put now.
    private mutating func makeRoom() -> [Summary] {
        var gone: [Summary] = []
        while waitingBytes > bounds.bytes || sessions.count > Self.sessionsMax,
            let index = sessions.indices.dropFirst().first(where: { sessions[$0].isEnded })
        {
            gone.append(remove(at: index, MediaSegment.Filler.receiver.rawValue))
        }
        return gone
    }
}
