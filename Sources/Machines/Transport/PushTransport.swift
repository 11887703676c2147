/// One transport of a camera (docs/design/transports.md): what makes it record, and from when to when it does. Any number of
/// them look at the same camera, each for itself; the media is the camera's and is kept once.
///
///            motion that counts, command
///     idle ──────────────────────────────► detected
///      ▲ ▲                                   │  │ min(end, limit), after a recording of motion, B > 0
///      │ └── end, inactive, blocked ◄────────┘  ▼
///      └───────────────────────────────────── blind
///
/// It records while it is active, the camera may record, and its trigger is continuous or something is detected. Deciding nothing
/// else, it moves no data and does not know files; called by the one who keeps the transports of a site.
///
/// A step settles the state it began with, applies the deadlines due at or before its instant, earliest first (ties in the order
/// of `Due`), each at its own instant, then the event; what each single change calls for is ordered at once.
public struct PushTransport: Hashable, Sendable, Codable {
    /// What makes it record.
    public package(set) var trigger: Trigger
    /// Whether it may.
    public package(set) var status: Status
    /// Why the camera may not record; nil: it may.
    public package(set) var block: Block?
    /// Something that notices motion by itself is on.
    public package(set) var held: Bool
    /// When it is over by itself.
    public package(set) var expiry: Instant?
    /// What it is doing.
    public package(set) var phase: Phase = .idle
    /// A recording that has begun and not ended.
    public package(set) var recording: RecordingNumber?
    /// Recordings begun so far.
    public package(set) var recordings: UInt32 = 0

    /// A transport, new or of an earlier run.
    public init(
        _ trigger: Trigger, status: Status = .inactive, expiry: Instant? = nil, block: Block? = nil, held: Bool = false
    ) {
        self.trigger = trigger
        self.status = status
        self.expiry = expiry
        self.block = block
        self.held = held
    }

    /// Takes `event` at `now`, and everything that time has brought due before it; returns the orders it gives.
    /// Total: any event in any state; what does not fit is answered by `ignored` or `refused` and changes nothing.
    public mutating func step(_ event: Event, at now: Instant) -> [Effect] {
        if phase == .over { return event == .tick ? [] : [.ignored(.over)] }
        var effects: [Effect] = []
        settle(at: now, &effects)
        while phase != .over, let (due, at) = firstDue(at: now, { deadline($0) }) { apply(due, at: at, &effects) }
        if phase == .over { return event == .tick ? effects : effects + [.ignored(.over)] }
        take(event, at: now, &effects)
        return effects
    }

    /// When `step(.tick, at:)` is due; nil where time alone changes nothing.
    public var nextDeadline: Instant? { Due.allCases.reduce(nil) { earliest($0, deadline($1)) } }

    /// It records, as far as the camera's media goes.
    public var isRecording: Bool { recording != nil }

    private var wantsRecording: Bool {
        guard status == .active, block == nil else { return false }
        switch (trigger, phase) {
        case (.continuous, _), (_, .detected): return true
        case (_, .idle), (_, .blind), (_, .over): return false
        }
    }

    // MARK: Deadlines

    /// What time brings due, in the order in which ties are applied.
    enum Due: CaseIterable {
        /// The transport is over.
        case expiry
        /// The window ends.
        case windowEnd
        /// What is held prolongs the window.
        case prolonging
        /// The blind time ends.
        case blindEnd
    }

    /// When `due` comes, if it does.
    func deadline(_ due: Due) -> Instant? {
        switch (due, phase) {
        case (_, .over): nil
        case (.windowEnd, .detected(let window)): window.due
        case (.prolonging, .detected(let window)): held && window.prolongs ? window.previousEnd : nil
        case (.blindEnd, .blind(let until)): until
        case (.expiry, _): expiry
        case (.windowEnd, _), (.prolonging, _), (.blindEnd, _): nil
        }
    }

    private mutating func apply(_ due: Due, at now: Instant, _ effects: inout [Effect]) {
        switch due {
        case .expiry: return end(.expired, [.removed(.expired)], &effects)
        case .windowEnd: endWindow(at: now, &effects)
        case .prolonging: prolong(at: now)
        case .blindEnd: phase = .idle
        }
        settle(at: now, &effects)
    }

    private mutating func endWindow(at now: Instant, _ effects: inout [Effect]) {
        guard case .detected(let window) = phase else { return }
        phase = .idle
        guard let recording else { return }
        self.recording = nil
        effects.append(.end(recording, window.why))
        if window.blindMs > 0, !window.commanded { phase = .blind(until: now + window.blindMs) }
    }

    /// Ends whatever runs, for good.
    private mutating func end(_ why: Why, _ last: [Effect], _ effects: inout [Effect]) {
        if let recording { effects.append(.end(recording, why)) }
        (recording, phase, status, block, held, expiry) = (nil, .over, .inactive, nil, false, nil)
        effects += last
    }

