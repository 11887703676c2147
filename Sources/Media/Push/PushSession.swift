import DequeModule
import Hashing
import Machines

/// What a publishing point knows of the session that is pushed: headers, and how far each track has come. A value.
struct PushSession: Sendable {
    /// A header, and how far its tracks have come.
    struct Header: Sendable {
        let path: PushPath
        var digest: SHA256.Value
        var tracks: [PushedTrack]
        var progress: [Progress]
        /// How often it was replaced by another.
        var version = 0
        /// It came again, and no fragment since: its track may begin anew.
        var isResent = false
    }

    /// How far a track has come.
    struct Progress: Sendable {
        /// Where the next fragment begins, in ticks; nil: wherever the first one does.
        var next: UInt64?
        var sequence: UInt32?
        /// The latest fragments, the newest last.
        var recent: Deque<Known> = []
        /// Nothing follows (`lmsg`).
        var isOver = false
        /// By how much the ends of its fragments come after its own time, at least.
        var delay = PushDelay()
    }

    /// What a fragment is known by that comes again.
    struct Known: Hashable, Sendable {
        let decodeTime: UInt64
        /// The begin of its digest: no two fragments of one time have the same by chance.
        let digest: UInt64
        let at: Instant
    }

    /// What a fragment takes that is known, in bytes.
    static let knownBytes = MemoryLayout<Known>.stride

    /// What a fragment is.
    enum Verdict: Equatable, Sendable {
        /// It follows; so many fragments, by their numbers, are missing before it.
        case new(missing: UInt32)
        /// It came before.
        case repeated
        /// Something later was taken before it.
        case late
    }

    /// Changes when tracks begin anew.
    private(set) var number: UInt64
    let name: String
    private(set) var headers: [Header] = []
    /// When something was taken last.
    private(set) var takenAt: Instant

    init(number: UInt64, name: String, at now: Instant) { (self.number, self.name, takenAt) = (number, name, now) }

    /// Whether all tracks of which something came are over.
    var isOver: Bool {
        let begun = headers.flatMap(\.progress).filter { $0.next != nil }
        return !begun.isEmpty && begun.allSatisfy(\.isOver)
    }

    /// A header came. Throws where there are too many.
    mutating func take(
        _ path: PushPath, _ digest: SHA256.Value, _ tracks: [PushedTrack], at now: Instant
    ) throws(PushRefusal) {
        let others = headers.filter { $0.path != path }.reduce(0) { $0 + $1.tracks.count }
        guard others + tracks.count <= PushLimits.sessionTracksMax else {
            throw PushRefusal(
                .tooLarge, "the session has more than \(PushLimits.sessionTracksMax) tracks, which is the most",
                "push one video and one audio track")
        }
        takenAt = max(takenAt, now)
        guard let place = headers.firstIndex(where: { $0.path == path }) else {
            guard headers.count < PushLimits.headersMax else {
                throw PushRefusal(
                    .tooLarge, "the session has \(headers.count) headers, which is the most",
                    "push the headers of a session to the same paths again")
            }
            headers.append(
                Header(
                    path: path, digest: digest, tracks: tracks, progress: tracks.map { _ in Progress() }))
            return
        }
        headers[place].isResent = true
        guard headers[place].digest != digest else { return }
        headers[place].digest = digest
        headers[place].version += 1
        if headers[place].tracks.count != tracks.count { headers[place].progress = tracks.map { _ in Progress() } }
        headers[place].tracks = tracks
    }

    /// The place of the header to which a fragment at `path` belongs that has tracks of these numbers; nil where there is none.
    func header(of path: PushPath, tracks: [UInt32]) -> Int? {
        if let same = headers.firstIndex(where: { $0.path == path }) { return same }
        func fits(_ header: Header) -> Bool {
            tracks.contains { id in header.tracks.contains { $0.layout.trackID == id } }
        }
        let near = headers.indices.filter { headers[$0].path.folder == path.folder && fits(headers[$0]) }
        if near.count == 1 { return near[0] }
        let name = path.trackName(isMedia: true)
        let named = near.filter { headers[$0].path.trackName(isMedia: false) == name }
        if named.count == 1 { return named[0] }
        let all = headers.indices.filter { fits(headers[$0]) }
        return near.isEmpty && all.count == 1 ? all[0] : nil
    }

