public import Machines

/// The upload machine under every answer of cloud, encoder and catalog, and under restarts: the alphabet of model/Upload.tla.
///
/// The instant of a state is 0. Numbers are kept as 2 for the order that is outstanding (for a poll: 2 for the run that it asks
/// about, 3 for itself), so 1 is over, in the first states too: a job does not tell its first order from any other.
public struct UploadWorld: World {
    /// One tick, in milliseconds: so short that the fifth by which a wait may be longer rounds to nothing.
    public static let tickMs: Int64 = 1

    /// The bounds of the machine.
    public let timing: Upload.Timing
    /// What the alphabet holds.
    public enum Kind: Sendable {
        /// Everything.
        case all
        /// Everything, but small enough to read: a closed clip, no encoder, no stale answers.
        case story
        /// No restart, no drain, and uploads stay allowed.
        case outage
        /// As `outage`, and cloud and catalog answer in their time, whatever they answer.
        case live
    }

    /// What the alphabet holds.
    public let kind: Kind

    /// A world. The defaults are those of model/cfg/Upload.edges.cfg, in ticks; waits are 1, 2, 2.
    public init(
        retries: UInt8 = 2, put: Int64 = 2, answer: Int64 = 1, poll: Int64 = 1, run: Int64 = 3, _ kind: Kind = .all
    ) {
        let tick = Self.tickMs
        timing = Upload.Timing(
            progressMs: put * tick, stepBytes: 1, answerMs: answer * tick, pollMs: poll * tick, runMs: run * tick,
            retries: retries,
            backoffMs: tick, backoffMaxMs: 2 * tick)
        self.kind = kind
    }

    /// A job, and what of it is durable.
    public struct State: Hashable, Sendable {
        /// The machine.
        public var job: Upload
        /// The record that was last made durable: what a restart finds.
        public var durable: Upload.Record
        /// The record that is being made durable by `recordAck`.
        public var pending: Upload.Record?
    }

    /// Which order an answer names.
    public enum Number: String, Hashable, Sendable, CaseIterable {
        /// The one that is outstanding.
        case cur
        /// One that is over.
        case late
        /// One that was never given.
        case unknown
    }

    /// What can come in.
    public enum Event: Hashable, Sendable {
        case tick, sealed, cancel, sourceGone, purge, delete, reUpload, reEncode, drain
        case allow(Bool)
        /// A new machine from what is durable; if `kept`, an acknowledgement under way became so.
        case restart(kept: Bool)
        case progressed(Number)
        case caughtUp(Number)
        case uploaded(Number)
        case putFailed(Number, Upload.Failure)
        case acked(Number)
        case ackFailed(Number)
        case encodeStarted(Number)
        case encodeRefused(Number, Upload.Failure)
        case polled(Number, Upload.Progress)
        case pollFailed(Number)
        case webhook(Number, Upload.Outcome)
        case discarded(Number)
        case discardFailed(Number, Upload.Failure)
    }

    /// A new job that wants encoding, and one that does not; the clip is open.
    public var initial: [State] {
        (kind == .story ? [false] : [true, false]).map { encode in
            let seal = kind == .story ? Self.seal : nil
            let job = Self.normal(Upload(encode: encode, seal: seal, timing: timing), at: Self.zero)
            return State(job: job, durable: job.record)
        }
    }

    /// What can come in, in this state. An answer with the number that is outstanding is offered only where it fits.
    public func events(of state: State) -> [Event] {
        var events: [Event] = [.allow(true), .sealed, .cancel, .sourceGone, .purge, .delete, .reUpload, .reEncode]
        if kind != .story {
            for number in [Number.late, .unknown] {
                events += [.uploaded(number), .acked(number), .webhook(number, .finished)]
            }
            events += [.progressed(.late), .encodeStarted(.late), .polled(.late, .finished), .discarded(.late)]
        }
        if !state.job.stopped { events += fitting(state.job.state) }
        if !answerComes(before: state.job) { events.append(.tick) }
        return kind == .all || kind == .story
            ? events + [.allow(false), .drain, .restart(kept: false), .restart(kept: true)] : events
    }

