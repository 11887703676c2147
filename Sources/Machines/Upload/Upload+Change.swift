// What follows from a change: the job goes on, and the difference is what is ordered.
extension Upload {
    /// One change and what follows from it; `recorded` if the event says that its record is durable already.
    mutating func change(
        at now: Instant, recorded: Bool = false, _ effects: inout [Effect], _ body: (inout Upload) -> Void
    ) {
        let before = self
        body(&self)
        goOn(at: now)
        callOff(since: before, &effects)
        if record != before.record, !recorded { effects.append(.save(record)) }
        if counted, !before.counted { effects.append(.release) }
        giveOrder(since: before, &effects)
        let ended = state == .cancelled && before.state != .cancelled
        if ended, sent, !counted { effects.append(.discardRemote(.cancelled)) }
        if state.phase != before.state.phase { effects.append(.report(state.phase)) }
    }

    private mutating func goOn(at now: Instant) {
        if stopped { return }
        if state == .queued, allowed {
            sent = true
            state = .put(order(), until: now + timing.putMs)
        } else if state == .encoding {
            state = .start(order(), until: now + timing.answerMs)
        }
    }

    /// What the cloud need not go on with. A drain calls off no encoder: it goes on there, and its job is known or asked for
    /// again under the same key.
    private func callOff(since before: Upload, _ effects: inout [Effect]) {
        if case .put(let number, _) = before.state {
            if state.phase != .uploading { effects.append(.abortPut(number)) }
        }
        if let number = before.state.encodeOrder, state.encodeOrder == nil, state != .done, !stopped {
            effects.append(.cancelEncode(number))
        }
    }

    private func giveOrder(since before: Upload, _ effects: inout [Effect]) {
        guard orders != before.orders else { return }
        switch state {
        case .put(let number, _): effects.append(.put(number))
        case .ack(let number, _): effects.append(.recordAck(number, acknowledged))
        case .start(let number, _): effects.append(.encode(number))
        case .poll(let number, let run, _): effects.append(.poll(number, run.job))
        case .queued, .queuedWait, .uploadFailed, .encoding, .encodingWait, .run, .encodingFailed, .done, .cancelled:
            break
        }
    }
}
