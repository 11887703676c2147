internal import Machines
internal import Synchronization

/// What a camera's machine tells the transports: whether it may record, what is on, and what moves. Called in each step of the machine,
/// so it hands on only what some transport has to know.
final class TransportFeed: Sendable {
    /// What holds at a camera.
    struct Facts: Hashable, Sendable {
        /// Why it may not record; before its first step its mode is taken for off.
        var block: PushTransport.Block? = .off
        /// A source that notices motion is on.
        var held = false
    }

    private struct State {
        var facts = Facts()
        var isWatched = false
        var isOver = false
    }

    let camera: String
    private let state = Mutex(State())
    private let onFact: @Sendable (TransportFeed, PushTransport.Event, Instant) -> Void

    /// `onFact` is given what happens, in its order; it must not block.
    init(camera: String, onFact: @escaping @Sendable (TransportFeed, PushTransport.Event, Instant) -> Void) {
        self.camera = camera
        self.onFact = onFact
    }

    /// What holds, from which on each change is told.
    func watch() -> Facts {
        state.withLock { state in
            state.isWatched = true
            return state.facts
        }
    }

    /// Nobody has to know any more.
    func rest() { state.withLock { $0.isWatched = false } }

    /// The camera's machine took `event`.
    func follow(_ machine: Camera, after event: Camera.Event, at now: Instant) {
        let intent = machine.intent
        let facts = Facts(block: Self.block(intent), held: !machine.trigger.sources.isEmpty)
        // Told while the lock is held, so that what is told last is what holds.
        state.withLock { state in
            guard !state.isOver else { return }
            let before = state.facts
            state.facts = facts
            state.isOver = intent.draining
            guard state.isWatched else { return }
            if intent.draining { return onFact(self, .drain, now) }
            if facts.block != before.block { onFact(self, .blocked(facts.block), now) }
            if facts.held != before.held { onFact(self, .held(facts.held), now) }
            if case .detected(let level, let zones) = event { onFact(self, .motion(level: level, zones: zones), now) }
        }
    }

    /// The doorbell rang: what is triggered by command records, with this time control.
    func rang(_ control: TimeControl, at now: Instant) {
        state.withLock { state in
            if state.isWatched, !state.isOver { onFact(self, .triggered(control), now) }
        }
    }

    private static func block(_ intent: Intent) -> PushTransport.Block? {
        if intent.blocked { return .privacy }
        if !intent.enabled { return .disabled }
        return intent.policy.mode == .off ? .off : nil
    }
}