    /// Whether a track of this kind has brought something.
    func hasBegun(_ kind: TrackKind) -> Bool {
        headers.contains { header in
            zip(header.tracks, header.progress).contains { $0.kind == kind && $1.next != nil }
        }
    }

    /// Whether it has a header at this path.
    func knows(_ path: PushPath) -> Bool { headers.contains { $0.path == path } }

    /// Whether it has a header of this digest at this path.
    func has(_ path: PushPath, _ digest: SHA256.Value) -> Bool {
        headers.contains { $0.path == path && $0.digest == digest }
    }

    /// Whether a fragment was taken before.
    func knows(_ fragment: PushedFragment, header: Int, track: Int) -> Bool {
        let progress = headers[header].progress[track]
        let (time, digest) = (fragment.decodeTime, fragment.digest.prefix)
        guard let next = progress.next, time >= next else {
            return progress.recent.contains { $0.decodeTime == time && $0.digest == digest }
        }
        // Behind all that was taken nothing is known, but for the latest that took no time.
        return progress.recent.reversed().prefix { $0.decodeTime == time }.contains { $0.digest == digest }
    }

    /// What a fragment is. One that is new counts as taken; where its header came again and it goes back, all tracks begin anew,
    /// unless another session has followed.
    mutating func judge(
        _ fragment: PushedFragment, header: Int, track: Int, mayBeginAnew: Bool = true, at now: Instant
    ) -> Verdict {
        let known = Known(decodeTime: fragment.decodeTime, digest: fragment.digest.prefix, at: now)
        let progress = headers[header].progress[track]
        if knows(fragment, header: header, track: track) { return .repeated }
        var missing: UInt32 = 0
        if let next = progress.next {
            if fragment.decodeTime &+ fragment.durationTicks / 2 < next {
                guard mayBeginAnew, headers[header].isResent else { return .late }
                beginAnew()
            } else if fragment.decodeTime > next {
                let step = (fragment.sequence ?? 0) &- (progress.sequence ?? 0)
                missing = (2...1_000).contains(step) ? step - 1 : 1
            }
        }
        takenAt = max(takenAt, now)
        headers[header].isResent = false
        headers[header].progress[track].take(fragment, known)
        return .new(missing: missing)
    }

    /// By how much what comes soonest of a track comes after its own time, in milliseconds, now that `fragment` of it has come.
    mutating func delayMs(of fragment: PushedFragment, header: Int, track: Int, at now: Instant) -> Int64 {
        let layout = headers[header].tracks[track].layout
        let end = Int64(clamping: fragment.decodeTime &+ fragment.durationTicks) &- Int64(layout.primingTicks)
        let endUs = end.scaled(1_000_000, Int64(layout.timescale))
        return headers[header].progress[track].delay.note((now.ms &* 1_000) &- endUs, at: now) / 1_000
    }

    private mutating func beginAnew() {
        number += 1
        for header in headers.indices {
            for track in headers[header].progress.indices {
                headers[header].progress[track].next = nil
                headers[header].progress[track].isOver = false
                headers[header].progress[track].delay = PushDelay()
            }
        }
    }
}

extension PushSession.Progress {
    fileprivate mutating func take(_ fragment: PushedFragment, _ known: PushSession.Known) {
        next = fragment.decodeTime &+ fragment.durationTicks
        sequence = fragment.sequence
        isOver = fragment.isLast
        while let oldest = recent.first,
            recent.count >= PushLimits.repeatsKept || known.at - oldest.at > PushLimits.repeatsMs
        {
            recent.removeFirst()
        }
        recent.append(known)
    }
}

extension SHA256.Value {
    /// Its first eight bytes.
    fileprivate var prefix: UInt64 { withUnsafeBytes(of: self) { $0.loadUnaligned(as: UInt64.self) } }
}
