/// The upload of one clip to the cloud under one object key (docs/design/upload.md). The clip may still be open.
///
///                allowed             uploaded            acked
///     queued ──────────────► put ──────────────► ack ─────────────► done, or encoding if that is wanted
///       ▲  ▲                  │
///       │  └── refused, or an outage: wait
///       └───── reUpload ────── uploadFailed ◄── more refusals than `retries`
///
///                      encodeStarted        a while
///     encoding: start ───────────────► run ◄───────► poll ───► done (finished, by poll or by webhook)
///          refused, or an outage: wait, then start again; more refusals than `retries`: encodingFailed
///
///                          discarded
///     removing: discard ───────────────► cancelled, purged or deleted
///          refused, or an outage: wait, then discard again; more refusals than `retries`: removeFailed
///
/// Any phase may lead to a removal. Moves no data; the order of jobs and how many run at once are its caller's, who journals
/// each event, steps, and carries out the effects in their order.
///
/// A step applies the deadline if it is due at or before its instant, as often as that is so, then the event; after each single
/// change the job goes on by itself where it can.
public struct Upload: Hashable, Sendable, Codable {
    /// The bounds it works with.
    public let timing: Timing
    /// The clip is to be encoded once it is there. Fixed with the job, as are key and play URL.
    public let encode: Bool
    /// Where it stands.
    public package(set) var state: State = .queued
    /// Refusals since this kind of work began, at most `retries`.
    public package(set) var tries: UInt8 = 0
    /// Outages in a row, counted until the wait grows no more.
    public package(set) var outages: UInt8 = 0
    /// Uploads are allowed: the subscription's word.
    public package(set) var allowed = false
    /// What the closed clip is; nil while it is open.
    public package(set) var seal: Seal?
    /// Some transfer was ordered and what it sent is not known to be removed: an object may be there, or parts of one.
    public package(set) var sent = false
    /// The acknowledgement is durable: the clip counts as uploaded.
    public package(set) var counted = false
    /// The last stage that became a notice.
    public package(set) var stage: Phase = .queued
    /// The number of the last notice.
    public package(set) var notices: UInt32 = 1
    /// Drained; everything is ignored from now on and no deadline counts.
    public package(set) var stopped = false
    /// Numbers given to orders so far.
    public package(set) var orders: UInt32 = 0

    /// A new job; its record is stored with notice 1, which says `queued`. `seal` is nil if the clip is still open.
    public init(encode: Bool, seal: Seal? = nil, timing: Timing = Timing()) {
        self.encode = encode
        self.seal = seal
        self.timing = timing
    }

    /// Takes `event` at `now`, and everything that time has brought due before it; returns the orders it gives.
    /// Total: any event in any state; what does not fit is answered by `ignored` or `refused` and changes nothing.
    public mutating func step(_ event: Event, at now: Instant) -> [Effect] {
        if stopped { return event == .tick ? [] : [.ignored(.stopped)] }
        var effects: [Effect] = []
        while let due = nextDeadline, due <= now {
            change(at: due, &effects) { $0.applyDeadline(at: due) }
        }
        take(event, at: now, &effects)
        return effects
    }

    /// When `step(.tick, at:)` is due; nil if time alone changes nothing.
    public var nextDeadline: Instant? { stopped ? nil : state.until }

    private mutating func applyDeadline(at now: Instant) {
        switch state {
        case .queuedWait: state = .queued
        case .encodingWait: state = .encoding
        case .removingWait(let aim, _): state = .removing(aim)
        case .ackWait: state = .ack(order(), until: now + timing.answerMs)
        case .run(let run, _): state = .poll(order(), run, until: now + timing.answerMs)
        case .poll(_, let run, _): state = .run(run, pollAt: now + timing.pollMs)
        case .put, .ack, .start, .discard: waitForOutage(at: now)
        case .queued, .uploadFailed, .encoding, .encodingFailed, .done, .removing, .removeFailed, .cancelled, .purged,
            .deleted:
            break
        }
    }

    // MARK: Events

    private mutating func take(_ event: Event, at now: Instant, _ effects: inout [Effect]) {
        switch event {
        case .tick: break
        case .progressed, .caughtUp, .uploaded, .putFailed, .acked, .ackFailed, .encodeStarted, .encodeRefused,
            .polled, .pollFailed, .webhook, .discarded, .discardFailed:
            answered(event, at: now, &effects)
        case .sealed(let seal):
            if let unfit = unfitForSeal { return effects.append(.ignored(unfit)) }
            change(at: now, &effects) { $0.take(seal, at: now) }
        case .allow(let allow):
            guard allow != allowed else { return effects.append(.ignored(.duplicate)) }
            change(at: now, &effects) {
                $0.allowed = allow
                if !allow, case .put = $0.state { $0.state = .queued }
            }
        case .cancel, .sourceGone, .purge, .delete: remove(event, at: now, &effects)
        case .reUpload:
            guard state == .uploadFailed || state == .purged else { return effects.append(.refused(.notFailed)) }
            change(at: now, &effects) { $0.state = .queued }
        case .reEncode:
            guard state == .encodingFailed else { return effects.append(.refused(.notFailed)) }
            change(at: now, &effects) { $0.state = .encoding }
        case .drain:
            change(at: now, &effects) { $0.drain() }
            effects.append(.stopped)
        }
    }

    /// Why the clip's end changes nothing; nil if it does.
    private var unfitForSeal: Ignored? {
        if seal != nil { return .duplicate }
        return state == .cancelled || state == .deleted ? .notNeeded : nil
    }

    /// The clip is closed. A transfer that had sent all there was has to go on now.
    private mutating func take(_ seal: Seal, at now: Instant) {
        self.seal = seal
        if case .put(let number, let moved, until: nil) = state {
            state = .put(number, moved: moved, until: now + timing.progressMs)
        }
    }

    /// Nothing is waited for any more. What the cloud has been asked to do goes on there and is found again by its record.
    private mutating func drain() {
        stopped = true
        outages = 0
        switch state {
        case .put, .queuedWait, .ackWait: state = .queued
        case .start, .encodingWait: state = .encoding
        case .discard(_, let aim, _), .removingWait(let aim, _): state = .removing(aim)
        case .poll(_, let run, let until): state = .run(run, pollAt: until)
        case .queued, .ack, .uploadFailed, .encoding, .run, .encodingFailed, .done, .removing, .removeFailed,
            .cancelled, .purged, .deleted:
            break
        }
    }

    // MARK: What answers lead to

    /// One kind of work is over, with success, by a last refusal or by order.
    mutating func end(_ state: State) {
        self.state = state
        tries = 0
        outages = 0
    }

    /// The next number for an order.
    mutating func order() -> OrderNumber {
        orders &+= 1
        return OrderNumber(orders)
    }
}
