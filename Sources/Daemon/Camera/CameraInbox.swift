internal import Journal
internal import Machines
internal import Synchronization

/// Where threads, queues and requests put the facts for one camera, in the order in which they happened.
///
/// Any thread may put; the camera's actor takes. Bounded: should the actor fall so far behind, facts are lost and counted,
/// and the machine's own bounds bring it back.
final class CameraInbox: Sendable {
    /// A fact with the moment at which it was put in.
    struct Item: Sendable {
        let event: Camera.Event
        let at: Instant
    }

    private struct State {
        /// Hands a fact to the actor; nil before it has started, and after it has stopped.
        var take: (@Sendable (Item) -> Void)?
        /// Facts that came before it has started.
        var early: [Item] = []
        var isFinished = false
        var waiting = 0
        var lost = 0
    }

    /// The most facts that wait.
    static let limit = 4_096

    private let clock: any Clocks
    private let queue: any WorkQueue
    private let state = Mutex(State())

    /// An inbox whose facts are taken on `queue`.
    init(clock: any Clocks, queue: any WorkQueue) {
        self.clock = clock
        self.queue = queue
    }

    /// Facts that found no room.
    var lost: Int { state.withLock { $0.lost } }

    /// `take` gets what is put in, on the queue. Its first fact is always a tick: it changes no intent, so a replay knows
    /// what the machine began with.
    func open(_ take: @escaping @Sendable (Item) -> Void) {
        let first = Item(event: .tick, at: clock.now())
        queue.run { take(first) }
        state.withLock { state in
            state.take = take
            for item in state.early { hand(item, to: take) }
            state.early = []
        }
    }

    /// Puts a fact in; never blocks.
    func tell(_ event: Camera.Event) {
        let item = Item(event: event, at: clock.now())
        let take: (@Sendable (Item) -> Void)? = state.withLock { state in
            guard !state.isFinished else { return nil }
            guard state.waiting < Self.limit else {
                state.lost += 1
                return nil
            }
            state.waiting += 1
            if state.take == nil { state.early.append(item) }
            return state.take
        }
        if let take { hand(item, to: take) }
    }

    private func hand(_ item: Item, to take: @escaping @Sendable (Item) -> Void) {
        queue.run {
            self.state.withLock { $0.waiting -= 1 }
            take(item)
        }
    }

    /// No more facts.
    func finish() {
        state.withLock { state in
            state.take = nil
            state.early = []
            state.isFinished = true
        }
    }
}
