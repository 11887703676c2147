internal import Explorer
internal import Machines

// How a job goes on, and what it comes to.
extension UploadWorld {
    static let progress: [Property<UploadWorld>] = [
        // S16 too: another try comes only after that wait.
        steps(restating: "L8 a refused try is followed by another after a longer wait, at last by failing") { step in
            guard step.refused != nil else { return true }
            if step.triesAgain { return step.to == step.waiting(after: step.before.tries + 1) }
            switch step.from.phase {
            case .encoding: return step.to == UploadShape(.encodingFailed)
            case .removing: return step.to == UploadShape(.removeFailed, aim: step.from.aim)
            default: return step.to == UploadShape(.uploadFailed)
            }
        },
        steps(restating: "L8 an outage is followed by the same work after a wait") { step in
            !step.outage || step.to == step.waiting(after: step.after.outages)
        },
        steps(restating: "L8 refused tries are counted while one kind of work goes on") { step in
            if step.refused != nil { return step.after.tries == (step.triesAgain ? step.before.tries + 1 : 0) }
            let ends = step.asked != nil && step.from.phase != .removing
            let anew = ends || step.finishes || step.event == .acked(.cur) || step.event == .discarded(.cur)
            return step.after.tries == (step.restarts ? step.found.tries : anew ? 0 : step.before.tries)
        },
        steps(restating: "L8 after a wait the work goes on; the encoder is polled again and again") { step in
            guard step.isDue, !step.outage else { return true }
            switch (step.from.step, step.from.phase) {
            case ("wait", .queued): return step.to == step.sending
            case ("wait", .encoding): return step.to == step.asking
            case ("wait", _): return step.to == step.discarding(step.from.aim)
            case ("ackWait", _): return step.to == UploadShape(.uploading, "ack", leftMs: step.timing.answerMs)
            case ("run", _):
                return step.to
                    == UploadShape(.encoding, "poll", leftMs: step.timing.answerMs, totalMs: step.restOfRun)
            default: return step.to == step.running
            }
        },
        steps(restating: "L8 each answer brings the work on") { step in
            if step.refusal != nil || step.refused != nil { return true }
            switch step.event {
            case .progressed(.cur):
                return step.to == UploadShape(.uploading, "put", leftMs: step.timing.progressMs, moved: true)
            case .caughtUp(.cur): return step.to == UploadShape(.uploading, "put", moved: step.from.moved)
            case .uploaded(.cur):
                return step.to == UploadShape(.uploading, "ack", leftMs: step.timing.answerMs)
            case .acked(.cur): return step.to == (step.before.encode ? step.asking : UploadShape(.done))
            case .encodeStarted(.cur), .polled(.cur, .running), .pollFailed(.cur): return step.to == step.running
            case .discarded(.cur): return step.to == UploadShape(step.from.aim?.phase ?? .cancelled)
            default: return !step.finishes || step.to == UploadShape(.done)
            }
        },
        steps(restating: "L8 orders to the job are followed") { step in
            if step.refusal != nil { return true }
            if let asked = step.asked { return step.to == step.ending(asked) }
            switch step.event {
            case .sealed where step.seals:
                var shape = step.from
                if shape.step == "put", shape.leftMs == nil { shape.leftMs = step.timing.progressMs }
                return step.to == shape
            case .reUpload: return step.to == step.sending
            case .reEncode: return step.to == step.asking
            case .allow(true): return step.to == (step.from == UploadShape(.queued) ? step.sending : step.from)
            case .allow(false): return step.to == (step.from.step == "put" ? UploadShape(.queued) : step.from)
            case .drain: return step.to == step.drained
            default: return true
            }
        },
        steps(restating: "L8 else only time goes on") { step in
            guard step.event == .tick, !step.isDue else { return true }
            var rest = step.from
            if let left = rest.leftMs { rest.leftMs = left - tickMs }
            rest.totalMs = step.restOfRun
            return step.to == rest
        },
        steps(restating: "L8 a job goes on after a restart where its record says") { step in
            guard step.restarts else { return true }
            let wait = step.waitMs(after: 1)
            switch step.found.phase {
            case .queued, .uploading: return step.to == UploadShape(.queued)
            case .encoding:
                let running = UploadShape(
                    .encoding, "run", leftMs: step.timing.pollMs, totalMs: step.timing.runMs)
                return step.to
                    == (step.found.job == nil ? UploadShape(.encoding, "wait", leftMs: wait) : running)
            case .removing: return step.to == UploadShape(.removing, "wait", leftMs: wait, aim: step.found.aim)
            case .removeFailed: return step.to == UploadShape(.removeFailed, aim: step.found.aim)
            case .uploadFailed, .encodingFailed, .done, .cancelled, .purged, .deleted:
                return step.to == UploadShape(step.found.phase)
            }
        },
        Property("L8 tries are bounded", .always { $0.job.tries <= $0.job.timing.retries }),
        Property(
            "L8 whatever is waited for has its bound, but a clip that is open",
            .always { state in
                let shape = UploadShape(state.job)
                let waitsForClip = shape.step == "put" && state.job.seal == nil
                return state.job.stopped || waitsForClip || (shape.step != "-") == (state.job.nextDeadline != nil)
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

    /// F-answer of model/README.md: in this world an answer comes before the last tick of its bound, so time goes on with it.
    private static var timeOrAnswer: Fairness<Action> {
        Fairness(
            .weak, "F-answer",
            because: "a cloud that can be reached answers or takes bytes, and the catalog commits, within the bound"
        ) { label in
            switch label.event {
            case .tick, .progressed(.cur), .caughtUp(.cur), .uploaded(.cur), .putFailed(.cur, _), .acked(.cur),
                .encodeStarted(.cur), .encodeRefused(.cur, _), .polled(.cur, _), .webhook(.cur, _), .discarded(.cur),
                .discardFailed(.cur, _):
                !label.effects.contains { if case .ignored = $0 { true } else { false } }
            default: false
            }
        }
    }

    /// What is asked where uploads stay allowed and the job is left to run, whatever the cloud answers.
    public static let liveProperties: [Property<UploadWorld>] = [
        Property(
            "L8 a job ends: done, failed, cancelled, purged or deleted",
            .leadsTo(
                { isOwed($0.job) }, { isOver($0.job.state.phase) }, fairness: { _ in [timePasses, timeOrAnswer] })),
        Property(
            "L8 a transfer ends",
            .leadsTo(
                { $0.job.state.phase == .uploading && $0.job.seal != nil }, { $0.job.state.phase != .uploading },
                fairness: { _ in [timePasses, timeOrAnswer] })),
        Property(
            "L10 a removal is confirmed, or told as failed",
            .leadsTo(
                { $0.job.state.phase == .removing }, { $0.job.state.phase != .removing },
                fairness: { _ in [timePasses, timeOrAnswer] })),
    ]

    /// What is asked where nothing need answer.
    public static let outageProperties: [Property<UploadWorld>] = [
        Property(
            "L8 an outage is waited for, and then the work goes on",
            .leadsTo(
                { ["wait", "ackWait"].contains(UploadShape($0.job).step) },
                { !["wait", "ackWait"].contains(UploadShape($0.job).step) }, fairness: { _ in [timePasses] }))
    ]

    private static func isOwed(_ job: Upload) -> Bool {
        switch job.state.phase {
        case .queued, .uploading: job.allowed && job.seal != nil
        case .encoding: true
        default: false
        }
    }

    private static func isOver(_ phase: Upload.Phase) -> Bool {
        switch phase {
        case .done, .cancelled, .uploadFailed, .encodingFailed, .removeFailed, .purged, .deleted: true
        case .queued, .uploading, .encoding, .removing: false
        }
    }
}

extension UploadStep {
    /// The wait after so many failed tries or outages: doubled with each, up to its bound.
    func waitMs(after count: UInt8) -> Int64 { min(timing.backoffMs << Int64(count - 1), timing.backoffMaxMs) }

    /// The same work waits.
    fileprivate func waiting(after count: UInt8) -> UploadShape {
        let left = count == 0 ? 0 : waitMs(after: count)
        if from.acknowledges { return UploadShape(.uploading, "ackWait", leftMs: left) }
        return UploadShape(from.phase == .uploading ? .queued : from.phase, "wait", leftMs: left, aim: from.aim)
    }

    /// The transfer begins, or waits until it may.
    fileprivate var sending: UploadShape {
        after.allowed ? UploadShape(.uploading, "put", leftMs: timing.progressMs) : UploadShape(.queued)
    }

    /// The encoder is asked.
    fileprivate var asking: UploadShape { UploadShape(.encoding, "start", leftMs: timing.answerMs) }

    /// What was sent is being removed.
    fileprivate func discarding(_ aim: Upload.Aim?) -> UploadShape {
        UploadShape(.removing, "discard", leftMs: timing.answerMs, aim: aim)
    }

    /// What an order to end leads to: at once where nothing is there, or where what counts may stay.
    fileprivate func ending(_ asked: Upload.Aim) -> UploadShape {
        switch from.phase {
        case .removing:
            var shape = from
            shape.aim = asked
            return shape
        case .removeFailed:
            let order: [Upload.Aim] = [.cancelled, .purged, .deleted]
            return discarding(order.last { $0 == asked || $0 == from.aim })
        default:
            let stays = !before.sent || asked == .cancelled && before.counted
            return stays ? UploadShape(asked.phase) : discarding(asked)
        }
    }

    /// The encoder works; it is polled after a while.
    fileprivate var running: UploadShape {
        UploadShape(.encoding, "run", leftMs: timing.pollMs, totalMs: from.step == "start" ? timing.runMs : restOfRun)
    }

    /// What is left of the bound of the encoder's run.
    fileprivate var restOfRun: Int64? {
        from.totalMs.map { max($0 - (event == .tick ? UploadWorld.tickMs : 0), 0) }
    }

    /// Where a drain leaves the job: a transfer is no more, an acknowledgement and a run of the encoder go on outside.
    fileprivate var drained: UploadShape {
        switch from.step {
        case "put", "ackWait": UploadShape(.queued)
        case "ack": UploadShape(.uploading, "ack")
        case "run", "poll": UploadShape(.encoding, "run")
        default: UploadShape(from.phase, aim: from.aim)
        }
    }
}

extension Upload.Aim {
    /// The phase of a job that has ended so.
    var phase: Upload.Phase {
        switch self {
        case .cancelled: .cancelled
        case .purged: .purged
        case .deleted: .deleted
        }
    }
}
