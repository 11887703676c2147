internal import Synchronization

/// Ends transfers that do not move. One task looks after all those of a store: one for each request would cost more than some
/// requests do.
final class StallMonitor: Sendable {
    private struct State {
        var watched: [Int: Watched] = [:]
        var next = 0
        var looking: Task<Void, any Error>?
        var isOver = false
    }

    private struct Watched {
        let timer: StallTimer
        let end: @Sendable () -> Void
        var isStalled = false
    }

    private let clock: StoreClock
    private let begin: Begin
    private let state = Mutex(State())

    /// Begins a task of its own.
    typealias Begin = @Sendable (_ work: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error>

    init(_ clock: StoreClock, begin: @escaping Begin) { (self.clock, self.begin) = (clock, begin) }

    /// Calls `end` when no byte has moved for too long, as `timer` has it. Returns a number for `remove`.
    func add(_ timer: StallTimer, _ end: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.watched[state.next] = Watched(timer: timer, end: end)
            if state.looking == nil, !state.isOver {
                state.looking = begin { [weak self] in try await self?.look() }
            }
            return state.next
        }
    }

    /// Looks after it no more; whether it was ended.
    func remove(_ number: Int) -> Bool { state.withLock { $0.watched.removeValue(forKey: number)?.isStalled ?? false } }

    /// Looks after nobody any more.
    func end() {
        let looking = state.withLock { state in
            state.isOver = true
            return state.looking
        }
        looking?.cancel()
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
            for (number, watched) in state.watched.sorted(by: { $0.key < $1.key }) where !watched.isStalled {
                let rest = watched.timer.rest
                if rest > .zero {
                    least = min(least ?? rest, rest)
                } else {
                    state.watched[number]?.isStalled = true
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
