internal import Journal
internal import Machines
internal import Media
internal import Server
internal import Synchronization

/// What one player of low-latency HLS is served from: the newest media of a stream, as long as it goes on asking.
final class LivePlayer: Sendable {
    /// How long it may ask for nothing, in milliseconds.
    static let idleMsMax: Int64 = 15_000
    /// How long a request waits for what is not there yet, in milliseconds: three segments.
    static let waitMsMax = 3 * LiveSegments.segmentMsMax

    private struct State {
        var segments = LiveSegments()
        var askedAt: Instant
        /// Who waits for something new.
        var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWaiter = 0
        var isOver = false
    }

    let id: String
    let request: LiveRequest
    private let viewer: StreamViewer
    private let clock: any Clocks
    private let state: Mutex<State>

    init(_ id: String, _ request: LiveRequest, _ viewer: StreamViewer, clock: any Clocks) {
        (self.id, self.request, self.viewer, self.clock) = (id, request, viewer, clock)
        state = Mutex(State(askedAt: clock.now()))
    }

    /// The newest media; nil when the view is over: then nothing of it is given out any more.
    var segments: LiveSegments? { state.withLock { $0.isOver ? nil : $0.segments } }

    /// Takes what the camera sends until that ends, or nobody has asked for a while.
    func run() async {
        let idle = Task {
            while let left = self.idleMsLeft, left > 0 { try await Task.sleep(for: .milliseconds(left)) }
            leave()
        }
        defer { idle.cancel() }
        var fragments = LiveFragments(.frame, sound: SoundForm(request.sound))
        for await item in viewer {
            for item in fragments.take(item) { change { $0.segments.take(item) } }
        }
        change { state in
            state.isOver = true
            state.segments = LiveSegments()
        }
    }

    /// Ends it.
    func leave() { viewer.leave() }

    private var idleMsLeft: Int64? {
        state.withLock { state in
            if state.isOver { return nil }
            return state.waiters.isEmpty ? state.askedAt + Self.idleMsMax - clock.now() : Self.idleMsMax
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            return state.waiters.values
        }
        for waiter in waiters { waiter.yield() }
    }

    /// What `body` finds in the newest media, waited for; nil where it does not come in time, or the view is over.
    func wait<Found: Sendable>(for body: @escaping @Sendable (LiveSegments) -> Found?) async -> Found? {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.askedAt = clock.now()
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = change
            return state.lastWaiter
        }
        let bound = Task {
            try await Task.sleep(for: .milliseconds(Self.waitMsMax))
            change.finish()
        }
        defer {
            bound.cancel()
            state.withLock { state in
                state.waiters[number] = nil
                state.askedAt = clock.now()
            }
        }
        change.yield()
        for await _ in changes {
            guard let segments else { return nil }
            if let found = body(segments) { return found }
        }
        return nil
    }
}
