internal import Synchronization

/// Sees to it that a transfer moves: it fails when no byte has moved for too long, however long the whole takes. While we hold a
/// transfer up ourselves (for bandwidth, for a disk, for whoever takes the bytes), its time stands still.
final class StallTimer: Sendable {
    private struct State {
        var movedAt: Duration
        var holds = 0
    }

    private let limit: Duration
    private let clock: StoreClock
    private let state: Mutex<State>

    init(seconds: Int, clock: StoreClock) {
        limit = .seconds(max(1, seconds))
        self.clock = clock
        state = Mutex(State(movedAt: clock.now()))
    }

    /// Bytes moved.
    func moved() {
        let now = clock.now()
        state.withLock { $0.movedAt = now }
    }

    /// Stops the time while `work` runs.
    func holding<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        state.withLock { $0.holds += 1 }
        defer {
            let now = clock.now()
            state.withLock {
                $0.holds -= 1
                $0.movedAt = now
            }
        }
        return try await work()
    }

    /// How long no byte may move from now on, before it is too long.
    var rest: Duration {
        let now = clock.now()
        return state.withLock { $0.holds > 0 ? limit : $0.movedAt + limit - now }
    }
}
