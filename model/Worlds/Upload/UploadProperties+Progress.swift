internal import Explorer
internal import Machines

// How a job goes on, what it comes to, and the cases that the properties speak of.
extension UploadWorld {
    static let progress: [Property<UploadWorld>] = [
        // S16 too: another try comes only after that wait.
        steps("L8 a failed try is followed by another after a longer wait, at last by failing") { step in
            guard let failure = step.failure else { return true }
            let uploads = step.from.phase == .uploading
            if failure == .again, step.before.tries < step.timing.retries {
                let wait = step.waitMs(after: step.before.tries + 1)
                return step.to == UploadShape(uploads ? .queued : .encoding, "wait", leftMs: wait)
            }
            return step.to == UploadShape(uploads ? .uploadFailed : .encodingFailed)
        },
        steps("L8 failed tries are counted while one kind of work goes on") { step in
            if step.failure != nil { return step.after.tries == (step.triesAgain ? step.before.tries + 1 : 0) }
            let anew = step.cancels || step.finishes || step.event == .acked(.cur)
            return step.after.tries == (step.restarts ? step.found.tries : anew ? 0 : step.before.tries)
        },
        steps("L8 after a wait the work goes on; the encoder is polled again and again") { step in
            guard step.isDue, step.failure == nil else { return true }
            switch step.from.step {
            case "wait": return step.to == (step.from.phase == .queued ? step.sending : step.asking)
            case "run":
                return step.to
                    == UploadShape(.encoding, "poll", leftMs: step.timing.answerMs, totalMs: step.restOfRun)
            default: return step.to == step.running
            }
        },
        steps("L8 each answer brings the work on") { step in
            switch step.event {
            case .uploaded(.cur):
                return step.to == UploadShape(.uploading, "ack", leftMs: step.timing.answerMs)
            case .acked(.cur): return step.to == (step.before.encode ? step.asking : UploadShape(.done))
            case .encodeStarted(.cur), .polled(.cur, .running), .pollFailed(.cur): return step.to == step.running
            default: return !step.finishes || step.to == UploadShape(.done)
            }
        },
        steps("L8 orders to the job are followed") { step in
            if step.refusal != nil { return true }
            switch step.event {
            case .cancel, .sourceGone: return step.to == UploadShape(.cancelled)
            case .reUpload: return step.to == step.sending
            case .reEncode: return step.to == step.asking
            case .allow(true): return step.to == (step.from == UploadShape(.queued) ? step.sending : step.from)
            case .allow(false): return step.to == (step.from.step == "put" ? UploadShape(.queued) : step.from)
            case .drain: return step.to == step.drained
            default: return true
            }
        },
        steps("L8 else only time goes on") { step in
            guard step.event == .tick, step.failure == nil, !step.isDue else { return true }
            var rest = step.from
            if let left = rest.leftMs { rest.leftMs = left - tickMs }
            rest.totalMs = step.restOfRun
            return step.to == rest
        },
        steps("L8 a job goes on after a restart where its record says") { step in
            guard step.restarts else { return true }
            switch step.found.phase {
            case .queued, .uploading: return step.to == UploadShape(.queued)
            case .encoding:
                let again = UploadShape(.encoding, "wait", leftMs: step.waitMs(after: 1))
                let running = UploadShape(
                    .encoding, "run", leftMs: step.timing.pollMs, totalMs: step.timing.runMs)
                return step.to == (step.found.job == nil ? again : running)
            case .uploadFailed, .encodingFailed, .done, .cancelled: return step.to == UploadShape(step.found.phase)
            }
        },
        Property("L8 tries are bounded", .always { $0.job.tries <= $0.job.timing.retries }),
        Property(
            "L8 whatever is waited for has its bound",
            .always { state in
                let shape = UploadShape(state.job)
                return state.job.stopped || (shape.step != "-") == (state.job.nextDeadline != nil)
            }),
    ]

    // MARK: Liveness

    /// F-time of model/README.md.
    private static var timePasses: Fairness<Action> {
        Fairness(
            .weak, "F-time",
            because: "the shell steps each machine at its next deadline; the watchdog restarts a process that does not"
        ) { $0.event == .tick }
    }

    /// What is asked where uploads stay allowed and the job is left to run, whatever the cloud answers or does not answer.
    public static let liveProperties: [Property<UploadWorld>] = [
        Property(
            "L8 a job ends: done, failed or cancelled",
            .leadsTo(
                { $0.job.allowed && !isOver($0.job.state.phase) }, { isOver($0.job.state.phase) },
                fairness: { _ in [timePasses] })),
        Property(
            "L8 a transfer ends",
            .leadsTo(
                { $0.job.state.phase == .uploading }, { $0.job.state.phase != .uploading },
                fairness: { _ in [timePasses] })),
    ]

    private static func isOver(_ phase: Upload.Phase) -> Bool {
        switch phase {
        case .done, .cancelled, .uploadFailed, .encodingFailed: true
        case .queued, .uploading, .encoding: false
        }
    }
}

extension UploadStep {
    /// The wait after so many failed tries: doubled with each, up to its bound.
    fileprivate func waitMs(after tries: UInt8) -> Int64 {
        min(timing.backoffMs << Int64(tries - 1), timing.backoffMaxMs)
    }

    /// The transfer begins, or waits until it may.
    fileprivate var sending: UploadShape {
        after.allowed ? UploadShape(.uploading, "put", leftMs: timing.putMs) : UploadShape(.queued)
    }

    /// The encoder is asked.
    fileprivate var asking: UploadShape { UploadShape(.encoding, "start", leftMs: timing.answerMs) }

    /// The encoder works; it is polled after a while.
    fileprivate var running: UploadShape {
        UploadShape(.encoding, "run", leftMs: timing.pollMs, totalMs: from.step == "start" ? timing.runMs : restOfRun)
    }

    /// What is left of the bound of the encoder's run.
    fileprivate var restOfRun: Int64? { from.totalMs.map { $0 - (event == .tick ? UploadWorld.tickMs : 0) } }

    /// Where a drain leaves the job: a transfer is no more, an acknowledgement and a run of the encoder go on outside.
    fileprivate var drained: UploadShape {
        switch from.step {
        case "put": UploadShape(.queued)
        case "ack": UploadShape(.uploading, "ack")
        case "run", "poll": UploadShape(.encoding, "run")
        default: UploadShape(from.phase)
        }
    }
}
