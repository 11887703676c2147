internal import Explorer
internal import Machines

// What must hold of a job in every world: what it owes, what it tells, what it counts.
extension UploadWorld {
    /// What is asked in every world.
    public static let properties: [Property<UploadWorld>] = duties + counting + keeping + progress + facts

    static func steps(
        _ name: String, _ holds: @escaping @Sendable (UploadStep) -> Bool
    ) -> Property<UploadWorld> {
        Property(name, .steps { holds(UploadStep($0, $1, $2)) })
    }

    static func steps(
        restating name: String, _ holds: @escaping @Sendable (UploadStep) -> Bool
    ) -> Property<UploadWorld> {
        Property(restating: name, .steps { holds(UploadStep($0, $1, $2)) })
    }

    static let duties: [Property<UploadWorld>] = [
        Property("S8 once stopped nothing is due", .always { !$0.job.stopped || $0.job.nextDeadline == nil }),
        Property(
            "S8 once stopped nothing is under way",
            .always {
                !$0.job.stopped
                    || !["wait", "ackWait", "put", "start", "poll", "discard"].contains(UploadShape($0.job).step)
            }),
        steps("S8 once stopped nothing happens until a restart") { step in
            if !step.before.stopped || step.restarts { return true }
            return step.target == step.source && step.effects == (step.event == .tick ? [] : [.ignored(.stopped)])
        },
        steps("S9 a late or unknown answer is ignored as what it is") { step in
            step.before.stopped
                || step.stale.map { step.effects == [.ignored($0)] && step.target == step.source } ?? true
        },
        steps("S9 what is ignored or refused changes nothing") { step in
            !step.effects.contains {
                switch $0 {
                case .ignored, .refused: true
                default: false
                }
            } || step.effects.count == 1 && step.target == step.source
        },
        steps("S8 a drain stops, and nothing else does") { step in
            step.orders(step.drains ? [.stopped] : []) { $0 == .stopped }
                && step.after.stopped == (step.drains || step.before.stopped && !step.restarts)
        },
        steps(
            restating:
                "S9 what does not fit is ignored or refused for its reason and changes nothing; all else is taken"
        ) {
            step in
            if let refusal = step.refusal { return step.effects == [refusal] && step.target == step.source }
            return step.orders([]) {
                switch $0 {
                case .ignored, .refused: true
                default: false
                }
            }
        },
        steps("S10 a transfer is aborted exactly when it is given up") { step in
            let aborts = !step.restarts && step.from.step == "put" && step.to.phase != .uploading
            return step.orders(aborts ? [.abortPut(outstanding)] : []) {
                if case .abortPut = $0 { true } else { false }
            }
        },
        steps("S10 the encoder is called off exactly when its work is given up, and never by a drain") { step in
            let calledOff =
                !step.restarts && !step.drains && step.from.encodes && !step.to.encodes && step.to.phase != .done
            return step.orders(calledOff ? [.cancelEncode(outstanding)] : []) {
                if case .cancelEncode = $0 { true } else { false }
            }
        },
        steps("S10 what was encoded goes exactly when a person ends the encoding of a clip that stays there") { step in
            let encoding = [.encoding, .encodingFailed].contains(step.from.phase) && !step.before.stopped
            return step.orders(step.event == .cancel && encoding ? [.dropEncoded] : []) { $0 == .dropEncoded }
        },
        steps(restating: "S10 what is under way was ordered with a new number, and all else was not") { step in
            step.orders(step.ordered.map { [$0] } ?? []) {
                switch $0 {
                case .put, .recordAck, .encode, .poll, .discard: true
                default: false
                }
            }
        },
        steps("S10 orders come in their order: called off, durable, released, ordered, told") { step in
            zip(step.effects, step.effects.dropFirst()).allSatisfy { rank($0) < rank($1) }
        },
        steps(restating: "S10 a change of the record is made durable, unless it is the acknowledgement that was") {
            step in
            let changes = !step.isSame && step.event != .acked(.cur) && !step.restarts
            let saved = step.saved
            return saved.count == (changes ? 1 : 0)
                && saved.allSatisfy { $0.record == step.written(notices: $0.record.notices) }
        },
        Property("S10 what is durable is what is so", .always { $0.durable == $0.job.record }),
        steps("S11 the phase is reported exactly when it has changed") { step in
            let changes = step.from.phase != step.to.phase && !step.restarts
            return step.orders(changes ? [.report(step.to.phase)] : []) { if case .report = $0 { true } else { false } }
        },
        steps("S12 what is removed is removed by the rule of its order, and the rule is named") { step in
            step.effects.allSatisfy {
                guard case .discard(_, let rule) = $0 else { return true }
                switch step.to.aim {
                case .cancelled: return rule == .cancelled
                case .purged: return rule == .planRetention
                case .deleted: return rule == .deleted
                case nil: return false
                }
            }
        },
    ]

