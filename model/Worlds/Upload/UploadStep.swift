internal import Machines

/// Where a job stands, without numbers: what the notation prints and the properties compare. Times are what is left, in
/// milliseconds; nil once the job is stopped.
struct UploadShape: Hashable {
    var phase: Upload.Phase
    var step = "-"
    var leftMs: Int64?
    var totalMs: Int64?

    init(_ phase: Upload.Phase, _ step: String = "-", leftMs: Int64? = nil, totalMs: Int64? = nil) {
        (self.phase, self.step, self.leftMs, self.totalMs) = (phase, step, leftMs, totalMs)
    }

    init(_ job: Upload) {
        phase = job.state.phase
        switch job.state {
        case .queuedWait(let until), .encodingWait(let until): (step, leftMs) = ("wait", until.ms)
        case .put(_, let until): (step, leftMs) = ("put", until.ms)
        case .ack(_, let until): (step, leftMs) = ("ack", until.ms)
        case .start(_, let until): (step, leftMs) = ("start", until.ms)
        case .run(let run, let pollAt): (step, leftMs, totalMs) = ("run", pollAt.ms, run.until.ms)
        case .poll(_, let run, let until): (step, leftMs, totalMs) = ("poll", until.ms, run.until.ms)
        case .queued, .uploadFailed, .encoding, .encodingFailed, .done, .cancelled: break
        }
        if job.stopped { (leftMs, totalMs) = (nil, nil) }
    }

    /// The encoder has been asked, or works.
    var encodes: Bool { ["start", "run", "poll"].contains(step) }
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
    /// The bound of the encoder's run is reached.
    var runIsOver: Bool { event == .tick && from.totalMs == UploadWorld.tickMs }
    /// The deadline of the step is reached, and that of the run is not.
    var isDue: Bool { event == .tick && from.leftMs == UploadWorld.tickMs && !runIsOver }
    /// An answer that nobody waits for any more, or never did.
    var stale: Upload.Ignored? {
        switch event {
        case .uploaded(let number), .putFailed(let number, _), .acked(let number), .ackFailed(let number),
            .encodeStarted(let number), .encodeRefused(let number, _), .polled(let number, _), .pollFailed(let number),
            .webhook(let number, _):
            switch number {
            case .cur: nil
            case .late: .late
            case .unknown: .unknown
            }
        case .tick, .cancel, .sourceGone, .reUpload, .reEncode, .drain, .allow, .restart: nil
        }
    }

    /// A try failed: for now, or for good.
    var failure: Upload.Failure? {
        switch event {
        case .putFailed(.cur, let failure), .encodeRefused(.cur, let failure): failure
        case .ackFailed(.cur), .polled(.cur, .failed), .webhook(.cur, .failed): .again
        case .tick where runIsOver || isDue && ["put", "ack", "start"].contains(from.step): .again
        default: nil
        }
    }

    /// There is another try after it.
    var triesAgain: Bool { failure == .again && before.tries < timing.retries }
    /// The encoder has finished, by poll or by webhook.
    var finishes: Bool { event == .polled(.cur, .finished) || event == .webhook(.cur, .finished) }
    /// The file is still needed: it is not there, or not wholly.
    var needsSource: Bool { from.phase == .queued || from.step == "put" || from.phase == .uploadFailed }
    /// The job ends by order.
    var cancels: Bool {
        if before.stopped { return false }
        return event == .cancel && from.phase != .done && from.phase != .cancelled
            || event == .sourceGone && needsSource
    }

    /// What must be answered to what does not fit, if it does not.
    var refusal: Upload.Effect? {
        if before.stopped { return event == .tick || restarts ? nil : .ignored(.stopped) }
        if let stale { return .ignored(stale) }
        switch event {
        case .allow(let allowed): return allowed == before.allowed ? .ignored(.duplicate) : nil
        case .cancel where from.phase == .done: return .refused(.done)
        case .cancel where from.phase == .cancelled: return .refused(.cancelled)
        case .sourceGone where !needsSource: return .ignored(.notNeeded)
        case .reUpload where from.phase != .uploadFailed: return .refused(.notFailed)
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
