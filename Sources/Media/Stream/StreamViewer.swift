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
    private let stream: CameraStream

    init(queue: FrameQueue, stream: CameraStream) {
        self.queue = queue
        self.stream = stream
    }

    /// Takes what comes.
    public func makeAsyncIterator() -> Iterator { Iterator(viewer: self) }

    /// What comes next, if it is there already; nil if nothing is, and after the end. Never waits.
    public func poll() -> StreamItem? { queue.poll() }

    /// Leaves; `ended(.left)` is the last thing that comes.
    public func leave() { stream.remove(queue, .left) }

    /// Whether a task waits for what comes next, for tests.
    var isRead: Bool { queue.isAwaited }

    deinit { stream.remove(queue, .left) }
}
