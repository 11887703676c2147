internal import DequeModule
public import Machines
import Synchronization

/// The last seconds of a camera: frames of all tracks in the order of arrival, for pre-roll and for the writer.
///
/// It owns no bytes, it holds the frames that do. It is bounded in bytes and milliseconds and gives up whole groups of
/// pictures from the front, but keeps everything from the last key frame on. One thread pushes; any thread may read.
/// A frame's position grows by one for the life of the ring, across dials and purges. A **start** is a frame on which a
/// clip can begin: a video key frame or recovery point, or any frame of a dial without video.
public final class PacketRing: Sendable {
    struct Entry {
        let frame: Frame
        /// Number of the dial it came in; keeping media again counts as another.
        let dial: UInt64
    }

    struct Start {
        let position: UInt64
        let arrival: Instant
        let dial: UInt64
    }

    struct State {
        var entries = Deque<Entry>()
        var starts = Deque<Start>()
        /// Position of `entries[0]`.
        var first: UInt64 = 0
        /// What the entries take of memory.
        var bytes = 0
        var dial: UInt64 = 0
        var hasVideo = true
        var bounds: Bounds
        var isKeeping: Bool
        /// What a clip is still owed: frames from this position on stay, within the byte bound, until the instant.
        var pin: (position: UInt64, until: Instant)?
        /// The frames before this position are in a clip: none begins with them any more.
        var written: UInt64 = 0
        /// The dial of the last start that was given up because it is in a clip.
        var releasedIn: UInt64?
        /// Since when frames are kept; what came before was not allowed.
        var keptSince: Instant?
        /// Whether frames were kept when the dial in progress began: what it lacks is then for want of a link.
        var beganKeeping = true
        /// Arrival of the first frame that was stored of the dial in progress.
        var dialSince: Instant?
        /// Starts that came until then may be missing because of the bounds, be it in bytes or because they were tighter.
        var missedUntil: Instant?
        /// How many groups have lost their key frame to the byte bound.
        var cuts = 0

        /// Position that the next frame will have.
        var next: UInt64 { first &+ UInt64(entries.count) }
    }

    /// What the ring may hold.
    public struct Bounds: Hashable, Sendable {
        /// Bytes of memory that the frames take (`Frame.cost`), at least 64 KiB.
        public let bytes: Int
        /// How far back a start must reach, in milliseconds; one group of pictures more is kept.
        public let ms: Int64
        /// The same among frames that are in a clip, at most as far.
        public let writtenMs: Int64

        /// Bounds of a ring; without `writtenMs` frames that are in a clip are kept as the others are.
        public init(bytes: Int, ms: Int64, writtenMs: Int64? = nil) {
            self.bytes = max(64 << 10, bytes)
            self.ms = max(0, ms)
            self.writtenMs = max(0, min(ms, writtenMs ?? ms))
        }
    }

    let state: Mutex<State>

    /// An empty ring; `isKeeping` false: it stores nothing until `keep`.
    public init(bounds: Bounds, isKeeping: Bool = true) {
        state = Mutex(State(bounds: bounds, isKeeping: isKeeping))
    }

    /// Whether frames are kept.
    public var isKeeping: Bool { state.withLock { $0.isKeeping } }

    /// After which instant what arrives is kept; nil where that is from the begin on, or nothing is.
    public var keptSince: Instant? { state.withLock { $0.isKeeping ? $0.keptSince : nil } }

    /// Whether what arrived then may be stored, as far as anything is: not what came before it was allowed. In the same millisecond nobody
    /// can tell.
    public func allows(_ arrival: Instant) -> Bool { state.withLock { !$0.isKeeping || $0.allows(arrival) } }

    /// What the ring may hold.
    public var bounds: Bounds { state.withLock { $0.bounds } }

    /// Other bounds; what they forbid goes with the next frame.
    public func bound(_ bounds: Bounds) {
        state.withLock { state in
            if bounds.ms > state.bounds.ms { state.missedUntil = state.entries.last?.frame.arrival }
            state.bounds = bounds
        }
    }

    /// For how long nothing of a dial is given up for its age, in milliseconds from its first frame on: a camera may send at once
    /// what it has kept, and a clip that begins with the dial is ordered a little later.
    static let settlingMs: Int64 = 2_000

    /// A new dial begins: what comes from now on does not follow what came before. `hasVideo` says whether starts are
    /// those of the video.
    public func beginDial(hasVideo: Bool) {
        state.withLock { state in
            state.dial &+= 1
            state.hasVideo = hasVideo
            state.beganKeeping = state.isKeeping
            state.dialSince = nil
        }
    }

    /// Keeps frames that arrive after `now`, from the next start on. They do not follow what came before, which may still be
    /// there for a clip that is being closed.
    public func keep(at now: Instant) {
        state.withLock { state in
            guard !state.isKeeping else { return }
            state.isKeeping = true
            state.keptSince = now
            state.beganKeeping = false
            state.dial &+= 1
            state.dialSince = nil
        }
    }

    /// Stores nothing more (privacy), but leaves what is there for the clip that is being closed. Returns the position before
    /// which it is to be purged, whatever is kept by then.
    public func seal() -> UInt64 {
        state.withLock { state in
            state.isKeeping = false
            return state.next
        }
    }

    /// Forgets everything before `position`.
    public func purge(before position: UInt64) {
        // The frames are released after the lock: unmapping their slabs must not delay a reader.
        let released = state.withLock { state in
            var released: [Entry] = []
            while let start = state.starts.first, start.position < position { _ = state.starts.popFirst() }
            state.drop(upTo: position, into: &released)
            if let pin = state.pin { state.pin = (max(pin.position, position), pin.until) }
            return released
        }
        withExtendedLifetime(released) {}
    }

