import Machines

/// Where a job stands, without numbers: what the notation prints and the properties compare. Times are what is left, in
/// milliseconds; nil once the job is stopped.
struct UploadShape: Hashable {
    var phase: Upload.Phase
    var step = "-"
    var leftMs: Int64?
    var totalMs: Int64?
    var moved = false
    var aim: Upload.Aim?

    init(
        _ phase: Upload.Phase, _ step: String = "-", leftMs: Int64? = nil, totalMs: Int64? = nil, moved: Bool = false,
        aim: Upload.Aim? = nil
    ) {
        (self.phase, self.step, self.leftMs, self.totalMs) = (phase, step, leftMs, totalMs)
        (self.moved, self.aim) = (moved, aim)
    }

    init(_ job: Upload) {
        phase = job.state.phase
        aim = job.state.aim
        switch job.state {
        case .queuedWait(let until), .encodingWait(let until), .removingWait(_, let until):
            (step, leftMs) = ("wait", until.ms)
        case .put(_, let moved, let until): (step, leftMs, self.moved) = ("put", until?.ms, moved > 0)
        case .ack(_, let until): (step, leftMs) = ("ack", until.ms)
        case .ackWait(let until): (step, leftMs) = ("ackWait", until.ms)
        case .start(_, let until): (step, leftMs) = ("start", until.ms)
        case .run(let run, let pollAt): (step, leftMs, totalMs) = ("run", pollAt.ms, run.until.ms)
        case .poll(_, let run, let until): (step, leftMs, totalMs) = ("poll", until.ms, run.until.ms)
        case .discard(_, _, let until): (step, leftMs) = ("discard", until.ms)
        case .queued, .uploadFailed, .encoding, .encodingFailed, .done, .removing, .removeFailed, .cancelled, .purged,
            .deleted:
            break
        }
        if job.stopped { (leftMs, totalMs) = (nil, nil) }
    }

    /// The encoder has been asked, or works.
    var encodes: Bool { ["start", "run", "poll"].contains(step) }
    /// The acknowledgement is written, or will be.
    var acknowledges: Bool { step == "ack" || step == "ackWait" }
}

/// One step as the properties look at it.
struct UploadStep {
    let source: UploadWorld.State
    let event: UploadWorld.Event
    let effects: [Upload.Effect]
    let target: UploadWorld.State

    init(_ source: UploadWorld.State, _ label: UploadWorld.Action, _ target: UploadWorld.State) {
        (self.source, event, effects, self.target) = (source, label.event, label.effects, target)
    }

    var before: Upload { source.job }
    var after: Upload { target.job }
    var from: UploadShape { UploadShape(source.job) }
    var to: UploadShape { UploadShape(target.job) }
    var timing: Upload.Timing { before.timing }

    // MARK: What happened

    var restarts: Bool { if case .restart = event { true } else { false } }
    var drains: Bool { event == .drain && !before.stopped }
    /// The bound of the encoder's run has been reached.
    var runIsOver: Bool { from.totalMs == 0 }
    /// The deadline of the step is reached.
    var isDue: Bool { event == .tick && from.leftMs == UploadWorld.tickMs }
    /// An answer that nobody waits for any more, or never did.
    var stale: Upload.Ignored? {
        switch event {
        case .progressed(let number), .caughtUp(let number), .uploaded(let number), .putFailed(let number, _),
            .acked(let number), .ackFailed(let number), .encodeStarted(let number), .encodeRefused(let number, _),
            .polled(let number, _), .pollFailed(let number), .webhook(let number, _), .discarded(let number),
            .discardFailed(let number, _):
            switch number {
            case .cur: nil
            case .late: .late
            case .unknown: .unknown
            }
        case .tick, .sealed, .cancel, .sourceGone, .purge, .delete, .reUpload, .reEncode, .drain, .allow, .restart: nil
        }
    }

    private var failure: Upload.Failure? {
        switch event {
        case .putFailed(.cur, let failure), .encodeRefused(.cur, let failure), .discardFailed(.cur, let failure):
            failure
        case .polled(.cur, .failed), .webhook(.cur, .failed): .again
        case .polled(.cur, .running): runIsOver ? .again : nil
        default: nil
        }
    }

    /// A try was refused: for now, or for good.
    var refused: Upload.Failure? { failure == .again || failure == .final ? failure : nil }
    /// Nobody answered in time, or asked to wait, or the catalog did not take the acknowledgement.
    var outage: Bool {
        failure == .unreachable || failure == .busy || event == .ackFailed(.cur)
            || isDue && ["put", "ack", "start", "discard"].contains(from.step)
    }
    /// There is another try after it.
    var triesAgain: Bool { refused == .again && before.tries < timing.retries }
    /// The encoder has finished, by poll or by webhook.
    var finishes: Bool { event == .polled(.cur, .finished) || event == .webhook(.cur, .finished) }
    /// The file is still needed: it is not there, or not wholly.
    var needsSource: Bool { from.phase == .queued || from.step == "put" || from.phase == .uploadFailed }

    /// The end that is ordered, if the order is followed.
    var asked: Upload.Aim? {
        if before.stopped || refusal != nil { return nil }
        return switch event {
        case .cancel, .sourceGone: .cancelled
        case .purge: .purged
        case .delete: .deleted
        default: nil
        }
    }

    /// The clip is closed with this event.
    var seals: Bool { event == .sealed && !before.stopped && refusal == nil }

    /// What must be answered to what does not fit, if it does not.
    var refusal: Upload.Effect? {
        if before.stopped { return event == .tick || restarts ? nil : .ignored(.stopped) }
        if let stale { return .ignored(stale) }
        let isSealed = before.seal != nil
        switch event {
        case .progressed: return from.moved ? .ignored(.noProgress) : nil
        case .caughtUp: return isSealed ? .ignored(.notNeeded) : from.leftMs == nil ? .ignored(.duplicate) : nil
        case .uploaded: return isSealed ? nil : .ignored(.notSealed)
        case .sealed where isSealed: return .ignored(.duplicate)
        case .sealed: return from.phase == .cancelled || from.phase == .deleted ? .ignored(.notNeeded) : nil
        case .allow(let allowed): return allowed == before.allowed ? .ignored(.duplicate) : nil
        case .cancel where from.phase == .done: return .refused(.done)
        case .cancel where from.phase == .cancelled: return .refused(.cancelled)
        case .cancel where [.removing, .purged, .deleted].contains(from.phase): return .refused(.removed)
        case .purge where from.phase == .removing: return .ignored(.duplicate)
        case .purge where !before.sent: return .ignored(.notNeeded)
        case .delete where from.phase == .deleted: return .ignored(.duplicate)
        case .delete where from.phase == .removing && from.aim == .deleted: return .ignored(.duplicate)
        case .sourceGone where !needsSource: return .ignored(.notNeeded)
        case .reUpload where from.phase != .uploadFailed && from.phase != .purged: return .refused(.notFailed)
        case .reEncode where from.phase != .encodingFailed: return .refused(.notFailed)
        default: return nil
        }
    }

    /// What a restart finds.
    var found: Upload.Record {
        if event == .restart(kept: true), let pending = source.pending { return pending }
        return source.durable
    }

    /// The effects of this kind are exactly these.
    func orders(_ wanted: [Upload.Effect], among kind: (Upload.Effect) -> Bool) -> Bool {
        effects.filter(kind) == wanted
    }
}
