internal import Explorer
internal import Machines

// What is told once, what an open clip allows, what a removal owes.
extension UploadWorld {
    static let keeping: [Property<UploadWorld>] = [
        // S17. The stage in the record is that of the job; the notice is written with it.
        Property(
            "S17 the last stage told is where the job is",
            .always { state in
                let phase = state.job.state.phase
                return state.job.stage == phase || phase == .queued && state.job.stage == .uploading
            }),
        steps("S17 each stage is told with the record that says so, and nothing else is") { step in
            if step.restarts || step.event == .acked(.cur) { return step.saved.isEmpty }
            let told = step.saved.compactMap { $0.notice }
            return told.map(\.stage) == (step.after.stage == step.before.stage ? [] : [step.after.stage])
        },
        steps("S17 no notice has the number of one that may be durable") { step in
            let known = max(step.before.notices, step.source.pending?.notices ?? 0)
            return step.saved.allSatisfy { saved in
                saved.notice.map { $0.number == known + 1 && saved.record.notices == $0.number }
                    ?? (saved.record.notices == step.before.notices)
            }
        },
        steps("S17 a restart tells nothing anew, and forgets nothing that was told") { step in
            !step.restarts || step.after.stage == step.found.stage
        },
        // S18. An open clip is neither uploaded nor counted.
        Property(
            "S18 while the clip is open its upload does not end",
            .always { $0.job.seal != nil || !$0.job.counted && !UploadShape($0.job).acknowledges }),
        steps(restating: "S18 a clip that is closed stays so, with the digest that it got") { step in
            step.after.seal == (step.before.seal ?? (step.seals ? seal : nil))
        },
        // S19. Outages cost nothing but time.
        steps("S19 only what is refused counts as a try") { step in
            step.after.tries <= step.before.tries || step.refused != nil && step.after.tries == step.before.tries + 1
        },
        steps("S19 only what is refused fails a job") { step in
            let failed: Set<Upload.Phase> = [.uploadFailed, .encodingFailed, .removeFailed]
            return step.from.phase == step.to.phase || !failed.contains(step.to.phase) || step.refused != nil
        },
        steps(restating: "S19 the waits of an outage grow until something answers or moves") { step in
            step.after.outages == step.outagesAfter
        },
        // S20. What was sent is known until it is gone.
        steps("S20 what was sent is remembered until its removal is confirmed") { step in
            step.after.sent == ((step.before.sent || step.to.step == "put") && step.event != .discarded(.cur))
        },
        Property(
            "S20 what is being removed, or is gone, does not count",
            .always { state in
                switch state.job.state.phase {
                case .removing, .removeFailed, .purged, .deleted: !state.job.counted
                default: true
                }
            }),
        Property(
            "S20 a job that is cancelled, purged or deleted has left nothing that does not count",
            .always { state in
                switch state.job.state.phase {
                case .cancelled, .purged, .deleted: state.job.sent == state.job.counted
                default: true
                }
            }),
        steps("S20 what was removed is sent again only if somebody asks, and what was deleted never") { step in
            let removed: Set<Upload.Phase> = [.removing, .removeFailed, .purged, .deleted, .cancelled]
            guard removed.contains(step.from.phase), !removed.contains(step.to.phase) else { return true }
            return step.from.phase == .purged && step.event == .reUpload
        },
        steps("D9 a person's deletion is followed from every state, and never weakened") { step in
            if step.from.aim == .deleted { return step.to.aim == .deleted || step.to.phase == .deleted }
            guard step.event == .delete, !step.before.stopped else { return true }
            return step.to.phase == .deleted || step.to.phase == .removing && step.to.aim == .deleted
        },
        steps("D10 a transfer is known to be there before it begins") { step in
            guard step.effects.contains(where: { if case .put = $0 { true } else { false } }) else { return true }
            return step.target.durable.sent
        },
    ]
}

extension UploadStep {
    /// How long the waits must have become.
    fileprivate var outagesAfter: UInt8 {
        if outage {
            let grows = before.outages == 0 || waitMs(after: before.outages) < timing.backoffMaxMs
            return before.outages + (grows ? 1 : 0)
        }
        if restarts || drains || refused != nil || asked != nil && from.phase != .removing { return 0 }
        if refusal != nil { return before.outages }
        switch event {
        case .progressed, .caughtUp, .uploaded, .acked, .encodeStarted, .discarded: return 0
        default: return finishes ? 0 : before.outages
        }
    }
}
