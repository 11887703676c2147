public import Media
internal import Synchronization

/// Puts the sessions of one transport at its publishing point, one object after another, and holds what waits within bounds. Whoever
/// records hands over and is never held up.
public final class IngestPusher: Sendable {
    /// What is told of it. `Int64`: the number of the session.
    public enum News: Hashable, Sendable {
        /// The first object of a session was taken.
        case began(Int64)
        /// An object was not taken, after others were or at first; in words.
        case failing(Int64, String)
        /// Objects are taken again, after so many milliseconds.
        case recovered(Int64, afterMs: Int64)
        /// A session was put whole.
        case finished(Int64, Sums)
        /// A session is put no further, in words; what came of it goes nowhere.
        case gaveUp(Int64, Sums, String)
    }

    /// What was put of a session.
    public struct Sums: Hashable, Sendable {
        /// Segments, fillers too.
        public var segments = 0
        /// Fillers among them.
        public var fillers = 0
        /// Bytes of their samples.
        public var bytes: Int64 = 0
        /// How much of its time stands still or is missing, in milliseconds, by reason: `link`, `receiver`, or why it ended.
        public var holesMs: [String: Int64] = [:]
    }

    /// How it stands.
    public struct State: Hashable, Sendable {
        /// The session that is put; nil where nothing is.
        public var session: Int64?
        /// Segments that were taken since the daemon began, fillers too.
        public var segments = 0
        /// Bytes of their samples.
        public var bytes: Int64 = 0
        /// Sessions that were put whole.
        public var sessions = 0
        /// What waits, in milliseconds of media.
        public var waitingMs: Int64 = 0
        /// The same in bytes.
        public var waitingBytes = 0
        /// Why the last object was not taken; nil since one was.
        public var failure: String?
    }

    private struct Inner {
        var outbox: Outbox
        var persistence: Persistence
        var outage = OutageWords()
        var state = State()
        var put: Task<IngestFailure?, Never>?
        var isOver = false
        /// Nothing more comes.
        var isClosing = false
    }

    private let point: IngestPoint
    private let inner: Mutex<Inner>
    private let makeSender: @Sendable () async -> Result<any IngestSender, IngestFailure>
    private let nowMs: @Sendable () -> Int64
    private let onNews: @Sendable (News) -> Void
    private let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// What may wait for one pusher, in bytes and in milliseconds of media.
    public static let (waitingBytesMax, waitingMsMax): (Int, Int64) = (32 << 20, 60_000)

    /// One that has nothing to put. `makeSender` is asked for each session that begins to be put; `nowMs` is a clock that is never
    /// set; `onNews` must not block. `stepsMs`: how long it waits after one failure, after two, and so on, in milliseconds.
    package init(
        _ point: IngestPoint, seed: UInt64, nowMs: @escaping @Sendable () -> Int64,
        makeSender: @escaping @Sendable () async -> Result<any IngestSender, IngestFailure>,
        onNews: @escaping @Sendable (News) -> Void, stepsMs: [Int64]? = nil
    ) {
        self.point = point
        inner = Mutex(
            Inner(
                outbox: Outbox(Outbox.Bounds(bytes: Self.waitingBytesMax, ms: Self.waitingMsMax)),
                persistence: Persistence(seed: seed, stepsMs: stepsMs ?? Persistence.stepsMs)))
        (self.nowMs, self.makeSender, self.onNews) = (nowMs, makeSender, onNews)
    }

    // MARK: What comes

    /// How it stands.
    public var state: State {
        inner.withLock { inner in
            var state = inner.state
            state.session = inner.outbox.current
            (state.waitingMs, state.waitingBytes) = (inner.outbox.waitingMs, inner.outbox.waitingBytes)
            return state
        }
    }

    /// What may wait from now on, in bytes.
    public func bound(bytes: Int) { change { $0.bound(bytes: min(bytes, Self.waitingBytesMax)) } }

    /// A session begins.
    public func begin(_ session: IngestSession) { change { $0.begin(session) } }

    /// A segment of the session that began last; one of another session is left out.
    public func add(_ segment: MediaSegment, to session: Int64) { change { $0.add(segment, to: session) } }

    /// Nothing more comes of the session that began last.
    public func end(_ session: Int64) {
        inner.withLock { $0.outbox.end(session) }
        wake.yield()
    }

    /// Media that waits is not put any more; `why` is told as the reason of the hole.
    public func drop(_ why: String) {
        let cancelled = inner.withLock { inner in inner.outbox.drop(why) ? inner.put : nil }
        cancelled?.cancel()
        wake.yield()
    }

    /// Nothing more comes: `run` returns when what waits is put.
    public func close() {
        inner.withLock { $0.isClosing = true }
        wake.yield()
    }