    // MARK: Events

    private mutating func take(_ event: Event, at now: Instant, _ effects: inout [Effect]) {
        switch event {
        case .tick: return
        case .motion(let level, let zones):
            if let why = counts(level, zones, at: now) { return effects.append(.ignored(why)) }
            detect(at: now)
        case .held(let held):
            guard held != self.held else { return effects.append(.ignored(.duplicate)) }
            self.held = held
        case .triggered(let control):
            if let why = command(control, at: now) { return effects.append(.refused(why)) }
        case .status(let status):
            guard status != self.status else { return effects.append(.ignored(.duplicate)) }
            if status == .active, block == .privacy { return effects.append(.refused(.blocked)) }
            self.status = status
            if status == .inactive { drop(.inactive, &effects) }
        case .modified(let trigger, let expiry):
            guard trigger != self.trigger || expiry != self.expiry else { return effects.append(.ignored(.duplicate)) }
            modify(trigger, expiry, &effects)
        case .blocked(let block):
            guard block != self.block else { return effects.append(.ignored(.duplicate)) }
            self.block = block
            if let block { drop(block.why, &effects) }
        case .deallocated: return end(.deallocated, [.removed(.deallocated)], &effects)
        case .drain: return end(.draining, [.stopped], &effects)
        }
        settle(at: now, &effects)
    }

    /// Why motion at `now` does not count; nil: it does.
    private func counts(_ level: Sensitivity, _ zones: Zones, at now: Instant) -> Ignored? {
        guard case .motion(let filter, let sensitivity, _) = trigger else { return .trigger }
        if block != nil { return .blocked }
        if let filter, !zones.intersects(filter) { return .zone }
        if level.rawValue > sensitivity { return .sensitivity }
        switch phase {
        case .blind: return .blind
        case .detected(let window):
            if !window.canProlong(at: now) { return .early }
        case .idle, .over: break
        }
        return nil
    }

    /// Motion that counts.
    private mutating func detect(at now: Instant) {
        if case .detected = phase { return prolong(at: now) }
        guard case .motion(_, _, let control) = trigger else { return }
        phase = .detected(Window(control, commanded: false, at: now))
    }

    private mutating func prolong(at now: Instant) {
        guard case .detected(var window) = phase else { return }
        window.previousEnd = window.end
        window.end = window.end + window.augmentationMs
        phase = .detected(window)
    }

    /// A command begins a recording, or lifts the end of the one that runs. Returns why it is refused, if it is.
    private mutating func command(_ control: TimeControl?, at now: Instant) -> Refusal? {
        if block != nil { return .blocked }
        if status == .inactive { return .inactive }
        let own: TimeControl?
        switch trigger {
        case .continuous: return .continuous
        case .motion(_, _, let control): own = control
        case .command: own = nil
        }
        guard let control = control ?? own else { return .noTimeControl }
        var window = Window(control, commanded: true, at: now)
        if case .detected(let before) = phase {
            window.end = max(before.end, window.end)
            window.limit = max(before.limit, window.limit)
            window.augmentationMs = max(before.augmentationMs, window.augmentationMs)
            window.previousEnd = before.previousEnd
        }
        phase = .detected(window)
        return nil
    }

    /// Forgets what was detected, and ends the recording.
    private mutating func drop(_ why: Why, _ effects: inout [Effect]) {
        if case .detected = phase { phase = .idle }
        guard let recording else { return }
        self.recording = nil
        effects.append(.end(recording, why))
    }

    /// What has begun goes on with the time control that it began with, unless the trigger is of another kind now.
    private mutating func modify(_ trigger: Trigger, _ expiry: Instant?, _ effects: inout [Effect]) {
        let isLike = trigger.isLike(self.trigger)
        self.trigger = trigger
        self.expiry = expiry
        guard !isLike else { return }
        drop(.modified, &effects)
        phase = .idle
    }

    // MARK: What follows

    /// What is held counts as soon as it can, and a recording runs exactly while one is wanted.
    private mutating func settle(at now: Instant, _ effects: inout [Effect]) {
        if held, block == nil, case .motion = trigger {
            if phase == .idle { detect(at: now) }
            if case .detected(let window) = phase, window.canProlong(at: now) { prolong(at: now) }
        }
        guard wantsRecording, recording == nil else { return }
        recordings &+= 1
        let number = RecordingNumber(recordings)
        recording = number
        effects.append(.begin(number, cause))
    }

    private var cause: Cause {
        switch (trigger, phase) {
        case (.continuous, _): .continuous
        case (.command, _): .command
        case (.motion, .detected(let window)) where window.commanded: .command
        case (.motion, _): .motion
        }
    }
}
