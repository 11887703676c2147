import DequeModule
import Machines
import Synchronization

/// What waits for one viewer: bounded, and never in the way of who fills it.
///
/// A viewer that lets it run full loses what waits, up to the next key frame; one that does so again and again is given up.
final class FrameQueue: Sendable {
    /// The most frames, bytes of memory (`Frame.cost`) and milliseconds that wait.
    static let framesMax = 4_000
    static let bytesMax = 16 << 20
    static let waitMsMax: Int64 = 5_000
    /// So many overflows within so many milliseconds are borne.
    static let overflowsMax = 2
    static let overflowsMs: Int64 = 60_000

    fileprivate struct Entry {
        let frame: Frame
        /// When it was put in, by the arrival of the newest frame.
        let since: Instant
    }

    fileprivate struct State {
        /// The sound that is wanted.
        var sound: SoundForm
        /// The stream whose frames are taken; what others still hand over is left out.
        var source: ObjectIdentifier?
        /// Nothing is queued: it only waits for a picture.
        var isHeld: Bool
        /// The dial that has begun and has not been told.
        var news: StreamDial?
        var entries = Deque<Entry>()
        var bytes = 0
        /// Frames that were left out before the first one that waits, and not told.
        var skipped = 0
        /// Whether the dial has video, so that decoding can begin at some frames only.
        var hasVideo = false
        /// Frames are left out until one comes at which decoding can begin.
        var waitsForStart = false
        /// Whether what is left out has to be told.
        var isSkipping = false
        /// Ordinals of tracks whose frames are not wanted.
        var unwanted: [Int] = []
        /// The connection is over, after what waits.
        var isLost = false
        var isLostTold = false
        var end: StreamEnd?
        var isEndTold = false
        /// When it ran full lately.
        var overflows: [Instant] = []
        /// Who waits for the next item.
        var waiter: CheckedContinuation<StreamItem?, Never>?
    }

    private let state: Mutex<State>
    private let observer: StreamObserver

    /// A queue for one viewer. While it is held it takes no frame, and only tells that pictures come.
    init(sound: SoundForm, isHeld: Bool = false, observer: StreamObserver = StreamObserver()) {
        state = Mutex(State(sound: sound, isHeld: isHeld))
        self.observer = observer
    }

    /// The sound that is wanted.
    var sound: SoundForm { state.withLock { $0.sound } }

    /// Whether it has ended.
    var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// Whether it takes no frame.
    var isHeld: Bool { state.withLock { $0.isHeld } }

    // MARK: The stream's side

    /// Takes the frames of `source` from now on, with this sound, and no others; nil: the sound stays. What waits goes.
    func follow(_ source: ObjectIdentifier, sound: SoundForm? = nil, isHeld: Bool? = nil) {
        change { state in
            state.source = source
            // Until the stream has a dial it is as lost as before, which is no news.
            if !state.isLost { (state.isLost, state.isLostTold) = (true, true) }
            if let sound { state.sound = sound }
            if let isHeld { state.isHeld = isHeld }
            let released = state.entries
            (state.entries, state.bytes, state.news) = (Deque(), 0, nil)
            state.waitsForStart = true
            return released
        }
    }

    /// A dial of `source` began; `frames` of it have come before. What waits of the one before goes.
    func begin(_ dial: StreamDial, _ frames: [Frame], of source: ObjectIdentifier) {
        let isPicture = state.withLock { $0.isHeld && $0.source == source } && frames.contains(where: \.isVideoStart)
        change { state in
            guard state.end == nil, state.source == source else { return Deque() }
            let released = state.entries
            state.entries = Deque()
            state.bytes = 0
            state.skipped = 0
            state.isSkipping = false
            state.isLost = false
            state.isLostTold = false
            state.unwanted = dial.tracks.filter { !Self.wants($0, state.sound) }.map(\.ordinal)
            state.news = dial.without(state.unwanted)
            state.hasVideo = dial.hasVideo
            state.waitsForStart = dial.hasVideo
            if !state.isHeld, let newest = frames.last?.arrival {
                for frame in frames { state.take(frame, at: newest) }
            }
            return released
        }
        if isPicture { observer.onPicture?() }
    }

    private static func wants(_ track: StreamDescription, _ sound: SoundForm) -> Bool {
        guard track.kind == .audio else { return true }
        let codec = track.parameters?.codec
        switch sound {
        case .none: return false
        case .original: return track.madeFrom == nil
        // Opus that is made is made for those alone who want it.
        case .stored: return track.madeFrom == nil ? codec?.isStored == true : codec != .opus
        case .opus: return codec == .opus
        }
    }

