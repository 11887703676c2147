/// The cloud subscription of one camera (docs/design/subscription.md): when clips may be uploaded,
/// when video that is stored remotely is over, and which of six states the user is told.
///
///              loaded active                  its end, loaded expired
///      none ───────────────────►  active  ─────────────────────────────►  expired
///       ▲                         │    ▲                                  │    │
///       │       loaded none       │    └────────── loaded active ─────────┘    │
///       └─────────────────────────┴────────────────── loaded none ─────────────┘
///
/// Moves no data, and local recording never depends on it. Called by the one who speaks with the provider, who journals each
/// event, steps, and carries out the effects in their order.
///
/// A step applies the deadlines due at or before its instant, earliest first (ties in the order of `Due`), then the event; what
/// each single change calls for is ordered at once.
public struct Subscription: Hashable, Sendable, Codable {
    /// The bounds it works with.
    public let timing: Timing
    /// What is kept over a restart; the shell stores it whenever it has changed.
    public package(set) var kept: Kept
    /// Some clip of this camera is stored remotely: verified uploads in the catalog.
    public package(set) var stored: Bool
    /// The last load failed.
    public package(set) var failed = false
    /// What is being done to learn the plan.
    public package(set) var load: Load
    /// Loads ordered so far.
    public package(set) var loads: UInt32 = 0

    /// A machine that loads at once. `kept` is what an earlier run kept, a camera that never had a plan has the default.
    public init(_ kept: Kept = Kept(), stored: Bool, timing: Timing = Timing(), at now: Instant) {
        self.kept = kept
        self.stored = stored
        self.timing = timing
        load = .next(at: now)
        guard case .active(let until) = kept.plan else { return }
        if until <= now { self.kept.end(at: until, by: now) } else { self.kept.gone = .unknown }
    }

    /// Takes `event` at `now`, and everything that time has brought due before it; returns the orders it gives.
    /// Total: any event in any state; what does not fit is answered by `ignored` and changes nothing.
    public mutating func step(_ event: Event, at now: Instant) -> [Effect] {
        if load == .stopped { return event == .tick ? [] : [.ignored(.stopped)] }
        var effects: [Effect] = []
        while let (due, at) = firstDue(at: now, { deadline($0) }) { apply(due, at: at, &effects) }
        take(event, at: now, &effects)
        return effects
    }

    /// When `step(.tick, at:)` is due; nil once stopped.
    public var nextDeadline: Instant? {
        Due.allCases.reduce(nil) { earliest($0, deadline($1)) }
    }

    /// What the user is told (S14): exactly one of six, from the last load, the plan, and whether something is stored.
    public var report: Report {
        if failed { return .loadFailed }
        switch kept.plan {
        case .none: return .noService
        case .active: return stored ? .validData : .noData
        case .expired: return stored ? .expiredData : .expiredNoData
        }
    }

    /// Clips may be uploaded.
    public var uploadsAllowed: Bool { isActive && load != .stopped }

    private var isActive: Bool { if case .active = kept.plan { true } else { false } }

    // MARK: Deadlines

    /// What time brings due, in the order in which ties are applied.
    enum Due: CaseIterable {
        /// The plan ends.
        case expiry
        /// Stored video has outlived its plan by the retention.
        case retention
        /// The bound of the provider's answer.
        case answer
        /// The next load.
        case nextLoad
    }

    /// When `due` comes, if it does. Once stopped nothing does, though the plan and its dates are still known.
    func deadline(_ due: Due) -> Instant? {
        switch (due, load) {
        case (_, .stopped): nil
        case (.expiry, _): if case .active(let until) = kept.plan { until } else { nil }
        case (.retention, _): if case .at(let end) = kept.gone { end } else { nil }
        case (.answer, .ask(_, let until)): until
        case (.nextLoad, .next(let at)): at
        case (.answer, .next), (.nextLoad, .ask): nil
        }
    }

    private mutating func apply(_ due: Due, at now: Instant, _ effects: inout [Effect]) {
        switch due {
        case .expiry: change(at: now, loads: true, &effects) { $0.kept.end(at: now, by: now) }
        case .retention: change(at: now, &effects) { $0.kept.gone = .over }
        case .answer:
            abandon(&effects)
            change(at: now, &effects) { $0.loadFailed(at: now) }
        case .nextLoad: change(at: now, loads: true, &effects) { _ in }
        }
    }

    // MARK: Events

    private mutating func take(_ event: Event, at now: Instant, _ effects: inout [Effect]) {
        switch event {
        case .tick: break
        case .loaded(let number, let answer):
            guard isOutstanding(number) else { return ignore(number, &effects) }
            change(at: now, &effects) { $0.loaded(answer, at: now) }
        case .loadFailed(let number, _):
            guard isOutstanding(number) else { return ignore(number, &effects) }
            change(at: now, &effects) { $0.loadFailed(at: now) }
        case .stored(let stored):
            guard stored != self.stored else { return effects.append(.ignored(.duplicate)) }
            change(at: now, &effects) { $0.stored = stored }
        case .refresh:
            if case .ask = load { return effects.append(.ignored(.duplicate)) }
            change(at: now, loads: true, &effects) { _ in }
        case .drain:
            abandon(&effects)
            change(at: now, &effects) { $0.load = .stopped }
            effects.append(.stopped)
        }
    }

    private mutating func loaded(_ answer: Answer, at now: Instant) {
        failed = false
        load = .next(at: now + timing.refreshMs)
        switch answer {
        case .none: kept.plan = .none
        case .active(let until, let retentionMs):
            kept.retentionMs = max(retentionMs, 0)
            if until <= now { return kept.end(at: until, by: now) }
            kept.plan = .active(until: until)
            kept.gone = .unknown
        case .expired(let at, let retentionMs):
            kept.retentionMs = max(retentionMs, 0)
            kept.end(at: min(at, now), by: now)
        }
    }

    /// The plan stays what it was: an outage of the provider ends nothing.
    private mutating func loadFailed(at now: Instant) {
        failed = true
        load = .next(at: now + timing.retryMs)
    }

    private func isOutstanding(_ number: LoadNumber) -> Bool {
        if case .ask(number, _) = load { true } else { false }
    }

    private func abandon(_ effects: inout [Effect]) {
        if case .ask(let number, _) = load { effects.append(.abandon(number)) }
    }

    private func ignore(_ number: LoadNumber, _ effects: inout [Effect]) {
        let given = number.rawValue > 0 && number.rawValue <= loads
        effects.append(.ignored(given ? .late : .unknown))
    }

    // MARK: What follows

    /// One change and what follows from it; `loads` if it asks for a load.
    private mutating func change(
        at now: Instant, loads: Bool = false, _ effects: inout [Effect], _ body: (inout Subscription) -> Void
    ) {
        let before = self
        body(&self)
        if !isActive, stored, kept.gone == .unknown { kept.gone = .at(now + kept.retentionMs) }
        if uploadsAllowed != before.uploadsAllowed { effects.append(.uploads(uploadsAllowed)) }
        if !isActive, stored, kept.gone == .over {
            stored = false
            effects.append(.purgeRemote(.planRetention))
        }
        if loads { ask(at: now, &effects) }
        if report != before.report { effects.append(.report(report)) }
    }

    private mutating func ask(at now: Instant, _ effects: inout [Effect]) {
        guard case .next = load else { return }
        loads &+= 1
        load = .ask(LoadNumber(loads), until: now + timing.answerMs)
        effects.append(.load(LoadNumber(loads)))
    }
}