    /// Ends what is under way, at once; `run` returns soon.
    public func stop() {
        let put = inner.withLock { inner in
            inner.isOver = true
            return inner.put
        }
        put?.cancel()
        wake.finish()
    }

    /// Changes what waits, and tells of sessions that had to go for it.
    private func change(_ body: (inout Outbox) -> [Outbox.Summary]) {
        let gone = inner.withLock { body(&$0.outbox) }
        wake.yield()
        for summary in gone { tell(.gaveUp(summary.session, Sums(summary), "more waits than may")) }
    }

    // MARK: What is put

    /// Puts what comes until `stop`; once.
    public func run() async {
        var sender: (any IngestSender)?
        for await _ in wakes {
            while let step = inner.withLock({ $0.isOver ? nil : $0.outbox.next() }) {
                if case .rest = step { break }
                if case .finished(let summary) = step {
                    await sender?.shutdown()
                    sender = nil
                    inner.withLock { $0.state.sessions += 1 }
                    tell(.finished(summary.session, Sums(summary)))
                }
                guard case .put(let object) = step else { continue }
                let failure = await put(object, &sender)
                if inner.withLock({ $0.isOver }) { break }
                if let waitMs = settle(object, failure) {
                    // A connection that failed is not used again, nor are certificates that may have changed.
                    await sender?.shutdown()
                    sender = nil
                    await rest(waitMs)
                }
            }
            if inner.withLock({ $0.isOver || $0.isClosing && $0.outbox.isEmpty }) { break }
        }
        await sender?.shutdown()
    }

    /// Waits, but for the end.
    private func rest(_ ms: Int64) async {
        let sleep = Task<IngestFailure?, Never> {
            try? await Task.sleep(for: .milliseconds(ms))
            return nil
        }
        let isOver = inner.withLock { inner in
            inner.put = sleep
            return inner.isOver
        }
        if isOver { sleep.cancel() }
        _ = await sleep.value
        inner.withLock { $0.put = nil }
    }

    private func put(_ object: IngestObject, _ sender: inout (any IngestSender)?) async -> IngestFailure? {
        if sender == nil {
            switch await makeSender() {
            case .success(let made): sender = made
            case .failure(let failure): return failure
            }
        }
        guard let sender else { return nil }
        let put = inner.withLock { inner -> Task<IngestFailure?, Never>? in
            // What was dropped before it was on its way is not put.
            guard !inner.isOver, case .put(let first) = inner.outbox.next(), first.path == object.path else {
                return nil
            }
            inner.put = Task { [point] in await sender.put(object, at: point) }
            return inner.put
        }
        let failure = await put?.value
        inner.withLock { $0.put = nil }
        return failure
    }

    /// Notes what became of an object. Gives how long to wait before the next try; nil: not at all.
    private func settle(_ object: IngestObject, _ failure: IngestFailure?) -> Int64? {
        let now = nowMs()
        var (news, waitMs) = ([News](), Int64?.none)
        inner.withLock { inner in
            // It may have been dropped meanwhile: then nothing follows from it.
            guard case .put(let first) = inner.outbox.next(), first.path == object.path,
                let session = inner.outbox.current
            else { return }
            guard let failure else {
                let isRepeating = inner.outbox.isRepeating
                let (isFirst, segment) = inner.outbox.taken()
                // That a receiver takes a header again says nothing of what it lacked it for.
                if isRepeating { return }
                if isFirst { news.append(.began(session)) }
                if let segment {
                    inner.state.segments += 1
                    inner.state.bytes += Int64(segment.byteCount)
                }
                if inner.outage.taken(atMs: now), let since = inner.persistence.sinceMs {
                    news.append(.recovered(session, afterMs: max(0, now - since)))
                }
                inner.persistence.taken()
                inner.state.failure = nil
                return
            }
            if failure.kind == .header { inner.outbox.repeatHeader() }
            if inner.outage.failed(sinceMs: inner.persistence.sinceMs ?? now, atMs: now) {
                news.append(.failing(session, failure.words))
            }
            inner.state.failure = failure.words
            switch inner.persistence.failed(failure, atMs: now) {
            case .again(let afterMs): waitMs = afterMs
            case .giveUp:
                waitMs = inner.persistence.stepsMs.last
                let why = failure.kind == .later ? "unreachable" : "refused"
                news += inner.outbox.giveUp(why).map { .gaveUp($0.session, Sums($0), failure.words) }
            }
        }
        for one in news { tell(one) }
        return waitMs
    }

    private func tell(_ news: News) { onNews(news) }
}

extension IngestPusher.Sums {
    fileprivate init(_ summary: Outbox.Summary) {
        self.init(
            segments: summary.segments, fillers: summary.fillers, bytes: summary.bytes, holesMs: summary.holesMs)
    }
}
