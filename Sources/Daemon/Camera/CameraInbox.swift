internal import Journal
internal import Machines
internal import Synchronization

/// Where threads, queues and requests put the facts for one camera, in the order in which they happened.
///
/// Any thread may put; the camera's actor takes. It is the only way to the machine, so what it bounds is bounded: detections
/// and the words of level sources go through a ``DetectionPace``, whoever they come from. Should the actor fall far behind,
/// facts are lost and counted, and the machine's own bounds bring it back.
final class CameraInbox: Sendable {
    /// A fact with the moment at which it was put in.
    struct Item: Sendable {
        let event: Camera.Event
        let at: Instant
        /// Who asked for it and waits for what comes of it.
        var askers: [Asker] = []
    }

    private struct State {
        /// Hands a fact to the actor; nil before it has started, and after it has stopped.
        var take: (@Sendable (Item) -> Void)?
        /// Facts that came before it has started.
        var early: [Item] = []
        var isFinished = false
        var waiting = 0
        var lost = 0
        var pace = DetectionPace()
        /// Fires when what the pace holds may be told.
        var timer: (any WakeTimer)?
    }

    /// The most facts that wait.
    static let limit = 4_096
    /// How long somebody waits until the machine has taken what they asked for, in milliseconds.
    static let answerMs: Int64 = 5_000

    private let clock: any Clocks
    /// The camera's queue, on which its machine takes facts.
    let queue: any WorkQueue
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
        let timer = queue.timer { [weak self] in self?.release() }
        let first = Item(event: .tick, at: clock.now())
        state.withLock { state in
            guard !state.isFinished else { return }
            queue.run { take(first) }
            state.take = take
            for item in state.early { hand(item, to: take) }
            state.early = []
            state.timer = timer
            setTimer(state)
        }
    }

    /// Puts a fact in; never blocks.
    func tell(_ event: Camera.Event) { tell(event, by: []) }

    /// Puts in a fact that `user` asks for; the reply is given when the machine has taken it, or never will. Never blocks.
    func request(_ event: Camera.Event, by user: String) -> FactReply {
        let asker = Asker(user: user)
        tell(event, by: [asker])
        return asker.reply
    }

    /// Puts in a fact that `user` asks for, and waits until the machine has taken it, or for `answerMs`.
    func ask(_ event: Camera.Event, by user: String) async -> FactReply.Answer {
        await request(event, by: user).answer(withinMs: Self.answerMs)
    }

    /// What was noticed counts no longer: the detections that are held are forgotten.
    func forgetDetections() { state.withLock { $0.pace.forget() } }

    /// No more facts.
    func finish() {
        let left = state.withLock { state in
            defer { (state.take, state.early, state.isFinished) = (nil, [], true) }
            state.timer?.set(afterMs: nil)
            return state.early.flatMap(\.askers) + state.pace.close()
        }
        left.give(.stopped)
    }

    // MARK: Within the lock, so that the order of facts is that in which they were put in

    private func tell(_ event: Camera.Event, by askers: [Asker]) {
        let refused: FactReply.Answer? = state.withLock { state in
            guard !state.isFinished else { return .stopped }
            guard askers.isEmpty || event.isLasting || state.pace.hasRoom else { return .full }
            let now = clock.now()
            let paced = state.pace.take(event, askers, at: now)
            if event.changesWhatCounts { for told in state.pace.flush(at: now) { put(told, &state, at: now) } }
            for told in paced ?? [DetectionPace.Told(event: event, askers: askers)] { put(told, &state, at: now) }
            if paced != nil || event.changesWhatCounts { setTimer(state) }
            return nil
        }
        if let refused { askers.give(refused) }
    }

    /// What was held and may be told now.
    private func release() {
        state.withLock { state in
            guard !state.isFinished else { return }
            let now = clock.now()
            for told in state.pace.release(at: now) { put(told, &state, at: now) }
            setTimer(state)
        }
    }

    private func put(_ told: DetectionPace.Told, _ state: inout State, at now: Instant) {
        guard state.waiting < Self.limit else {
            state.lost += 1
            return told.askers.give(.full)
        }
        state.waiting += 1
        let item = Item(event: told.event, at: now, askers: told.askers)
        if let take = state.take { hand(item, to: take) } else { state.early.append(item) }
    }

    private func hand(_ item: Item, to take: @escaping @Sendable (Item) -> Void) {
        queue.run {
            self.state.withLock { $0.waiting -= 1 }
            take(item)
        }
    }

    private func setTimer(_ state: State) {
        state.timer?.set(afterMs: state.pace.due.map { max($0 - clock.now(), 0) })
    }
}

extension Camera.Event {
    /// Whether it says how something is to be from now on. It is never held, so what is asked for is not refused because others
    /// wait, and what has been written down is what the machine is told.
    fileprivate var isLasting: Bool {
        switch self {
        case .enabled, .privacy, .policy: true
        default: false
        }
    }

    /// What was noticed before it counts as before it, so nothing may be held back over it.
    fileprivate var changesWhatCounts: Bool {
        switch self {
        case .enabled, .privacy, .policy, .commanded: true
        case .drain, .tick, .dialed, .dialFailed, .keyframe, .packets, .lost, .hungUp, .detected, .asserted, .cleared,
            .opened, .openFailed, .keyframeMissing, .cut, .streamChanged, .writeFailed, .closed, .connect, .viewers,
            .storage:
            false
        }
    }
}
