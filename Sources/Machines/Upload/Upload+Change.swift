// What follows from a change: the job goes on, and the difference is what is ordered.
extension Upload {
    /// One change and what follows from it; `recorded` if the event says that its record is durable already.
    mutating func change(
        at now: Instant, recorded: Bool = false, _ effects: inout [Effect], _ body: (inout Upload) -> Void
    ) {
        let before = self
        body(&self)
        goOn(at: now)
        let notice = noteStage(overtakes: before.state.isAcknowledging && !recorded)
        callOff(since: before, &effects)
        if record != before.record, !recorded { effects.append(.save(record, notice)) }
        if counted, !before.counted { effects.append(.release) }
        giveOrder(since: before, &effects)
        if state == .cancelled, before.state != .cancelled, counted { effects.append(.dropEncoded) }
        if state.phase != before.state.phase { effects.append(.report(state.phase)) }
    }

    private mutating func goOn(at now: Instant) {
        if stopped { return }
        switch state {
        case .queued where allowed:
            sent = true
            state = .put(order(), moved: 0, until: now + timing.progressMs)
        case .encoding: state = .start(order(), until: now + timing.answerMs)
        case .removing(let aim): state = .discard(order(), aim, until: now + timing.answerMs)
        default: break
        }
    }

    /// Notes the stage if it is another one (S17). What overtakes an acknowledgement leaves the number free that that one took,
    /// because it may be durable.
    private mutating func noteStage(overtakes: Bool) -> Notice? {
        let reached = state.phase.stage(after: stage)
        if reached == stage { return nil }
        stage = reached
        notices &+= overtakes ? 2 : 1
        return Notice(number: notices, stage: reached)
    }

    /// What the cloud need not go on with. A drain calls off no encoder: it goes on there, and its job is known or asked for
    /// again under the same key.
    private func callOff(since before: Upload, _ effects: inout [Effect]) {
        if case .put(let number, _, _) = before.state {
            if state.phase != .uploading { effects.append(.abortPut(number)) }
        }
        if let number = before.state.encodeOrder, state.encodeOrder == nil, state != .done, !stopped {
            effects.append(.cancelEncode(number))
        }
    }

    private func giveOrder(since before: Upload, _ effects: inout [Effect]) {
        guard orders != before.orders else { return }
        switch state {
        case .put(let number, _, _): effects.append(.put(number))
        case .ack(let number, _): effects.append(.recordAck(number, acknowledged, acknowledgedNotice))
        case .start(let number, _): effects.append(.encode(number))
        case .poll(let number, let run, _): effects.append(.poll(number, run.job))
        case .discard(let number, let aim, _): effects.append(.discard(number, aim.rule))
        case .queued, .queuedWait, .ackWait, .uploadFailed, .encoding, .encodingWait, .run, .encodingFailed, .done,
            .removing, .removingWait, .removeFailed, .cancelled, .purged, .deleted:
            break
        }
    }
}

extension Upload.Phase {
    /// The stage of a job that is in this phase: waiting for another try of an upload is none of its own.
    func stage(after stage: Self) -> Self { self == .queued && stage == .uploading ? stage : self }
}
