internal import Synchronization

/// How many bytes a second all transfers that share it may send or receive together: a token bucket that holds one second's worth.
/// Who takes bytes gets a place in time behind those who came before, so no queue is kept and nobody starves.
public final class BandwidthLimit: Sendable {
    private struct State {
        var bytesPerSecond: Int
        /// When the bucket will be full again, by the clock.
        var fullAt: Duration
    }

    /// The least rate, in bytes a second: below it stores give a transfer up.
    public static let least = 1024
    /// The greatest, in bytes a second: 1 TB.
    static let greatest = 1_000_000_000_000

    private let clock: StoreClock
    private let state: Mutex<State>

    /// A limit, which begins with a full bucket. A rate out of bounds becomes the nearest within.
    public init(bytesPerSecond: Int, clock: StoreClock = .system) {
        self.clock = clock
        state = Mutex(State(bytesPerSecond: Self.clamped(bytesPerSecond), fullAt: clock.now()))
    }

    /// The rate, in bytes a second. A change holds for what is taken from then on.
    public var bytesPerSecond: Int {
        get { state.withLock { $0.bytesPerSecond } }
        set { state.withLock { $0.bytesPerSecond = Self.clamped(newValue) } }
    }

    /// How many bytes to take at a time, so that nobody waits longer than a quarter of a second for a piece of its own.
    var pieceBytes: Int { min(max(bytesPerSecond / 4, Self.least), FileThreads.pieceBytes) }

    /// Waits until `count` more bytes may pass. Throws `CancellationError` where the task is cancelled.
    func take(_ count: Int) async throws {
        let wait = reserve(count)
        if wait > .zero { try await clock.sleep(wait) }
    }

    /// Takes `count` bytes and tells how long to wait for them.
    func reserve(_ count: Int) -> Duration {
        let now = clock.now()
        return state.withLock { state in
            let cost = Duration.seconds(Double(max(0, count)) / Double(state.bytesPerSecond))
            state.fullAt = max(state.fullAt, now) + cost
            return max(.zero, state.fullAt - now - .seconds(1))
        }
    }

    private static func clamped(_ rate: Int) -> Int { min(max(rate, least), greatest) }
}