    /// Takes a frame of `source`; false when the viewer is to be given up.
    func take(_ frame: Frame, of source: ObjectIdentifier) -> Bool {
        var (isTaken, isPicture) = (true, false)
        change { state in
            guard state.end == nil, !state.isLost, state.source == source else { return Deque() }
            guard !state.isHeld else {
                isPicture = frame.isVideoStart || !state.hasVideo
                return Deque()
            }
            guard !state.isFull(for: frame) else {
                let released = state.overflow(at: frame.arrival)
                isTaken = state.overflows.count <= Self.overflowsMax
                if isTaken { state.take(frame, at: frame.arrival) }
                return released
            }
            state.take(frame, at: frame.arrival)
            return Deque()
        }
        if isPicture { observer.onPicture?() }
        return isTaken
    }

    /// The connection of `source` is over.
    func lost(_ source: ObjectIdentifier) {
        change { state in
            guard state.source == source else { return Deque() }
            state.isLost = true
            return Deque()
        }
    }

    /// Tells once more that the connection is over, if it is.
    func remind() {
        change { state in
            state.isLostTold = false
            return Deque()
        }
    }

    /// Nothing follows; what waits is dropped.
    func end(_ why: StreamEnd) {
        var isNew = false
        change { state in
            guard state.end == nil else { return Deque() }
            state.end = why
            isNew = true
            let released = state.entries
            state.entries = Deque()
            state.bytes = 0
            return released
        }
        if isNew { observer.onEnd?(why) }
    }

    /// Changes the queue, and wakes who waits for it. What `body` gives back is released outside of the lock.
    private func change(_ body: (inout State) -> Deque<Entry>) {
        let (released, waiter, item) = state.withLock { state in
            let released = body(&state)
            guard let waiter = state.waiter, let item = state.next() else {
                return (released, nil as CheckedContinuation<StreamItem?, Never>?, nil as StreamItem?)
            }
            state.waiter = nil
            return (released, waiter, item)
        }
        withExtendedLifetime(released) {}
        waiter?.resume(returning: item)
    }

    // MARK: The viewer's side

    /// What comes next, if it is there.
    func poll() -> StreamItem? { state.withLock { $0.next() } }

    /// What comes next; nil after the end, or when the task is cancelled. One task at a time: an earlier one gets nil.
    func next() async -> StreamItem? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (item, isNow, earlier) = state.withLock { state in
                    let item = state.next()
                    let isNow = item != nil || state.isEndTold || Task.isCancelled
                    let earlier = state.waiter
                    state.waiter = isNow ? nil : continuation
                    return (item, isNow, earlier)
                }
                earlier?.resume(returning: nil)
                if isNow { continuation.resume(returning: item) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(returning: nil)
        }
    }

    /// Whether a task waits for the next item, for tests.
    var isAwaited: Bool { state.withLock { $0.waiter != nil } }

    /// Frames and bytes that wait, for tests.
    var waiting: (frames: Int, bytes: Int) { state.withLock { ($0.entries.count, $0.bytes) } }
}

extension FrameQueue.State {
    /// Whether `frame` would pass a bound.
    fileprivate func isFull(for frame: Frame) -> Bool {
        guard let first = entries.first else { return false }
        return entries.count >= FrameQueue.framesMax || bytes + frame.cost > FrameQueue.bytesMax
            || frame.arrival - first.since > FrameQueue.waitMsMax
    }

    /// Drops what waits; frames are taken again from the next start on.
    fileprivate mutating func overflow(at now: Instant) -> Deque<FrameQueue.Entry> {
        let released = entries
        skipped += entries.count
        entries = Deque()
        bytes = 0
        isSkipping = hasVideo
        waitsForStart = hasVideo
        overflows.removeAll { now - $0 >= FrameQueue.overflowsMs }
        overflows.append(now)
        return released
    }

    /// Appends a frame if it is wanted.
    fileprivate mutating func take(_ frame: Frame, at now: Instant) {
        guard !unwanted.contains(frame.track) else { return }
        if waitsForStart {
            guard frame.isVideoStart else {
                if isSkipping { skipped += 1 }
                return
            }
            waitsForStart = false
            isSkipping = false
        }
        entries.append(FrameQueue.Entry(frame: frame, since: now))
        bytes += frame.cost
    }

    /// Takes out what comes next.
    fileprivate mutating func next() -> StreamItem? {
        if let end {
            defer { isEndTold = true }
            return isEndTold ? nil : .ended(end)
        }
        if let dial = news {
            news = nil
            return .began(dial)
        }
        if let entry = entries.first {
            if skipped > 0 {
                defer { skipped = 0 }
                return .skipped(skipped)
            }
            entries.removeFirst()
            bytes -= entry.frame.cost
            return .frame(entry.frame)
        }
        guard isLost, !isLostTold else { return nil }
        isLostTold = true
        return .lost
    }
}
