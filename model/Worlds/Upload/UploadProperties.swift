internal import Explorer
internal import Machines

// What must hold of a job in every world: what it owes, what it tells, what it counts.
extension UploadWorld {
    /// What is asked in every world.
    public static let properties: [Property<UploadWorld>] = duties + counting + progress

    static func steps(
        _ name: String, _ holds: @escaping @Sendable (UploadStep) -> Bool
    ) -> Property<UploadWorld> {
        Property(name, .steps { holds(UploadStep($0, $1, $2)) })
    }

    static let duties: [Property<UploadWorld>] = [
        Property("S8 once stopped nothing is due", .always { !$0.job.stopped || $0.job.nextDeadline == nil }),
        Property(
            "S8 once stopped nothing is under way",
            .always { !$0.job.stopped || !["wait", "put", "start", "poll"].contains(UploadShape($0.job).step) }),
        steps("S8 once stopped nothing happens until a restart") { step in
            if !step.before.stopped || step.restarts { return true }
            return step.target == step.source && step.effects == (step.event == .tick ? [] : [.ignored(.stopped)])
        },
        steps("S8 a drain stops, and nothing else does") { step in
            step.orders(step.drains ? [.stopped] : []) { $0 == .stopped }
                && step.after.stopped == (step.drains || step.before.stopped && !step.restarts)
        },
        steps("S9 what does not fit is ignored or refused for its reason and changes nothing; all else is taken") {
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
        steps("S10 what is under way was ordered with a new number, and all else was not") { step in
            step.orders(step.ordered.map { [$0] } ?? []) {
                switch $0 {
                case .put, .recordAck, .encode, .poll: true
                default: false
                }
            }
        },
        steps("S10 orders come in their order: called off, durable, released, ordered, discarded, told") { step in
            zip(step.effects, step.effects.dropFirst()).allSatisfy { rank($0) < rank($1) }
        },
        steps("S10 a change of the record is made durable, unless it is the acknowledgement that was") { step in
            let changes = step.after.record != step.before.record && step.event != .acked(.cur) && !step.restarts
            return step.orders(changes ? [.save(step.after.record)] : []) { if case .save = $0 { true } else { false } }
        },
        Property("S10 what is durable is what is so", .always { $0.durable == $0.job.record }),
        steps("S11 the phase is reported exactly when it has changed") { step in
            let changes = step.from.phase != step.to.phase && !step.restarts
            return step.orders(changes ? [.report(step.to.phase)] : []) { if case .report = $0 { true } else { false } }
        },
        steps("S12 an object that nobody counts is discarded with its job, and the rule is named") { step in
            let discards = step.cancels && step.before.sent && !step.before.counted
            return step.orders(discards ? [.discardRemote(.cancelled)] : []) {
                if case .discardRemote = $0 { true } else { false }
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
                case .cancelled: true
                }
            }),
        Property("S15 what counts was sent", .always { !$0.job.counted || $0.job.sent }),
        steps("S15 an upload counts with its durable acknowledgement, and for ever") { step in
            let durable = step.event == .restart(kept: true) && step.from.step == "ack"
            return step.after.counted == (step.before.counted || step.event == .acked(.cur) || durable)
        },
        steps("S15 what counts is never sent again") { step in
            !step.before.counted || !step.effects.contains { if case .put = $0 { true } else { false } }
        },
        steps("S15 the clip is released exactly when its upload has come to count") { step in
            step.orders(step.event == .acked(.cur) ? [.release] : []) { $0 == .release }
        },
        steps("S15 whatever was sent is remembered") { step in
            step.after.sent == (step.before.sent || step.to.step == "put")
        },
        steps("S15 done and cancelled are for ever") { step in
            step.from.phase != .done && step.from.phase != .cancelled || step.to == step.from
        },
        steps("S15 an acknowledgement says that it counts, and what comes after") { step in
            step.target.pending == (step.to.step == "ack" ? step.acknowledged : nil)
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
        case .put, .recordAck, .encode, .poll: 4
        case .discardRemote: 5
        case .report, .refused, .ignored: 6
        case .stopped: 7
        }
    }
}

extension UploadStep {
    /// The order that must have been given.
    fileprivate var ordered: Upload.Effect? {
        if restarts || from.step == to.step { return nil }
        let number = Upload.OrderNumber(before.orders + 1)
        switch to.step {
        case "put": return .put(number)
        case "ack": return .recordAck(number, acknowledged)
        case "start": return .encode(number)
        case "poll": return .poll(number, UploadWorld.job)
        default: return nil
        }
    }

    /// What the record says once the upload counts.
    fileprivate var acknowledged: Upload.Record {
        Upload.Record(phase: before.encode ? .encoding : .done, tries: 0, sent: true, counted: true, job: nil)
    }
}
