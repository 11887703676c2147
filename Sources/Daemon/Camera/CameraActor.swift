internal import Journal
internal import Machines
internal import Synchronization

/// Runs the machine of one camera: takes facts from the inbox one by one, steps, journals, and hands the effects to the
/// shell in their order. Nothing else changes the machine, and nothing waits between a step and its effects.
///
/// It runs on a queue of its host, and a timer on that queue wakes it at its next deadline. A firing that comes too early
/// or too late is harmless, because the machine looks only at the instant it is given.
actor CameraActor {
    /// What others may see of the camera at any moment, without waiting for the actor.
    struct View: Sendable {
        /// The machine after its last step.
        var machine: Camera
        /// Since when the coverage label holds.
        var labelSince: Instant
        /// Why the link last failed; nil since a key frame came.
        var lastFailure: LinkFailure?
        /// Facts that did not fit.
        var ignored: Int
        /// Whether it has begun to take facts.
        var isStarted = false
    }

    nonisolated let name: String
    nonisolated let inbox: CameraInbox
    private nonisolated let published: Mutex<View>
    private let shell: CameraShell
    private let messages: CameraMessages<CameraShell>
    private let journal: Journal
    private let steps: StepLog
    private let clock: any Clocks
    private nonisolated let queue: any WorkQueue
    private let timer: any WakeTimer
    /// Ends when the machine has stopped.
    private nonisolated let life: (stream: AsyncStream<Never>, continuation: AsyncStream<Never>.Continuation)
    /// What waits until the machine has stopped; nil since it has.
    private nonisolated let followers = Mutex<[@Sendable () -> Void]?>([])
    private var machine: Camera
    private var sequence: UInt64 = 0
    /// The last press of the doorbell, until an event has it or it can begin none.
    private var press: DoorbellPress?
    private var last: Instant

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// `queue` is the one on which `inbox` hands its facts over.
    init(
        name: String, intent: Intent, timing: Timing, shell: CameraShell, inbox: CameraInbox, journal: Journal,
        steps: StepLog, clock: any Clocks, queue: any WorkQueue
    ) {
        self.name = name
        self.inbox = inbox
        self.shell = shell
        messages = CameraMessages(shell)
        self.journal = journal
        self.steps = steps
        self.clock = clock
        self.queue = queue
        machine = Camera(intent: intent, timing: timing)
        last = clock.now()
        timer = queue.timer { inbox.tell(.tick) }
        life = AsyncStream<Never>.makeStream()
        published = Mutex(
            View(machine: machine, labelSince: last, lastFailure: nil, ignored: 0))
    }

    /// The camera as it is now.
    nonisolated var view: View { published.withLock { $0 } }

    /// Begins to take facts. They stop being taken, and `stopped` returns, when the machine has stopped after a drain.
    nonisolated func start() {
        published.withLock { $0.isStarted = true }
        inbox.open { item in self.assumeIsolated { $0.handle(item) } }
    }

    /// Waits until the machine has stopped after a drain.
    nonisolated func stopped() async { for await _ in life.stream {} }

    /// Calls `body` when the machine has stopped after a drain; now, if it has.
    nonisolated func whenStopped(_ body: @escaping @Sendable () -> Void) {
        let hasStopped = followers.withLock { followers in
            followers?.append(body)
            return followers == nil
        }
        if hasStopped { body() }
    }

    private func handle(_ item: CameraInbox.Item) {
        // The clock may be read out of order where a fact that is held is told.
        let now = max(item.at, last)
        // Before any fact, not only a tick: whichever comes first after the bound would find it overdue.
        if let (fed, before) = shell.packetsBeforeSilence(machine, at: now) {
            step(fed, at: max(last, min(now, before)))
        }
        last = now
        // What time has brought due is nobody's doing: it is a step of its own.
        if !item.askers.isEmpty, let due = machine.nextDeadline, due <= now { step(.tick, at: now) }
        let effects = step(item.event, at: now, by: item.askers.users)
        timer.set(afterMs: machine.nextDeadline.map { max($0 - clock.now(), 0) })
        item.askers.give(effects == [.ignored(.stopped)] ? .stopped : .taken(effects, machine))
        if machine.stopped { end() }
    }

    private func end() {
        life.continuation.finish()
        let waiting = followers.withLock { followers in
            defer { followers = nil }
            return followers ?? []
        }
        for follower in waiting { follower() }
    }

    /// `user`: who asked for it; nil where nobody did.
    @discardableResult
    private func step(_ event: Camera.Event, at now: Instant, by user: String? = nil) -> [Camera.Effect] {
        let (sources, wasRinging) = (machine.trigger.sources.count, shell.rings(machine))
        let effects = machine.step(event, at: now)
        sequence += 1
        publish(effects, at: now)
        steps.step(
            camera: name, seq: sequence, at: now, event: event, machine: machine, effects: effects, by: user)
        if let over = press?.until, over <= now { press = nil }
        if !wasRinging, shell.rings(machine) { press = shell.rang(machine, by: user, at: now) }
        for effect in effects {
            let priority = shell.priority(of: effect)
            for message in messages.messages(of: effect, event, machine, at: now, by: user) { tell(message, priority) }
            shell.perform(effect, press: press, at: now)
            if case .beginEvent = effect { press = nil }
        }
        if let press { self.press = shell.settle(press, machine, after: event, at: now) }
        if let user { messages.asked(event, effects, machine, sources: sources, by: user).map { tell($0) } }
        shell.follow(machine, after: event, at: now)
        return effects
    }

    /// Tells the journal, and changes nothing. What the shell has no name for is of an event that is not the last one.
    private func tell(_ message: StepMessage, _ priority: Priority? = nil) {
        guard let fields = message.known else { return }
        journal.send(message.kind, camera: name, fields: fields, priority: priority)
    }

    private func publish(_ effects: [Camera.Effect], at now: Instant) {
        published.withLock { view in
            view.machine = machine
            for effect in effects {
                switch effect {
                case .label: view.labelSince = now
                case .report(.link(_, let to, let failure, _)):
                    if let failure { view.lastFailure = failure }
                    if to == .streaming { view.lastFailure = nil }
                case .ignored: view.ignored += 1
                default: break
                }
            }
        }
    }
}
