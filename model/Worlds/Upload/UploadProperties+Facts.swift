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