    static let counting: [Property<UploadWorld>] = [
        Property(
            "S15 done is counted and not pending",
            .always { $0.job.state.phase != .done || $0.job.counted && $0.job.nextDeadline == nil }),
        Property(
            "S15 what is still to be sent does not count, and what is encoded does",
            .always { state in
                switch state.job.state.phase {
                case .queued, .uploading, .uploadFailed: !state.job.counted
                case .encoding, .encodingFailed, .done: state.job.counted
                case .removing, .removeFailed, .cancelled, .purged, .deleted: true
                }
            }),
        Property("S15 what counts was sent", .always { !$0.job.counted || $0.job.sent }),
        steps(restating: "S15 an upload counts with its durable acknowledgement, until it is removed") { step in
            let durable = step.event == .restart(kept: true) && step.from.acknowledges
            let counts = step.before.counted || step.event == .acked(.cur) || durable
            return step.after.counted == (counts && !(step.asked != nil && step.to.phase == .removing))
        },
        steps("S15 what counts is never sent again") { step in
            !step.before.counted || !step.effects.contains { if case .put = $0 { true } else { false } }
        },
        steps("S15 the clip is released exactly when its upload has come to count") { step in
            step.orders(step.event == .acked(.cur) ? [.release] : []) { $0 == .release }
        },
        steps("S15 done and cancelled are for ever, but for a removal; deleted is for ever") { step in
            switch step.from.phase {
            case .deleted: step.to == step.from
            case .done, .cancelled: step.to == step.from || step.event == .purge || step.event == .delete
            default: true
            }
        },
        steps(restating: "S15 an acknowledgement says that it counts, and what comes after") { step in
            step.target.pending == (step.to.acknowledges ? step.acknowledged(notices: 2) : nil)
        },
        steps("S15 nothing is sent that is not allowed; only the subscription changes that") { step in
            var allowed = step.before.allowed && !step.restarts
            if case .allow(let now) = step.event, !step.before.stopped { allowed = now }
            return step.after.allowed == allowed && (step.to.step != "put" || allowed)
                && step.after.encode == step.before.encode
        },
    ]

    /// The place of an effect among those of one change.
    private static func rank(_ effect: Upload.Effect) -> Int {
        switch effect {
        case .abortPut: 0
        case .cancelEncode: 1
        case .save: 2
        case .release: 3
        case .put, .recordAck, .encode, .poll, .discard, .dropEncoded: 4
        case .report, .refused, .ignored: 5
        case .stopped: 6
        }
    }
}

extension UploadStep {
    /// The order that must have been given.
    fileprivate var ordered: Upload.Effect? {
        if restarts || from.step == to.step && from.phase == to.phase { return nil }
        let number = Upload.OrderNumber(before.orders + 1)
        switch to.step {
        case "put": return .put(number)
        case "ack":
            let record = acknowledged(notices: before.notices + 1)
            return .recordAck(number, record, Upload.Notice(number: record.notices, stage: record.phase))
        case "start": return .encode(number)
        case "poll": return .poll(number, UploadWorld.job)
        case "discard": return .discard(number, (to.aim ?? .cancelled).rule)
        default: return nil
        }
    }

    /// What the record says once the upload counts.
    fileprivate func acknowledged(notices: UInt32) -> Upload.Record {
        Upload.Record(
            phase: before.encode ? .encoding : .done, sent: true, counted: true, seal: UploadWorld.seal,
            notices: notices)
    }

    /// The records that were made durable, with their notices.
    var saved: [(record: Upload.Record, notice: Upload.Notice?)] {
        effects.compactMap { if case .save(let record, let notice) = $0 { (record, notice) } else { nil } }
    }

    /// What the record must say after the step.
    fileprivate func written(notices: UInt32) -> Upload.Record {
        Upload.Record(
            phase: to.phase, tries: after.tries, sent: after.sent, counted: after.counted, seal: after.seal,
            aim: to.aim, stage: after.stage, notices: notices,
            job: to.step == "run" || to.step == "poll" ? UploadWorld.job : nil)
    }

    /// The step leaves the record as it was.
    fileprivate var isSame: Bool { written(notices: 1) == before.record }
}