    /// Where cloud and catalog answer in their time, an answer comes before the last tick of its bound.
    private func answerComes(before job: Upload) -> Bool {
        let shape = UploadShape(job)
        return kind == .live && shape.leftMs == Self.tickMs
            && ["put", "ack", "start", "poll", "discard"].contains(shape.step)
    }

    private func fitting(_ state: Upload.State) -> [Event] {
        let webhooks: [Event] = [.webhook(.cur, .finished), .webhook(.cur, .failed)]
        let failures: [Upload.Failure] =
            switch kind {
            case .all, .outage: Upload.Failure.allCases
            case .story: [.unreachable, .again]
            case .live: [.again, .final]
            }
        let isLive = kind == .live
        switch state {
        case .put:
            return [.progressed(.cur), .caughtUp(.cur), .uploaded(.cur)] + failures.map { .putFailed(.cur, $0) }
        case .ack: return [.acked(.cur)] + (isLive ? [] : [.ackFailed(.cur)])
        case .start: return [.encodeStarted(.cur)] + failures.map { .encodeRefused(.cur, $0) } + webhooks
        case .run: return webhooks
        case .poll:
            return Upload.Progress.allCases.map { .polled(.cur, $0) } + (isLive ? [] : [.pollFailed(.cur)]) + webhooks
        case .discard: return [.discarded(.cur)] + failures.map { .discardFailed(.cur, $0) }
        case .queued, .queuedWait, .ackWait, .uploadFailed, .encoding, .encodingWait, .encodingFailed, .done, .removing,
            .removingWait, .removeFailed, .cancelled, .purged, .deleted:
            return []
        }
    }

    /// All steps out of `state`.
    public func successors(of state: State) -> [(action: Labelled<Event, Upload.Effect>, next: State)] {
        events(of: state).map { event in
            let (effects, next) = step(event, in: state)
            return (Labelled(event, effects), next)
        }
    }

    /// One step.
    func step(_ event: Event, in state: State) -> (effects: [Upload.Effect], next: State) {
        var next = state
        guard let asked = Self.machine(event) else {
            if event == .restart(kept: true), let pending = state.pending { next.durable = pending }
            next.pending = nil
            let job = Upload(restoring: next.durable, encode: state.job.encode, timing: timing, at: Self.zero)
            next.settle(job, at: Self.zero)
            return ([], next)
        }
        let now = event == .tick ? Self.tick : Self.zero
        var job = state.job
        let effects = job.step(asked, at: now)
        if event == .acked(.cur), let pending = state.pending { next.durable = pending }
        for effect in effects { next.carryOut(effect) }
        next.settle(job, at: now)
        if !UploadShape(next.job).acknowledges { next.pending = nil }
        return (effects, next)
    }
}

extension UploadWorld.State {
    /// The disk of this world obeys at once, but for acknowledgements.
    fileprivate mutating func carryOut(_ effect: Upload.Effect) {
        switch effect {
        case .save(let record, _): durable = record
        case .recordAck(_, let record, _): pending = record
        case .abortPut, .cancelEncode, .release, .put, .encode, .poll, .discard, .dropEncoded, .report, .refused,
            .ignored, .stopped:
            break
        }
    }

    /// Takes the job, seen from `now`; the number of its last notice is 1.
    fileprivate mutating func settle(_ job: Upload, at now: Instant) {
        let shift = job.notices &- 1
        self.job = UploadWorld.normal(job, at: now)
        durable = durable.shifted(by: shift)
        pending = pending?.shifted(by: shift)
    }
}

extension Upload.Record {
    /// With notices that are counted from another one.
    fileprivate func shifted(by notices: UInt32) -> Self {
        Self(
            phase: phase, tries: tries, sent: sent, counted: counted, seal: seal, aim: aim, stage: stage,
            notices: self.notices &- notices, job: job)
    }
}

