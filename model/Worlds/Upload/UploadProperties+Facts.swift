internal import Explorer
internal import Machines

// What the rules say of any fact, told without the job's tables.
extension UploadWorld {
    static let facts: [Property<UploadWorld>] = [
        steps("L8 what is ordered to end has ended, or is being removed") { step in
            guard [.cancel, .sourceGone, .purge, .delete].contains(step.event), step.isTaken else { return true }
            return [.removing, .cancelled, .purged, .deleted].contains(step.to.phase)
        },
        steps("L8 what is refused for now fails a job only when all its tries are spent") { step in
            let failed: Set<Upload.Phase> = [.uploadFailed, .encodingFailed, .removeFailed]
            guard step.refused == .again, step.from.phase != step.to.phase else { return true }
            return !failed.contains(step.to.phase) || step.before.tries >= step.timing.retries
        },
        steps("S16 outages in a row are counted, so that no wait is shorter than the one before") { step in
            !step.outage || step.after.outages > 0 && step.after.outages >= step.before.outages
        },
        steps("S15 an acknowledgement that fails is made again, and nothing is sent") { step in
            let isOwed = ["ack", "ackWait"].contains(step.from.step) && (step.outage || step.isDue)
            return !isOwed || ["ack", "ackWait"].contains(step.to.step)
        },
        steps("S19 a transfer that moves has all its time again") { step in
            step.event != .progressed(.cur) || !step.isTaken || step.to.leftMs == step.timing.progressMs
        },
        steps("S18 a clip is closed once") { step in
            step.event != .sealed || step.before.stopped || step.before.seal == nil
                || step.effects == [.ignored(.duplicate)]
        },
        steps("S9 what comes and changes nothing is answered") { step in
            step.event == .tick || step.restarts || step.target != step.source || !step.effects.isEmpty
        },
        steps("S9 a tick before every deadline is nothing but time, and one that has come changes something") { step in
            guard step.event == .tick, let left = step.from.leftMs else { return true }
            if left > tickMs { return step.effects.isEmpty && step.from.step == step.to.step }
            return step.from.step != step.to.step || step.from.phase != step.to.phase
        },
        steps("S10 work that begins was ordered, once, and none is ordered that does not") { step in
            func count(_ kind: (Upload.Effect) -> Bool) -> Int { step.effects.count(where: kind) }
            let begun =
                step.restarts || step.from.step == step.to.step && step.from.phase == step.to.phase
                ? "-" : step.to.step
            return count { if case .put = $0 { true } else { false } } == (begun == "put" ? 1 : 0)
                && count { if case .recordAck = $0 { true } else { false } } == (begun == "ack" ? 1 : 0)
                && count { if case .encode = $0 { true } else { false } } == (begun == "start" ? 1 : 0)
                && count { if case .poll = $0 { true } else { false } } == (begun == "poll" ? 1 : 0)
                && count { if case .discard = $0 { true } else { false } } == (begun == "discard" ? 1 : 0)
        },
        steps("S10 what is durable is what was saved last") { step in
            guard !step.restarts, step.event != .acked(.cur) else { return true }
            let saved = step.saved.last?.record ?? step.source.durable
            return saved.isLike(step.target.durable)
        },
        steps("S15 the end of a plan breaks off a transfer, and nothing else") { step in
            step.event != .allow(false) || step.from.step == "put" || step.to == step.from
        },
        steps("S19 an outage neither costs a try nor gives one back") { step in
            !step.outage || step.after.tries == step.before.tries
        },
        steps("L8 a restart gives no try back") { step in
            !step.restarts || step.after.tries == min(step.found.tries, step.timing.retries)
        },
        steps("L8 the encoder's end counts, by webhook too") { step in
            !step.finishes || step.before.stopped || step.to.phase == .done
        },
        steps("L8 a clip that is gone ends a job that has yet to send it") { step in
            let isToBeSent = [.queued, .uploadFailed].contains(step.from.phase) || step.from.step == "put"
            guard step.event == .sourceGone, !step.before.stopped, isToBeSent else { return true }
            return [.removing, .cancelled].contains(step.to.phase)
        },
        steps("L10 a purge takes what was sent, whether it counts or not") { step in
            guard step.event == .purge, !step.before.stopped, step.before.sent else { return true }
            return [.removing, .purged, .deleted].contains(step.to.phase)
        },
        Property("S18 the digest that is fixed is durable", .always { $0.durable.seal == $0.job.seal }),
    ]
}

extension UploadStep {
    /// It was neither ignored nor refused.
    fileprivate var isTaken: Bool {
        !before.stopped
            && !effects.contains {
                switch $0 {
                case .ignored, .refused: true
                default: false
                }
            }
    }
}

extension Upload.Record {
    /// It says the same, but for the number of its notice, which the world counts anew.
    fileprivate func isLike(_ other: Self) -> Bool {
        phase == other.phase && tries == other.tries && sent == other.sent && counted == other.counted
            && seal == other.seal && aim == other.aim && stage == other.stage && job == other.job
    }
}
