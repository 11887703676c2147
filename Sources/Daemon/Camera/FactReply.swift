internal import Machines

/// What becomes of a fact for which somebody waits. Given once: whoever gives first.
final class FactReply: Sendable {
    /// What became of it.
    enum Answer: Sendable {
        /// The machine took it: what it ordered and told, and the machine after that step.
        case taken([Camera.Effect], Camera)
        /// The camera has stopped: it was removed, or the daemon ends.
        case stopped
        /// Too many wait already; the machine was not told.
        case full
        /// The machine has not taken it within the bound; it may still.
        case late
    }

    private let (stream, continuation) = AsyncStream<Answer>.makeStream(bufferingPolicy: .bufferingOldest(1))

    /// Answers, unless that was done before.
    func give(_ answer: Answer) {
        continuation.yield(answer)
        continuation.finish()
    }

    /// The answer; `late` after `boundMs` milliseconds, or when the task that waits is cancelled. For one that waits.
    func answer(withinMs boundMs: Int64) async -> Answer {
        let bound = Task {
            try await Task.sleep(for: .milliseconds(boundMs))
            give(.late)
        }
        defer { bound.cancel() }
        for await answer in stream { return answer }
        return .late
    }
}

/// Somebody who asked for something: who it was, and where the answer goes.
struct Asker: Sendable {
    /// As the journal names them, in VIGIL_USER.
    let user: String
    let reply = FactReply()
}

extension [Asker] {
    /// All of them as the journal names them, each once; nil if there are none.
    var users: String? {
        var names: [String] = []
        for asker in self where !names.contains(asker.user) { names.append(asker.user) }
        return names.isEmpty ? nil : names.joined(separator: "; ")
    }

    func give(_ answer: FactReply.Answer) { for asker in self { asker.reply.give(answer) } }
}
