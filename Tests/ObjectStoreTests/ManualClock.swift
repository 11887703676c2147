import ObjectStore
import Synchronization

/// A clock that the test moves on, and that tells when somebody sleeps by it.
final class ManualClock: Sendable {
    private struct State {
        var now = Duration.zero
        var wall: Int64 = 1_369_353_600
        var sleepers: [(until: Duration, wake: CheckedContinuation<Void, Never>)] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The clock as the module takes it.
    var clock: StoreClock {
        StoreClock(
            now: { self.state.withLock { $0.now } }, sleep: { await self.sleep($0) },
            wallSeconds: { self.state.withLock { $0.wall } })
    }

    /// Moves both clocks on.
    func advance(_ time: Duration) {
        let woken = state.withLock { state in
            state.now += time
            state.wall += time.components.seconds
            let woken = state.sleepers.filter { $0.until <= state.now }
            state.sleepers.removeAll { $0.until <= state.now }
            return woken.map(\.wake)
        }
        for sleeper in woken { sleeper.resume() }
    }

    /// Returns when somebody sleeps.
    func sleeper() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.isEmpty { state.waiting.append(continuation) }
                return !state.sleepers.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    private func sleep(_ time: Duration) async {
        await withCheckedContinuation { continuation in
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                state.sleepers.append((state.now + time, continuation))
                return state.waiting
            }
            for waiter in waiting { waiter.resume() }
        }
    }
}
