internal import Journal
internal import Machines
internal import Synchronization
internal import Trace

/// Where the steps of the machines go: into the trace beside the recordings, and into the journal where the configuration
/// asks for it. Never blocks.
final class StepLog: Sendable {
    private let journal: Journal
    private let clock: any Clocks
    /// Nil where no trace is kept: in a simulation, whose observer gets each step as it is.
    private let writer: TraceWriter?
    /// Whether the journal carries the steps too.
    private let isJournaled: Atomic<Bool>

    init(journal: Journal, clock: any Clocks, writer: TraceWriter?, isJournaled: Bool) {
        self.journal = journal
        self.clock = clock
        self.writer = writer
        self.isJournaled = Atomic(isJournaled)
    }

    /// From now on the journal carries the steps, or carries them no more.
    func journal(_ isJournaled: Bool) { self.isJournaled.store(isJournaled, ordering: .relaxed) }

    /// Records one step of a camera's machine; `user` is who asked for it, where somebody did.
    func step(
        camera: String, seq: UInt64, at now: Instant, event: Camera.Event, machine: Camera, effects: [Camera.Effect],
        by user: String?
    ) {
        if journal.observe(camera: camera, seq: seq, at: now, input: event, state: machine, effects: effects) { return }
        keep(.camera, camera, of: camera, seq: seq, at: now, event, event.name, machine, effects, by: user)
    }

    /// Records one step of a session's machine; `user` is who asked for it, where somebody did.
    func step(
        session name: String, camera: String, seq: UInt64, at now: Instant, event: Session.Event, machine: Session,
        effects: [Session.Effect], by user: String?
    ) {
        if journal.isObserved { return }
        keep(.session, name, of: camera, seq: seq, at: now, event, event.name, machine, effects, by: user)
    }

    /// Records one step of the machine of an upload; `user` is who asked for it, where somebody did.
    func step(
        upload name: String, camera: String, seq: UInt64, at now: Instant, event: Upload.Event, machine: Upload,
        effects: [Upload.Effect], by user: String?
    ) {
        if journal.isObserved { return }
        keep(
            .upload, name, of: camera, seq: seq, at: now, event, event.name, machine, effects, by: user)
    }

    /// No step of this upload comes any more; where it is taken in hand again, it has another name.
    func forget(upload name: String) {
        writer?.forget(.upload, name)
        journal.forgetTrace(of: name)
    }

    /// Records one step of the machine of a camera's cloud subscription.
    func step(
        subscription camera: String, seq: UInt64, at now: Instant, event: Subscription.Event, machine: Subscription,
        effects: [Subscription.Effect]
    ) {
        if journal.isObserved { return }
        keep(
            .subscription, camera, of: camera, seq: seq, at: now, event, event.name, machine, effects, by: nil)
    }

    /// No step of this subscription comes any more.
    func forget(subscription camera: String) {
        writer?.forget(.subscription, camera)
        journal.forgetTrace(of: camera)
    }

    /// Records one step of the machine of a transport; `user` is who asked for it, where somebody did.
    func step(
        transport name: String, camera: String, seq: UInt64, at now: Instant, event: PushTransport.Event,
        machine: PushTransport, effects: [PushTransport.Effect], by user: String?
    ) {
        if journal.isObserved { return }
        keep(.transport, name, of: camera, seq: seq, at: now, event, event.name, machine, effects, by: user)
    }

    /// No step of this transport comes any more in this run; where its camera is added again, it has another name.
    func forget(transport name: String) {
        writer?.forget(.transport, name)
        journal.forgetTrace(of: name)
    }

    /// No step of this session comes any more.
    func forget(session name: String) {
        writer?.forget(.session, name)
        journal.forgetTrace(of: name)
    }

    private func keep<Event: Encodable, State: Encodable, Effect: Encodable>(
        _ kind: MachineKind, _ name: String, of camera: String, seq: UInt64, at now: Instant, _ event: Event,
        _ eventName: String, _ machine: State, _ effects: [Effect], by user: String?
    ) {
        do {
            let step = try TraceStep(
                kind: kind, name: name, seq: seq, at: now, wallMs: clock.wallMs(), input: event, state: machine,
                effects: effects, clean: Redaction.clean)
            writer?.keep(step)
            if isJournaled.load(ordering: .relaxed) {
                journal.trace(
                    step, visible: false, fields: [(.event, eventName)] + (user.map { [(.user, $0)] } ?? []))
            }
        } catch {
            journal.send(.machineIgnored, camera: camera, fields: [(.event, eventName), (.why, "\(error)")])
        }
    }
}

extension PushTransport.Event {
    /// The event's name, as in VIGIL_EVENT.
    var name: String {
        switch self {
        case .tick: "tick"
        case .motion: "motion"
        case .held: "held"
        case .triggered: "triggered"
        case .status: "status"
        case .modified: "modified"
        case .blocked: "blocked"
        case .deallocated: "deallocated"
        case .drain: "drain"
        }
    }
}

extension Subscription.Event {
    /// The event's name, as in VIGIL_EVENT.
    var name: String {
        switch self {
        case .tick: "tick"
        case .loaded: "loaded"
        case .loadFailed: "loadFailed"
        case .stored: "stored"
        case .refresh: "refresh"
        case .drain: "drain"
        }
    }
}
