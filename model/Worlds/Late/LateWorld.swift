internal import Explorer
internal import Machines

/// A world whose machine can be stepped at any instant. In the graph of a world a tick goes before whatever is due, so no fact there
/// finds a deadline that has passed unnoticed. In a daemon one does: the processor was busy, or the machine slept.
protocol LateWorld: World {
    associatedtype Machine: Equatable, Sendable
    associatedtype Answer: Equatable

    /// The machine of a state.
    func machine(in state: State) -> Machine

    /// What of the world's alphabet is an event of the machine, and not something else of the world.
    func facts(in state: State) -> [Event]

    /// Steps `machine`, which has come from that of `state`, so many ticks after the instant of `state`. `fact` means what it means in
    /// `state`; nil is a tick.
    func step(_ machine: inout Machine, _ fact: Event?, in state: State, after ticks: Int64) -> [Answer]

    /// Something is due so many ticks after the instant of `state`.
    func isDue(_ machine: Machine, in state: State, after ticks: Int64) -> Bool

    /// Each deadline of the machine, in ticks after the instant of `state`; one that never comes may be left out.
    func deadlines(of machine: Machine, in state: State) -> [Int64]
}

extension CameraWorld: LateWorld {
    /// The canonical form leaves out since when media has been wanted; what waits for a clip has known it.
    func machine(in state: Camera) -> Camera {
        var machine = state
        let isWaiting = state.wantsMedia && state.link.phase == .streaming && state.recorder.clip == nil
        if isWaiting, state.label != nil { machine.recorder.wantedSince = Self.instant(0) }
        return machine
    }

    func facts(in state: Camera) -> [CameraFact] { view.facts(in: state) }

    func step(_ machine: inout Camera, _ fact: CameraFact?, in state: Camera, after ticks: Int64) -> [Camera.Effect] {
        machine.step(fact?.event(in: state, view) ?? .tick, at: Self.instant(ticks))
    }

    func isDue(_ machine: Camera, in state: Camera, after ticks: Int64) -> Bool {
        machine.nextDeadline.map { $0 <= Self.instant(ticks) } ?? false
    }

    private static func instant(_ ticks: Int64) -> Instant { Instant(ms: ticks * CameraConfiguration.ms(1)) }

    func deadlines(of machine: Camera, in state: Camera) -> [Int64] {
        let link: [Instant?] = [
            machine.link.deadline, machine.link.patience, machine.link.steady, machine.link.hangingUp?.deadline,
        ]
        let trigger =
            [machine.trigger.window?.ends, machine.trigger.blindUntil] + machine.trigger.sources.map(\.staleAt)
        let recorder = [machine.recorder.deadline] + machine.recorder.closing.map(\.deadline)
        return (link + trigger + recorder).compactMap { $0.map { $0.ms / CameraConfiguration.ms(1) } }
    }
}

extension SessionWorld: LateWorld {
    func machine(in state: State) -> Session { state.session }

    func facts(in state: State) -> [Event] { events(in: state.session) }

    func step(_ machine: inout Session, _ fact: Event?, in state: State, after ticks: Int64) -> [Session.Effect] {
        machine.step(fact.map { Self.concrete($0, for: state.session) } ?? .tick, at: state.now + ticks * Self.tickMs)
    }

    func isDue(_ machine: Session, in state: State, after ticks: Int64) -> Bool {
        machine.nextDeadline.map { $0 <= state.now + ticks * Self.tickMs } ?? false
    }

    func deadlines(of machine: Session, in state: State) -> [Int64] {
        [machine.ask?.until, machine.left].compactMap { $0.map { ($0 - state.now) / Self.tickMs } }
    }
}

extension SubscriptionWorld: LateWorld {
    func machine(in state: Subscription) -> Subscription { state }

    func facts(in state: Subscription) -> [Event] { events(of: state) }

    func step(
        _ machine: inout Subscription, _ fact: Event?, in state: Subscription, after ticks: Int64
    ) -> [Subscription.Effect] {
        machine.step(event(of: fact ?? .tick), at: Self.zero + ticks * Self.tickMs)
    }

    func isDue(_ machine: Subscription, in state: Subscription, after ticks: Int64) -> Bool {
        machine.nextDeadline.map { $0 <= Self.zero + ticks * Self.tickMs } ?? false
    }

    func deadlines(of machine: Subscription, in state: Subscription) -> [Int64] {
        var all: [Instant] = []
        switch machine.load {
        case .ask(_, let until): all.append(until)
        case .next(let at): all.append(at)
        case .stopped: return []
        }
        if case .active(let until) = machine.kept.plan { all.append(until) }
        if case .at(let end) = machine.kept.gone { all.append(end) }
        return all.map { ($0 - Self.zero) / Self.tickMs }
    }
}

extension UploadWorld: LateWorld {
    func machine(in state: State) -> Upload { state.job }

    func facts(in state: State) -> [Event] { events(of: state).filter { Self.machine($0) != nil } }

    func step(_ machine: inout Upload, _ fact: Event?, in state: State, after ticks: Int64) -> [Upload.Effect] {
        machine.step(fact.flatMap(Self.machine) ?? .tick, at: Self.zero + ticks * Self.tickMs)
    }

    func isDue(_ machine: Upload, in state: State, after ticks: Int64) -> Bool {
        machine.nextDeadline.map { $0 <= Self.zero + ticks * Self.tickMs } ?? false
    }

    /// It waits for one thing at a time.
    func deadlines(of machine: Upload, in state: State) -> [Int64] {
        machine.nextDeadline.map { [($0 - Self.zero) / Self.tickMs] } ?? []
    }
}

extension TransportWorld: LateWorld {
    func machine(in state: PushTransport) -> PushTransport { state }

    func facts(in state: PushTransport) -> [Event] { events }

    func step(
        _ machine: inout PushTransport, _ fact: Event?, in state: PushTransport, after ticks: Int64
    ) -> [PushTransport.Effect] {
        machine.step(event(of: fact ?? .tick, in: state), at: Instant(ms: ticks * Self.tickMs))
    }

    func isDue(_ machine: PushTransport, in state: PushTransport, after ticks: Int64) -> Bool {
        machine.nextDeadline.map { $0 <= Instant(ms: ticks * Self.tickMs) } ?? false
    }

    func deadlines(of machine: PushTransport, in state: PushTransport) -> [Int64] {
        var all = [machine.expiry]
        switch machine.phase {
        case .idle: break
        case .detected(let window): all += [min(window.end, window.limit), machine.held ? window.previousEnd : nil]
        case .blind(let until): all.append(until)
        case .over: return []
        }
        return all.compactMap { $0.map { $0.ms / Self.tickMs } }
    }
}
