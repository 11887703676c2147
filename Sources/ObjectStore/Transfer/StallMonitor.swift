internal import Synchronization

/// Ends transfers that do not move, and all of them when the client is shut down. One task looks after all those of a store: one for
/// each request would cost more than some requests do.
final class StallMonitor: Sendable {
    /// Why it has ended a transfer.
    enum Cause: Sendable {
        /// No byte has moved for too long.
        case stalled
        /// The client was shut down.
        case shutDown
    }

    private struct State {
        var watched: [Int: Watched] = [:]
        var next = 0
        var looking: Task<Void, any Error>?
        var isOver = false
    }

    private struct Watched {
        let timer: StallTimer
        let end: @Sendable () -> Void
        var cause: Cause?
    }

    private let clock: StoreClock
    private let begin: Begin
    private let state = Mutex(State())

    /// Begins a task of its own.
    typealias Begin = @Sendable (_ work: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error>

    init(_ clock: StoreClock, begin: @escaping Begin) { (self.clock, self.begin) = (clock, begin) }

    /// Calls `end` when no byte has moved for too long, as `timer` has it, or when the client is shut down. Returns a number for
    /// `remove`.
    func add(_ timer: StallTimer, _ end: @escaping @Sendable () -> Void) -> Int {
        let (number, isOver) = state.withLock { state in
            state.next += 1
            state.watched[state.next] = Watched(timer: timer, end: end, cause: state.isOver ? .shutDown : nil)
            if state.looking == nil, !state.isOver {
                state.looking = begin { [weak self] in try await self?.look() }
            }
            return (state.next, state.isOver)
        }
        if isOver { end() }
        return number
    }

    /// Looks after it no more; why it was ended, if it was.
    func remove(_ number: Int) -> Cause? { state.withLock { $0.watched.removeValue(forKey: number)?.cause } }

    /// Ends them all: nobody looks after those that would stand still from now on.
    func end() {
        let (looking, ends) = state.withLock { state in
            state.isOver = true
            let others = state.watched.keys.sorted().filter { state.watched[$0]?.cause == nil }
            for number in others { state.watched[number]?.cause = .shutDown }
            return (state.looking, others.compactMap { state.watched[$0]?.end })
        }
        looking?.cancel()
        for end in ends { end() }
    }

    /// Looks whenever one of them may have stood still for too long, until there is none. All have the same time, so none that comes
    /// meanwhile has to be looked at earlier.
    private func look() async throws {
        while let rest = nextLook() { try await clock.sleep(rest) }
    }

    /// Ends those that stand still, and says when to look again; nil where nobody is to be looked after.
    private func nextLook() -> Duration? {
        let (ends, rest) = state.withLock { state -> ([@Sendable () -> Void], Duration?) in
            var (ends, least) = ([@Sendable () -> Void](), Duration?.none)
            for (number, watched) in state.watched.sorted(by: { $0.key < $1.key }) where watched.cause == nil {
                let rest = watched.timer.rest
                if rest > .zero {
                    least = min(least ?? rest, rest)
                } else {
                    state.watched[number]?.cause = .stalled
                    ends.append(watched.end)
                }
            }
            if least == nil { state.looking = nil }
            return (ends, least)
        }
        for end in ends { end() }
        return rest
    }
}
