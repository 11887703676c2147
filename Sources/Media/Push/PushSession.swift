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
        var recent: [Known] = []
        /// Nothing follows (`lmsg`).
        var isOver = false
    }

    /// What a fragment is known by that comes again.
    struct Known: Hashable, Sendable {
        let decodeTime: UInt64
        let digest: SHA256.Value
    }

    /// What a fragment is.
    enum Verdict: Equatable, Sendable {
        /// It follows; so many ticks, and fragments by their numbers, are missing before it.
        case new(missingTicks: UInt64, missing: UInt32)
        /// It came before.
        case repeated
        /// Something later was taken before it.
        case late
    }

    /// Changes when tracks begin anew.
    private(set) var number: UInt64
    let name: String
    private(set) var headers: [Header] = []

    init(number: UInt64, name: String) { (self.number, self.name) = (number, name) }

    /// Whether all tracks of which something came are over.
    var isOver: Bool {
        let begun = headers.flatMap(\.progress).filter { $0.next != nil }
        return !begun.isEmpty && begun.allSatisfy(\.isOver)
    }

    /// A header came. Throws where there are too many.
    mutating func take(_ path: PushPath, _ digest: SHA256.Value, _ tracks: [PushedTrack]) throws(PushRefusal) {
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

    /// What a fragment is. One that is new counts as taken; where its header came again and it goes back, all tracks begin anew.
    mutating func judge(_ fragment: PushedFragment, header: Int, track: Int) -> Verdict {
        let known = Known(decodeTime: fragment.decodeTime, digest: fragment.digest)
        let progress = headers[header].progress[track]
        if progress.recent.contains(known) { return .repeated }
        var missingTicks: UInt64 = 0
        var missing: UInt32 = 0
        if let next = progress.next {
            if fragment.decodeTime &+ fragment.durationTicks / 2 < next {
                guard headers[header].isResent else { return .late }
                beginAnew()
            } else if fragment.decodeTime > next {
                missingTicks = fragment.decodeTime - next
                let step = (fragment.sequence ?? 0) &- (progress.sequence ?? 0)
                missing = (2...1_000).contains(step) ? step - 1 : 1
            }
        }
        headers[header].isResent = false
        headers[header].progress[track].take(fragment, known)
        return .new(missingTicks: missingTicks, missing: missing)
    }

    private mutating func beginAnew() {
        number += 1
        for header in headers.indices {
            for track in headers[header].progress.indices {
                headers[header].progress[track].next = nil
                headers[header].progress[track].isOver = false
            }
        }
    }
}

extension PushSession.Progress {
    fileprivate mutating func take(_ fragment: PushedFragment, _ known: PushSession.Known) {
        next = fragment.decodeTime &+ fragment.durationTicks
        sequence = fragment.sequence
        isOver = fragment.isLast
        if recent.count >= PushLimits.repeatsKept { recent.removeFirst() }
        recent.append(known)
    }
}
