// What the cloud and the catalog answer.
extension Upload {
    /// An answer counts only in the step that waits for it, and only with the number of its order.
    mutating func answered(_ event: Event, at now: Instant, _ effects: inout [Effect]) {
        guard let number = event.number, number == awaited(by: event) else { return ignore(event.number, &effects) }
        change(at: now, recorded: event == .acked(number), &effects) { $0.take(answer: event, at: now) }
    }

    /// The number with which an answer of this kind would fit.
    private func awaited(by event: Event) -> OrderNumber? {
        switch event {
        case .uploaded, .putFailed: if case .put(let number, _) = state { number } else { nil }
        case .acked, .ackFailed: if case .ack(let number, _) = state { number } else { nil }
        case .encodeStarted, .encodeRefused: if case .start(let number, _) = state { number } else { nil }
        case .polled, .pollFailed: if case .poll(let number, _, _) = state { number } else { nil }
        case .webhook: state.encodeOrder
        case .tick, .allow, .cancel, .sourceGone, .reUpload, .reEncode, .drain: nil
        }
    }

    private mutating func take(answer: Event, at now: Instant) {
        switch answer {
        case .uploaded: state = .ack(order(), until: now + timing.answerMs)
        case .acked:
            counted = true
            end(encode ? .encoding : .done)
        case .encodeStarted(let number, let job):
            state = .run(Run(order: number, job: job, until: now + timing.runMs), pollAt: now + timing.pollMs)
        case .polled(_, .running), .pollFailed:
            if let run = state.run { state = .run(run, pollAt: now + timing.pollMs) }
        case .polled(_, .finished), .webhook(_, .finished): end(.done)
        case .putFailed(_, let failure), .encodeRefused(_, let failure): failTry(failure, at: now)
        case .ackFailed, .polled(_, .failed), .webhook(_, .failed): failTry(.again, at: now)
        case .tick, .allow, .cancel, .sourceGone, .reUpload, .reEncode, .drain: break
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
        case .uploaded(let number), .putFailed(let number, _), .acked(let number), .ackFailed(let number),
            .encodeStarted(let number, _), .encodeRefused(let number, _), .polled(let number, _),
            .pollFailed(let number), .webhook(let number, _):
            number
        case .tick, .allow, .cancel, .sourceGone, .reUpload, .reEncode, .drain: nil
        }
    }
}
