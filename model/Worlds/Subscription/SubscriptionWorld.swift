public import Machines

/// The subscription machine under every answer of its provider, the alphabet of model/Subscription.tla.
///
/// The instant of a state is 0. A number is kept as 2 if it is outstanding, and as many were given; so 1 is over, in the first
/// states too: a machine does not tell its first load from any other.
public struct SubscriptionWorld: World {
    /// One tick, in milliseconds.
    public static let tickMs: Int64 = 1_000

    /// The bounds of the machine.
    public let timing: Subscription.Timing
    /// How long stored video outlives its plan, in milliseconds.
    public let retentionMs: Int64
    /// The retention that an earlier run kept, in milliseconds.
    public let keptRetentionMs: Int64
    /// What remains of the active plans that a load may tell, in ticks.
    public let untils: [Int64]
    /// What remains of the retention of the expired plans that a load may tell, in ticks.
    public let gones: [Int64]
    /// The provider does not move the dates of a plan that has ended.
    public let steady: Bool

    /// A world. The defaults are those of model/cfg/Subscription.edges.cfg, in ticks.
    public init(
        answer: Int64 = 1, retry: Int64 = 2, refresh: Int64 = 3, retention: Int64 = 4, untils: [Int64] = [1, 5],
        gones: [Int64] = [0, 3], steady: Bool = false, keptRetention: Int64? = nil
    ) {
        let tick = Self.tickMs
        timing = Subscription.Timing(answerMs: answer * tick, retryMs: retry * tick, refreshMs: refresh * tick)
        retentionMs = retention * tick
        keptRetentionMs = (keptRetention ?? retention) * tick
        self.untils = untils
        self.gones = gones
        self.steady = steady
    }

    /// Which load an answer names.
    public enum Number: String, Hashable, Sendable, CaseIterable {
        /// The one that is outstanding.
        case cur
        /// One that is over.
        case late
        /// One that was never given.
        case unknown
    }

    /// What a load tells, in ticks from now.
    public enum Told: Hashable, Sendable {
        /// No plan.
        case none
        /// A plan, and what remains of it.
        case active(Int64)
        /// A plan that is over, and what remains of its retention.
        case expired(Int64)
    }

    /// What can come in.
    public enum Event: Hashable, Sendable {
        case tick, refresh, drain
        case stored(Bool)
        case loaded(Number, Told)
        case loadFailed(Number)
    }

    /// A new machine, and two that are restored: under a plan that is about to end, and after one.
    public var initial: [Subscription] {
        let kept: [(Subscription.Kept, stored: Bool)] = [
            (Subscription.Kept(retentionMs: keptRetentionMs), false),
            (Subscription.Kept(plan: .active(until: Self.tick), retentionMs: keptRetentionMs), true),
            (Subscription.Kept(plan: .expired, gone: .at(Self.tick), retentionMs: keptRetentionMs), true),
        ]
        return kept.map {
            Self.normal(Subscription($0, stored: $1, timing: timing, at: Self.zero), at: Self.zero)
        }
    }

    /// What can come in, in this state.
    public func events(of state: Subscription) -> [Event] {
        var events: [Event] = [.tick, .refresh, .drain, .stored(true), .stored(false)]
        for number in [Number.late, .unknown] { events += [.loaded(number, .none), .loadFailed(number)] }
        guard case .ask = state.load else { return events }
        events += [.loaded(.cur, .none), .loadFailed(.cur)]
        if steady { return events }
        return events + untils.map { .loaded(.cur, .active($0)) } + gones.map { .loaded(.cur, .expired($0)) }
    }

    /// All steps out of `state`.
    public func successors(
        of state: Subscription
    ) -> [(action: Labelled<Event, Subscription.Effect>, next: Subscription)] {
        events(of: state).map { event in
            let (effects, next) = step(event, in: state)
            return (Labelled(event, effects), next)
        }
    }

    /// One step.
    func step(_ event: Event, in state: Subscription) -> (effects: [Subscription.Effect], next: Subscription) {
        var next = state
        let now = event == .tick ? Self.tick : Self.zero
        let effects = next.step(self.event(of: event), at: now)
        return (effects, Self.normal(next, at: now))
    }

    /// A world in which plans are told that end at this very moment, and whose retention is not the one that was kept.
    public static let ending = SubscriptionWorld(untils: [0, 2], keptRetention: 2)

    /// A machine made anew from what an earlier one kept.
    func restored(_ kept: Subscription.Kept, stored: Bool) -> Subscription {
        Self.normal(Subscription(kept, stored: stored, timing: timing, at: Self.zero), at: Self.zero)
    }

    // MARK: Modulo time and numbering

    static let zero = Instant(ms: 0)
    static let tick = Instant(ms: tickMs)
    static let late = Subscription.LoadNumber(1)
    static let outstanding = Subscription.LoadNumber(2)
    /// Beyond every number that a step can give before it takes its event.
    static let unknown = Subscription.LoadNumber(9)

    /// The event as the machine sees it.
    func event(of event: Event) -> Subscription.Event {
        switch event {
        case .tick: .tick
        case .refresh: .refresh
        case .drain: .drain
        case .stored(let stored): .stored(stored)
        case .loaded(let number, let told): .loaded(Self.number(number), answer(told))
        case .loadFailed(let number): .loadFailed(Self.number(number), .unreachable)
        }
    }

    private static func number(_ number: Number) -> Subscription.LoadNumber {
        switch number {
        case .cur: outstanding
        case .late: late
        case .unknown: unknown
        }
    }

    private func answer(_ told: Told) -> Subscription.Answer {
        switch told {
        case .none: .none
        case .active(let left): .active(until: Self.zero + left * Self.tickMs, retentionMs: retentionMs)
        case .expired(let left):
            .expired(at: Self.zero + (left * Self.tickMs - retentionMs), retentionMs: retentionMs)
        }
    }

    /// The state seen from `now`. One that is stopped has no deadlines: its dates are only what is kept.
    private static func normal(_ state: Subscription, at now: Instant) -> Subscription {
        func left(_ instant: Instant) -> Instant { Instant(ms: state.load == .stopped ? 0 : instant - now) }
        var state = state
        state.loads = outstanding.rawValue
        switch state.load {
        case .ask(_, let until): state.load = .ask(outstanding, until: left(until))
        case .next(let at): state.load = .next(at: left(at))
        case .stopped: state.kept.gone = .unknown
        }
        if case .active(let until) = state.kept.plan { state.kept.plan = .active(until: left(until)) }
        if case .at(let end) = state.kept.gone { state.kept.gone = .at(left(end)) }
        return state
    }
}
