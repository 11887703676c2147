/// The upload of one closed clip to the cloud under one object key (docs/design/upload.md).
///
///                allowed             uploaded            acked
///     queued ──────────────► put ──────────────► ack ─────────────► done, or encoding if that is wanted
///       ▲  ▲                  │                   │
///       │  └── a failed try ──┴───────────────────┤
///       └───── reUpload ────── uploadFailed ◄─────┘ more tries than `retries`
///
///                      encodeStarted        a while
///     encoding: start ───────────────► run ◄───────► poll ───► done (finished, by poll or by webhook)
///          a failed try, or the bound of the run: wait, then start again, at last encodingFailed
///
/// Any phase that is not over may become `cancelled`. Moves no data; the order of jobs and how many run at once are its
/// caller's, who journals each event, steps, and carries out the effects in their order.
///
/// A step applies the deadlines due at or before its instant, earliest first (the run of the encoder before the step), then
/// the event; after each single change the job goes on by itself where it can.
public struct Upload: Hashable, Sendable, Codable {
    /// The bounds it works with.
    public let timing: Timing
    /// The clip is to be encoded once it is there. Fixed with the job, as are key, digest and play URL.
    public let encode: Bool
    /// Where it stands.
    public package(set) var state: State = .queued
    /// Failed tries since this kind of work began, at most `retries`.
    public package(set) var tries: UInt8 = 0
    /// Uploads are allowed: the subscription's word.
    public package(set) var allowed = false
    /// Some transfer was ever ordered, so that something may be there.
    public package(set) var sent = false
    /// The acknowledgement is durable: the clip counts as uploaded.
    public package(set) var counted = false
    /// Drained; everything is ignored from now on and no deadline counts.
    public package(set) var stopped = false
    /// Numbers given to orders so far.
    public package(set) var orders: UInt32 = 0

    /// A new job.
    public init(encode: Bool, timing: Timing = Timing()) {
        self.encode = encode
        self.timing = timing
    }

    /// Takes `event` at `now`, and everything that time has brought due before it; returns the orders it gives.
    /// Total: any event in any state; what does not fit is answered by `ignored` or `refused` and changes nothing.
    public mutating func step(_ event: Event, at now: Instant) -> [Effect] {
        if stopped { return event == .tick ? [] : [.ignored(.stopped)] }
        var effects: [Effect] = []
        while let (due, at) = nextDue(at: now) {
            change(at: at, &effects) { $0.apply(due, at: at) }
        }
        take(event, at: now, &effects)
        return effects
    }

    /// When `step(.tick, at:)` is due; nil if time alone changes nothing.
    public var nextDeadline: Instant? { earliest(deadline(.total), deadline(.left)) }

    // MARK: Deadlines

    /// What time brings due, in the order in which ties are applied.
    enum Due {
        /// The bound of one run of the encoder.
        case total
        /// The deadline of the step.
        case left
    }

    /// When `due` comes, if it does.
    func deadline(_ due: Due) -> Instant? {
        if stopped { return nil }
        return switch due {
        case .total: state.run?.until
        case .left: state.until
        }
    }

    private func nextDue(at now: Instant) -> (Due, Instant)? {
        let total = deadline(.total), left = deadline(.left)
        if let total, total <= now, left.map({ total <= $0 }) ?? true { return (.total, total) }
        if let left, left <= now { return (.left, left) }
        return nil
    }

    private mutating func apply(_ due: Due, at now: Instant) {
        if due == .total { return failTry(.again, at: now) }
        switch state {
        case .queuedWait: state = .queued
        case .encodingWait: state = .encoding
        case .run(let run, _): state = .poll(order(), run, until: now + timing.answerMs)
        case .poll(_, let run, _): state = .run(run, pollAt: now + timing.pollMs)
        case .put, .ack, .start: failTry(.again, at: now)
        case .queued, .uploadFailed, .encoding, .encodingFailed, .done, .cancelled: break
        }
    }

    // MARK: Events

    private mutating func take(_ event: Event, at now: Instant, _ effects: inout [Effect]) {
        switch event {
        case .tick: break
        case .uploaded, .putFailed, .acked, .ackFailed, .encodeStarted, .encodeRefused, .polled, .pollFailed, .webhook:
            answered(event, at: now, &effects)
        case .allow(let allow):
            guard allow != allowed else { return effects.append(.ignored(.duplicate)) }
            change(at: now, &effects) {
                $0.allowed = allow
                if !allow, case .put = $0.state { $0.state = .queued }
            }
        case .cancel:
            switch state.phase {
            case .done: effects.append(.refused(.done))
            case .cancelled: effects.append(.refused(.cancelled))
            case .queued, .uploading, .uploadFailed, .encoding, .encodingFailed:
                change(at: now, &effects) { $0.end(.cancelled) }
            }
        case .sourceGone:
            guard needsSource else { return effects.append(.ignored(.notNeeded)) }
            change(at: now, &effects) { $0.end(.cancelled) }
        case .reUpload:
            guard state == .uploadFailed else { return effects.append(.refused(.notFailed)) }
            change(at: now, &effects) { $0.state = .queued }
        case .reEncode:
            guard state == .encodingFailed else { return effects.append(.refused(.notFailed)) }
            change(at: now, &effects) { $0.state = .encoding }
        case .drain:
            change(at: now, &effects) { $0.drain() }
            effects.append(.stopped)
        }
    }

    /// The clip's file is still wanted: it is not there, or not wholly.
    private var needsSource: Bool {
        switch state {
        case .queued, .queuedWait, .put, .uploadFailed: true
        case .ack, .encoding, .encodingWait, .start, .run, .poll, .encodingFailed, .done, .cancelled: false
        }
    }

    /// Nothing is waited for any more. What the cloud has been asked to do goes on there and is found again by its record.
    private mutating func drain() {
        stopped = true
        switch state {
        case .put, .queuedWait: state = .queued
        case .start, .encodingWait: state = .encoding
        case .poll(_, let run, let until): state = .run(run, pollAt: until)
        case .queued, .ack, .uploadFailed, .encoding, .run, .encodingFailed, .done, .cancelled: break
        }
    }

    /// The work is over, with success, by a last failure or by order.
    mutating func end(_ state: State) {
        self.state = state
        tries = 0
    }

    /// One more failed try: again after a wait, or the end of trying.
    mutating func failTry(_ failure: Failure, at now: Instant) {
        let uploading = !counted
        guard failure == .again, tries < timing.retries else {
            return end(uploading ? .uploadFailed : .encodingFailed)
        }
        tries += 1
        let until = now + timing.waitMs(tries: tries)
        state = uploading ? .queuedWait(until: until) : .encodingWait(until: until)
    }

    /// The next number for an order.
    mutating func order() -> OrderNumber {
        orders &+= 1
        return OrderNumber(orders)
    }
}
