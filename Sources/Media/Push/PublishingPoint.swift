import Hashing
public import Machines
import Synchronization

/// Where one stream of a camera is pushed to. It joins the requests of the pusher, on whatever thread, with the camera's input:
/// what is pushed waits here, within bounds, until the input takes it.
///
/// While no input is there, the first fragment wakes the camera, and waits for it where the camera says that it waits for its next
/// dial; where it is off, what comes is dropped.
public final class PublishingPoint: Sendable {
    /// Who pushes.
    public struct Pusher: Hashable, Sendable, CustomStringConvertible {
        /// As whom: a user, or a certificate.
        public let login: String
        /// From which address.
        public let address: String

        /// A pusher.
        public init(login: String, address: String) { (self.login, self.address) = (login, address) }

        /// Both.
        public var description: String { "\(login) at \(address)" }
    }

    /// What happens that people should know.
    public enum Happening: Sendable {
        /// A pusher begins: it is another than before, or nothing came of it for long.
        case began(Pusher, session: String)
        /// Something was refused; how often since it was told last.
        case refused(Pusher, PushRefusal, count: Int)
    }

    /// A fragment on its way to the input.
    struct Item: Sendable {
        let session: UInt64
        /// Names the track within its session.
        let key: String
        /// Grows when the track's header is replaced.
        let version: Int
        let track: PushedTrack
        let fragment: PushedFragment
        let missing: UInt32
        let arrival: Instant
    }

    /// What becomes of a fragment that is offered.
    enum Offer: Sendable {
        case done
        /// There is no room, or nobody to take it yet: again in a moment.
        case again
    }

    fileprivate struct State {
        var pusher: Pusher?
        var lastAt = Instant(ms: .min / 2)
        var since = Instant(ms: .min / 2)
        var session: PushSession?
        var sessions: UInt64 = 0
        /// The names of the sessions before, the newest last.
        var ended: [String] = []
        var requests = 0
        /// Bytes of boxes that are not whole yet, in all requests.
        var bodyBytes = 0
        var reader: UInt64?
        var readers: UInt64 = 0
        var queue: [Item] = []
        var queuedBytes = 0
        /// Whether a fragment waits for the next input.
        var holds = true
        /// What waited was dropped since the input began: none of what it has taken may come back.
        var isCleared = false
        var holdsSince: Instant?
        var wake: (@Sendable () -> Bool)?
        var tell: (@Sendable (Happening) -> Void)?
        var refusals = (count: 0, toldAt: Instant(ms: .min / 2))
        /// Fragments that came again, and those that were dropped because nobody took them.
        var repeated: UInt64 = 0
        var dropped: UInt64 = 0
    }

    /// How often refusals are told at most, in milliseconds.
    private static let tellMs: Int64 = 60_000
    /// So many names of former sessions are known.
    fileprivate static let endedKept = 8

    /// What one point may hold of memory, in bytes.
    public static let bytesMax = PushLimits.bytesMax

    /// Its path, such as `/ingest/yard/main`.
    public let name: String
    private let state = Mutex(State())

    /// A point at this path.
    public init(name: String) { self.name = name }

    /// Calls `wake` when a pusher comes while the camera waits for its next dial: it has the camera dialled at once, and says
    /// whether that may be waited for. `tell` is called with what people should know. Neither may block.
    public func follow(
        wake: @escaping @Sendable () -> Bool, tell: @escaping @Sendable (Happening) -> Void
    ) {
        state.withLock { ($0.wake, $0.tell) = (wake, tell) }
    }

    /// Drops what waits: it may not be recorded.
    public func clear() {
        state.withLock { state in
            state.drop()
            state.isCleared = true
        }
    }

    /// Who pushes, which session, and since when; nil where nothing has come for 10 s.
    public func pushing(at now: Instant) -> (pusher: Pusher, session: String, since: Instant)? {
        state.withLock { state in
            guard let pusher = state.pusher, now - state.lastAt < PushLimits.silenceMs else { return nil }
            return (pusher, state.session?.name ?? "", state.since)
        }
    }

    // MARK: Requests

