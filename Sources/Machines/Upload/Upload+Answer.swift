// What the cloud and the catalog answer.
extension Upload {
    /// An answer counts only in the step that waits for it, and only with the number of its order.
    mutating func answered(_ event: Event, at now: Instant, _ effects: inout [Effect]) {
        guard let number = event.number, number == awaited(by: event) else { return ignore(event.number, &effects) }
        if let unfit = unfitForTransfer(event) { return effects.append(.ignored(unfit)) }
        change(at: now, recorded: event == .acked(number), &effects) { $0.take(answer: event, at: now) }
    }

    /// The number with which an answer of this kind would fit.
    private func awaited(by event: Event) -> OrderNumber? {
        switch event {
        case .progressed, .caughtUp, .uploaded, .putFailed:
            if case .put(let number, _, _) = state { number } else { nil }
        case .acked, .ackFailed: if case .ack(let number, _) = state { number } else { nil }
        case .encodeStarted, .encodeRefused: if case .start(let number, _) = state { number } else { nil }
        case .polled, .pollFailed: if case .poll(let number, _, _) = state { number } else { nil }
        case .webhook: state.encodeOrder
        case .discarded, .discardFailed: if case .discard(let number, _, _) = state { number } else { nil }
        case .tick, .sealed, .allow, .cancel, .sourceGone, .purge, .delete, .reUpload, .reEncode, .drain: nil
        }
    }

    /// Why what the transfer says changes nothing, though its number is the right one.
    private func unfitForTransfer(_ event: Event) -> Ignored? {
        guard case .put(_, let moved, let until) = state else { return nil }
        switch event {
        case .progressed(_, let bytes): return isProgress(bytes, after: moved) ? nil : .noProgress
        case .caughtUp: return seal != nil ? .notNeeded : until == nil ? .duplicate : nil
        case .uploaded: return seal == nil ? .notSealed : nil
        default: return nil
        }
    }

    /// Enough more than before, and never more than there is: so a transfer makes progress a bounded number of times.
    private func isProgress(_ bytes: Int64, after moved: Int64) -> Bool {
        guard let seal else { return bytes >= 0 && bytes - moved >= timing.stepBytes }
        return bytes > moved && (bytes == seal.bytes || bytes < seal.bytes && bytes - moved >= timing.stepBytes)
    }

    private mutating func take(answer: Event, at now: Instant) {
        switch answer {
        case .progressed(let number, let bytes):
            outages = 0
            state = .put(number, moved: bytes, until: now + timing.progressMs)
        case .caughtUp(let number):
            outages = 0
            if case .put(_, let moved, _) = state { state = .put(number, moved: moved, until: nil) }
        case .uploaded:
            outages = 0
            state = .ack(order(), until: now + timing.answerMs)
        case .acked:
            counted = true
            end(encode ? .encoding : .done)
        case .encodeStarted(let number, let job):
            outages = 0
            state = .run(Run(order: number, job: job, until: now + timing.runMs), pollAt: now + timing.pollMs)
        case .polled(_, .running):
            guard let run = state.run else { break }
            if run.until <= now { fail(.again, at: now) } else { state = .run(run, pollAt: now + timing.pollMs) }
        case .pollFailed:
            if let run = state.run { state = .run(run, pollAt: now + timing.pollMs) }
        case .polled(_, .finished), .webhook(_, .finished): end(.done)
        case .putFailed(_, let failure), .encodeRefused(_, let failure), .discardFailed(_, let failure):
            fail(failure, at: now)
        case .ackFailed: waitForOutage(at: now)
        case .polled(_, .failed), .webhook(_, .failed): fail(.again, at: now)
        case .discarded:
            sent = false
            if let aim = state.aim { end(aim.end) }
        case .tick, .sealed, .allow, .cancel, .sourceGone, .purge, .delete, .reUpload, .reEncode, .drain: break
        }
    }

    private func ignore(_ number: OrderNumber?, _ effects: inout [Effect]) {
        let given = number.map { $0.rawValue > 0 && $0.rawValue <= orders } ?? false
        effects.append(.ignored(given ? .late : .unknown))
    }
}

extension Upload.Event {
    /// The number of the order that it answers; nil if it answers none.
    var number: Upload.OrderNumber? {
        switch self {
        case .progressed(let number, _), .caughtUp(let number), .uploaded(let number), .putFailed(let number, _),
            .acked(let number), .ackFailed(let number), .encodeStarted(let number, _), .encodeRefused(let number, _),
            .polled(let number, _), .pollFailed(let number), .webhook(let number, _), .discarded(let number),
            .discardFailed(let number, _):
            number
        case .tick, .sealed, .allow, .cancel, .sourceGone, .purge, .delete, .reUpload, .reEncode, .drain: nil
        }
    }
}