// MARK: Modulo time and numbering

extension UploadWorld {
    static let zero = Instant(ms: 0)
    static let tick = Instant(ms: tickMs)
    static let late = Upload.OrderNumber(1)
    static let outstanding = Upload.OrderNumber(2)
    static let polling = Upload.OrderNumber(3)
    /// Beyond every number that a step can give before it takes its event.
    static let unknown = Upload.OrderNumber(9)
    static let job = Upload.EncoderJob("job")
    /// A clip of one step of progress.
    static let seal = Upload.Seal(digest: "digest", bytes: 1)

    /// The event as the machine sees it; nil for a restart.
    static func machine(_ event: Event) -> Upload.Event? {
        func order(_ number: Number) -> Upload.OrderNumber {
            switch number {
            case .cur: outstanding
            case .late: late
            case .unknown: unknown
            }
        }
        func poll(_ number: Number) -> Upload.OrderNumber { number == .cur ? polling : order(number) }
        return switch event {
        case .tick: .tick
        case .sealed: .sealed(seal)
        case .cancel: .cancel
        case .sourceGone: .sourceGone
        case .purge: .purge
        case .delete: .delete
        case .reUpload: .reUpload
        case .reEncode: .reEncode
        case .drain: .drain
        case .allow(let allowed): .allow(allowed)
        case .restart: nil
        case .progressed(let number): .progressed(order(number), bytes: 1)
        case .caughtUp(let number): .caughtUp(order(number))
        case .uploaded(let number): .uploaded(order(number))
        case .putFailed(let number, let failure): .putFailed(order(number), failure)
        case .acked(let number): .acked(order(number))
        case .ackFailed(let number): .ackFailed(order(number))
        case .encodeStarted(let number): .encodeStarted(order(number), Self.job)
        case .encodeRefused(let number, let failure): .encodeRefused(order(number), failure)
        case .polled(let number, let progress): .polled(poll(number), progress)
        case .pollFailed(let number): .pollFailed(poll(number))
        case .webhook(let number, let outcome): .webhook(order(number), outcome)
        case .discarded(let number): .discarded(order(number))
        case .discardFailed(let number, let failure): .discardFailed(order(number), failure)
        }
    }

    /// The job seen from `now`. One that is stopped has no deadlines.
    static func normal(_ job: Upload, at now: Instant) -> Upload {
        func left(_ instant: Instant) -> Instant { Instant(ms: job.stopped ? 0 : instant - now) }
        func run(_ run: Upload.Run) -> Upload.Run {
            Upload.Run(order: outstanding, job: run.job, until: Instant(ms: max(left(run.until).ms, 0)))
        }
        var normal = job
        normal.orders = outstanding.rawValue
        normal.notices = 1
        switch job.state {
        case .queuedWait(let until): normal.state = .queuedWait(until: left(until))
        case .put(_, let moved, let until): normal.state = .put(outstanding, moved: moved, until: until.map(left))
        case .ack(_, let until): normal.state = .ack(outstanding, until: left(until))
        case .ackWait(let until): normal.state = .ackWait(until: left(until))
        case .encodingWait(let until): normal.state = .encodingWait(until: left(until))
        case .start(_, let until): normal.state = .start(outstanding, until: left(until))
        case .run(let old, let pollAt): normal.state = .run(run(old), pollAt: left(pollAt))
        case .poll(_, let old, let until):
            normal.state = .poll(polling, run(old), until: left(until))
            normal.orders = polling.rawValue
        case .removingWait(let aim, let until): normal.state = .removingWait(aim, until: left(until))
        case .discard(_, let aim, let until): normal.state = .discard(outstanding, aim, until: left(until))
        case .queued, .uploadFailed, .encoding, .encodingFailed, .done, .removing, .removeFailed, .cancelled, .purged,
            .deleted:
            break
        }
        return normal
    }
}