    /// A request of `pusher` begins. Throws where somebody else pushes, or too many are under way. Each that has begun must be ended.
    func begin(_ pusher: Pusher, at now: Instant) throws(PushRefusal) {
        let refusal: PushRefusal? = state.withLock { state in
            if let other = state.pusher, other != pusher, now - state.lastAt < PushLimits.silenceMs {
                return PushRefusal(
                    .conflict, "\(other) has pushed here for \((now - state.since) / 1_000) s",
                    "stop it, or try again \(PushLimits.silenceMs / 1_000) s after its last byte")
            }
            guard state.requests < PushLimits.requestsMax else {
                return PushRefusal(
                    .busy, "\(state.requests) requests are under way, which is the most", "push one after the other")
            }
            state.requests += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    /// The request is over, which held so many bytes.
    func end(holding bytes: Int) {
        state.withLock { state in
            state.requests -= 1
            state.bodyBytes -= bytes
        }
    }

    /// A request holds so many bytes more, or fewer. Throws where all together hold too many; they count all the same.
    func hold(_ bytes: Int) throws(PushRefusal) {
        let isTooMuch = state.withLock { state in
            state.bodyBytes += bytes
            return bytes > 0 && state.bodyBytes > PushLimits.waitingBytesMax
        }
        if isTooMuch {
            throw PushRefusal(
                .busy, "requests that are not whole hold \(PushLimits.waitingBytesMax) bytes, which is the most",
                "push shorter fragments, or one after the other")
        }
    }

    /// Something was refused.
    func note(_ refusal: PushRefusal, of pusher: Pusher, at now: Instant) {
        let told = state.withLock { state -> ((@Sendable (Happening) -> Void), Int)? in
            state.refusals.count += 1
            guard now - state.refusals.toldAt >= Self.tellMs, let tell = state.tell else { return nil }
            defer { state.refusals = (0, now) }
            return (tell, state.refusals.count)
        }
        if let (tell, count) = told { tell(.refused(pusher, refusal, count: count)) }
    }

    /// Bytes of `pusher` came.
    func heard(_ pusher: Pusher, at now: Instant) {
        state.withLock { if $0.pusher == pusher { $0.lastAt = max($0.lastAt, now) } }
    }

    /// A header came.
    func take(
        header tracks: [PushedTrack], digest: SHA256.Value, at path: PushPath, of pusher: Pusher, at now: Instant
    ) throws(PushRefusal) {
        let result: Result<(@Sendable () -> Void)?, PushRefusal> = state.withLock { state in
            if let other = state.pusher, other != pusher, now - state.lastAt < PushLimits.silenceMs {
                return .failure(PushRefusal(.conflict, "\(other) pushes here", "stop it"))
            }
            let isOther = state.pusher != pusher
            let isNew =
                isOther || now - state.lastAt >= PushLimits.silenceMs || state.session?.name != path.session
            if isOther || now - state.lastAt >= PushLimits.silenceMs { state.since = now }
            (state.pusher, state.lastAt) = (pusher, max(state.lastAt, now))
            do throws(PushRefusal) {
                if isOther || state.session?.name != path.session { try state.beginSession(path.session) }
                try state.session?.take(path, digest, tracks)
            } catch { return .failure(error) }
            guard isNew, let tell = state.tell else { return .success(nil) }
            return .success { tell(.began(pusher, session: path.session)) }
        }
        switch result {
        case .success(let tell): tell?()
        case .failure(let refusal): throw refusal
        }
    }

    /// The tracks of the header to which a fragment at `path` belongs, with the header's place.
    func header(
        of path: PushPath, tracks: [UInt32], of pusher: Pusher
    ) throws(PushRefusal) -> (place: Int, session: UInt64, tracks: [PushedTrack]) {
        let missing = PushRefusal(
            .headerMissing, "no header of this track was pushed", "push the header, then this again")
        let found: Result<(Int, UInt64, [PushedTrack]), PushRefusal> = state.withLock { state in
            guard state.pusher == pusher, let session = state.session else { return .failure(missing) }
            if session.name != path.session, state.ended.contains(path.session) {
                return .failure(
                    PushRefusal(
                        .conflict, "the session \(session.name) has taken over from \(path.session)",
                        "push the newest session alone"))
            }
            guard session.name == path.session, let place = session.header(of: path, tracks: tracks) else {
                return .failure(missing)
            }
            return .success((place, session.number, session.headers[place].tracks))
        }
        return try found.get()
    }

    /// Offers the fragments of a chunk. Until it is `done`, nothing of it counts as taken.
    func offer(
        _ fragments: [(track: Int, fragment: PushedFragment)], header: Int, path: PushPath, of pusher: Pusher,
        since: Instant, at now: Instant
    ) throws(PushRefusal) -> Offer {
        let bytes = fragments.first?.fragment.data.count ?? 0
        var wake: (@Sendable () -> Bool)?
        let result: Result<Offer, PushRefusal> = state.withLock { state in
            guard state.pusher == pusher, state.session?.name == path.session,
                state.session?.headers.indices.contains(header) == true
            else { return .failure(PushRefusal(.conflict, "another session has taken over", "push its header again")) }
            state.lastAt = max(state.lastAt, now)
            let isLate = now - since >= PushLimits.holdMs
            if state.reader == nil {
                if state.holds, state.holdsSince == nil {
                    state.holdsSince = now
                    wake = state.wake
                }
                if let begin = state.holdsSince, now - begin >= PushLimits.holdMs { state.drop() }
            }
            let isKept = state.reader != nil || state.holds
            if isKept, !state.queue.isEmpty,
                state.queuedBytes + bytes > PushLimits.waitingBytesMax || state.queue.count >= PushLimits.waitingMax
            {
                guard isLate else { return .success(.again) }
                return .failure(
                    PushRefusal(.busy, "\(state.queuedBytes) bytes wait, which is the most", "push it again later"))
            }
            return state.take(fragments, header: header, isKept: isKept, bytes: bytes, at: now)
        }
        if let wake, !wake() { clear() }
        return try result.get()
    }

    // MARK: The input

    /// An input takes what comes from now on, in the place of any other.
    func attach() -> UInt64 {
        state.withLock { state in
            state.readers += 1
            state.reader = state.readers
            state.holdsSince = nil
            state.isCleared = false
            return state.readers
        }
    }

    /// What has come; nil where another input has taken over.
    func take(_ reader: UInt64) -> [Item]? {
        state.withLock { state in
            guard state.reader == reader else { return nil }
            defer { (state.queue, state.queuedBytes) = ([], 0) }
            return state.queue
        }
    }

    /// Gives back what was not used, for the next input.
    func giveBack(_ items: [Item], _ reader: UInt64) {
        state.withLock { state in
            guard state.reader == reader, !state.isCleared else { return }
            state.queue = items + state.queue
            state.queuedBytes += items.reduce(0) { $0 + $1.fragment.data.count }
        }
    }

    /// The input has ended. What comes next wakes the camera, and waits for it.
    func detach(_ reader: UInt64) {
        state.withLock { state in
            guard state.reader == reader else { return }
            if state.isCleared { state.drop() }
            (state.reader, state.holds, state.holdsSince) = (nil, true, nil)
        }
    }

    /// The tracks of a session, with their keys; empty where it is not the newest.
    func tracks(of session: UInt64) -> [(key: String, track: PushedTrack)] {
        state.withLock { state in
            guard let current = state.session, current.number == session else { return [] }
            return current.headers.flatMap { header in
                header.tracks.enumerated().map { (Self.key(header.path, $0.offset), $0.element) }
            }
        }
    }

    /// Whether all tracks of the session have ended.
    var isOver: Bool { state.withLock { $0.session?.isOver ?? false } }

    /// How many fragments came again, and how many were dropped.
    var counts: (repeated: UInt64, dropped: UInt64) { state.withLock { ($0.repeated, $0.dropped) } }

    fileprivate static func key(_ path: PushPath, _ track: Int) -> String { "\(path.text)#\(track)" }
}

extension PublishingPoint: Hashable {
    /// Points are compared by what they are, not by their name.
    public static func == (one: PublishingPoint, other: PublishingPoint) -> Bool { one === other }
    /// By what it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension PublishingPoint.State {
    fileprivate mutating func drop() {
        dropped += UInt64(queue.count)
        (queue, queuedBytes, holds) = ([], 0, false)
    }

    fileprivate mutating func beginSession(_ name: String) throws(PushRefusal) {
        guard !ended.contains(name) || name.isEmpty else {
            throw PushRefusal(
                .conflict, "the session \(session?.name ?? "") has taken over from \(name)",
                "begin a session of another name")
        }
        if let old = session, !old.name.isEmpty {
            ended.append(old.name)
            if ended.count > PublishingPoint.endedKept { ended.removeFirst() }
        }
        sessions = max(sessions, session?.number ?? 0) + 1
        session = PushSession(number: sessions, name: name)
    }

    fileprivate mutating func take(
        _ fragments: [(track: Int, fragment: PushedFragment)], header: Int, isKept: Bool, bytes: Int, at now: Instant
    ) -> Result<PublishingPoint.Offer, PushRefusal> {
        var late = 0
        var taken = 0
        for (track, fragment) in fragments {
            guard var session, session.headers[header].tracks.indices.contains(track) else { continue }
            let verdict = session.judge(fragment, header: header, track: track)
            self.session = session
            switch verdict {
            case .repeated: repeated += 1
            case .late: late += 1
            case .new(_, let missing):
                guard isKept else {
                    dropped += 1
                    continue
                }
                taken += 1
                let place = session.headers[header]
                queue.append(
                    PublishingPoint.Item(
                        session: session.number, key: PublishingPoint.key(place.path, track), version: place.version,
                        track: place.tracks[track], fragment: fragment, missing: missing, arrival: now))
            }
        }
        if taken > 0 { queuedBytes += bytes }
        guard late == 0 || taken > 0 else {
            return .failure(
                PushRefusal(
                    .conflict, "it lies before what was taken of its track, and is none of the latest fragments again",
                    "push fragments in order; push the header first where the times begin anew"))
        }
        return .success(.done)
    }
}