    /// Keeps the frames from `position` on until `until` even where the bound in milliseconds would let them go: a clip that
    /// is being written, or is about to follow without a hole, is owed them. The bound in bytes holds all the same.
    public func pin(_ position: UInt64, until: Instant) { state.withLock { $0.pin = (position, until) } }

    /// The frames before `position` are in a clip, and no other clip takes them: they are given up sooner (`Bounds.writtenMs`).
    public func note(writtenBefore position: UInt64) {
        state.withLock { $0.written = max($0.written, min(position, $0.next)) }
    }

    /// Keeps what a clip begins with that has been ordered and not been opened: the last start at or before `wanted`, or the first
    /// that comes where there is none yet, besides what is owed already.
    public func pin(from wanted: Instant, until: Instant, now: Instant) {
        state.withLock { state in
            let start = state.start(wanted: wanted)?.position ?? state.next
            let owed = state.pin.flatMap { $0.until > now ? $0.position : nil }
            state.pin = (min(start, owed ?? start), until)
        }
    }

    /// What is owed is owed until `until` at least.
    public func extendPin(until: Instant) {
        state.withLock { state in if let pin = state.pin { state.pin = (pin.position, max(pin.until, until)) } }
    }

    /// Appends a frame. O(1) but for what it displaces.
    public func push(_ frame: Frame) -> Push {
        let (push, released) = state.withLock { state in state.push(frame) }
        withExtendedLifetime(released) {}
        return push
    }
}

extension PacketRing.State {
    fileprivate func allows(_ arrival: Instant) -> Bool { keptSince.map { arrival > $0 } ?? true }

    /// Appends a frame and gives back what it displaced.
    fileprivate mutating func push(_ frame: Frame) -> (PacketRing.Push, [PacketRing.Entry]) {
        var released: [PacketRing.Entry] = []
        // A frame that came while nothing was allowed stays forbidden, also when it is pushed later.
        guard isKeeping, allows(frame.arrival) else { return (.refused, []) }
        let opens = hasVideo ? frame.kind == .video && frame.opensClip : true
        // Before the first start of a dial a frame is of no use to any clip.
        if !opens, dialSince == nil { return (.refused, []) }
        if dialSince == nil { dialSince = frame.arrival }
        let position = next
        if opens { starts.append(PacketRing.Start(position: position, arrival: frame.arrival, dial: dial)) }
        entries.append(PacketRing.Entry(frame: frame, dial: dial))
        bytes += frame.cost
        let cutsBefore = cuts
        evict(now: frame.arrival, into: &released)
        return (cuts > cutsBefore ? .cut(position) : .stored(position), released)
    }
}

extension PacketRing {
    /// What became of a pushed frame.
    public enum Push: Hashable, Sendable {
        /// It is at this position.
        case stored(UInt64)
        /// It is at this position, and the only group of pictures in the ring has now lost its key frame to the byte
        /// bound: until the next start no clip can begin. Said once per group.
        case cut(UInt64)
        /// It was not stored: the ring keeps nothing, or no start has come yet in this dial.
        case refused
    }

    /// What the ring holds, for reports.
    public struct Holding: Hashable, Sendable {
        /// Frames.
        public let frames: Int
        /// Bytes of memory that they take.
        public let bytes: Int
        /// Arrival of the oldest start.
        public let oldestStart: Instant?
        /// Arrival of the newest frame.
        public let newest: Instant?
        /// Position that the next frame will have.
        public let next: UInt64
    }

    /// What the ring holds now.
    public var holding: Holding {
        state.withLock { state in
            Holding(
                frames: state.entries.count, bytes: state.bytes, oldestStart: state.starts.first?.arrival,
                newest: state.entries.last?.frame.arrival, next: state.next)
        }
    }
}

extension PacketRing.State {
    /// Gives up groups from the front while the next start alone satisfies both bounds; cuts the only group when it
    /// alone is too large. The released frames are handed to the caller, to be freed when it returns.
    mutating func evict(now: Instant, into released: inout [PacketRing.Entry]) {
        let isNew = dialSince.map { $0 + PacketRing.settlingMs > now } ?? false
        while let start = starts.first {
            // What lies before the first start is the rest of a group that was cut.
            let hasRest = first < start.position
            guard let next = hasRest ? start : starts.dropFirst().first else { break }
            let isOwed = pin.map { $0.until > now && next.position > $0.position } ?? false
            let isWritten = next.position <= written
            let ms = isWritten ? bounds.writtenMs : bounds.ms
            guard bytes > bounds.bytes || !isOwed && !isNew && next.arrival <= now + -ms else { break }
            if bytes > bounds.bytes { missedUntil = start.arrival }
            if !hasRest, let gone = starts.popFirst(), isWritten { releasedIn = gone.dial }
            drop(upTo: next.position, into: &released)
        }
        guard bytes > bounds.bytes else { return }
        // One group alone is larger than the bound: its begin is given up, so no clip can start in it any more.
        if let last = starts.last {
            missedUntil = last.arrival
            starts.removeAll()
            cuts += 1
        }
        while bytes > bounds.bytes, entries.count > 1 { drop(upTo: first &+ 1, into: &released) }
    }

    mutating func drop(upTo position: UInt64, into released: inout [PacketRing.Entry]) {
        while first < position, let entry = entries.popFirst() {
            bytes -= entry.frame.cost
            first &+= 1
            released.append(entry)
        }
    }
}
