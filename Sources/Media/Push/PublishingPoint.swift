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
        /// By how much what comes soonest comes after the session's own time, in milliseconds.
        let delayMs: Int64
        /// How many of its samples an input has handed over before.
        var delivered = 0
    }

    /// What becomes of a fragment that is offered.
    enum Offer: Sendable {
        case done
        /// There is no room, or nobody to take it yet: again in a moment.
        case again
    }

    struct State {
        var pusher: Pusher?
        var lastAt = Instant(ms: .min / 2)
        var since = Instant(ms: .min / 2)
        var session: PushSession?
        /// As whom it is pushed.
        var sessionLogin: String?
        /// The session before, and until when something new of it may still come.
        var previous: (session: PushSession, until: Instant)?
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
        /// When what waited was dropped last: nothing that had come may come back.
        var clearedAt = Instant(ms: .min / 2)
        var holdsSince: Instant?
        var wokenAt = Instant(ms: .min / 2)
        /// Grows when whoever pushes loses the right to: what has begun before is refused.
        var generation: UInt64 = 0
        var wake: (@Sendable () -> Bool)?
        var tell: (@Sendable (Happening) -> Void)?
        var refusals = (count: 0, toldAt: Instant(ms: .min / 2))
        /// When it was told last that a session began.
        var beganToldAt = Instant(ms: .min / 2)
        /// Fragments that came again, and those that were dropped because nobody took them.
        var repeated: UInt64 = 0
        var dropped: UInt64 = 0
    }

    /// How often refusals are told at most, in milliseconds.
    static let tellMs: Int64 = 60_000
    /// So many names of former sessions are known.
    static let endedKept = 8

    /// What one point may hold of memory, in bytes.
    public static let bytesMax = PushLimits.bytesMax

    /// Its path, such as `/ingest/yard/main`.
    public let name: String
    let state = Mutex(State())

    /// A point at this path.
    public init(name: String) { self.name = name }

    /// Calls `wake` when a pusher comes while no input is there: it has a camera that waits for its next dial dialled at once, and
    /// says whether an input may be waited for. `tell` is called with what people should know. Neither may block.
    public func follow(
        wake: @escaping @Sendable () -> Bool, tell: @escaping @Sendable (Happening) -> Void
    ) {
        state.withLock { ($0.wake, $0.tell) = (wake, tell) }
    }

    /// Whether something waits for an input and none is there; said once a second at most.
    public func wantsInput(at now: Instant) -> Bool {
        state.withLock { state in
            guard state.reader == nil, state.holds, !state.queue.isEmpty, now - state.wokenAt >= PushLimits.wakeMs
            else { return false }
            state.wokenAt = now
            return true
        }
    }

    /// Drops what waits: it may not be recorded.
    public func clear(at now: Instant) { state.withLock { $0.clear(at: now) } }

    /// The same, unless an input has come meanwhile.
    func clearUnread(at now: Instant) { state.withLock { if $0.reader == nil { $0.clear(at: now) } } }

    /// Who pushes has no right to any more: what is under way is refused, and somebody else may begin.
    public func dismiss() {
        state.withLock { state in
            state.pusher = nil
            state.generation += 1
        }
    }

    /// Who pushes, which session, and since when; nil where nothing has come for 10 s.
    public func pushing(at now: Instant) -> (pusher: Pusher, session: String, since: Instant)? {
        state.withLock { state in
            guard let pusher = state.pusher, now - state.lastAt < PushLimits.silenceMs else { return nil }
            return (pusher, state.session?.name ?? "", state.since)
        }
    }
}

extension PublishingPoint: Hashable {
    /// Points are compared by what they are, not by their name.
    public static func == (one: PublishingPoint, other: PublishingPoint) -> Bool { one === other }
    /// By what it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
