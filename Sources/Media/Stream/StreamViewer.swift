internal import Synchronization

/// Who is told of what becomes of a viewer, on whatever thread it happens; no call may block or call the stream.
public struct StreamObserver: Sendable {
    /// A picture came at which decoding can begin, while the viewer is held; may come more than once.
    public var onPicture: (@Sendable () -> Void)?
    /// The viewer has ended; once.
    public var onEnd: (@Sendable (StreamEnd) -> Void)?

    /// Tells these.
    public init(
        onPicture: (@Sendable () -> Void)? = nil, onEnd: (@Sendable (StreamEnd) -> Void)? = nil
    ) {
        self.onPicture = onPicture
        self.onEnd = onEnd
    }
}

/// One viewer of a stream: a sequence of what it gets, for one task at a time. Who lets go of it has left.
///
/// Not reading is no way to pause: a viewer that does not read loses frames, and is ended soon.
public final class StreamViewer: AsyncSequence, Sendable {
    /// Takes what comes, one after another.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let viewer: StreamViewer

        /// What comes next; nil after the end, or when the task is cancelled.
        public mutating func next() async -> StreamItem? { await viewer.queue.next() }
    }

    private let queue: FrameQueue
    /// The stream that it looks at now.
    private let stream: Mutex<CameraStream>

    init(queue: FrameQueue, stream: CameraStream) {
        self.queue = queue
        self.stream = Mutex(stream)
    }

    /// Takes what comes.
    public func makeAsyncIterator() -> Iterator { Iterator(viewer: self) }

    /// What comes next, if it is there already; nil if nothing is, and after the end. Never waits.
    public func poll() -> StreamItem? { queue.poll() }

    /// Leaves; `ended(.left)` is the last thing that comes.
    public func leave() { end(.left) }

    /// Ends it; `ended(why)` is the last thing that comes.
    public func end(_ why: StreamEnd) { stream.withLock { $0 }.remove(queue, why) }

    /// Goes on with what `other` sends (it may be the same stream) and with this sound: `began` comes next, and its group of
    /// pictures. What waited is gone.
    public func move(to other: CameraStream, sound: SoundForm) throws(StreamRefusal) {
        let before = stream.withLock { stream in
            defer { stream = other }
            return stream
        }
        do throws(StreamRefusal) {
            // The other one first: nobody shall think meanwhile that nobody looks.
            try other.take(queue, sound: sound)
        } catch {
            stream.withLock { $0 = before }
            throw error
        }
        if before !== other { before.release(queue) }
    }

    /// Begins anew with the group of pictures under way: `began` comes next. What waited is gone.
    public func restart() throws(StreamRefusal) { try stream.withLock { $0 }.take(queue) }

    /// Gets what comes from now on, if it was held.
    public func release() throws(StreamRefusal) {
        guard queue.isHeld else { return }
        try stream.withLock { $0 }.take(queue, isHeld: false)
    }

    /// Lets it be told once more that the connection is over, if it is; from any thread.
    public func remind() { queue.remind() }

    /// Whether nothing follows but the word that says so.
    public var hasEnded: Bool { queue.hasEnded }

    /// Whether a task waits for what comes next, for tests.
    var isRead: Bool { queue.isAwaited }

    deinit { stream.withLock { $0 }.remove(queue, .left) }
}
