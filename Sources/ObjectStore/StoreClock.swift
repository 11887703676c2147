internal import Glibc

/// The clocks that a store is used by: one that only runs on, for waits, and the wall's, for signatures. Tests bring their own.
public struct StoreClock: Sendable {
    /// The time since any fixed moment; it never goes back.
    public var now: @Sendable () -> Duration
    /// Waits; throws `CancellationError` where the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// Seconds since 1970.
    public var wallSeconds: @Sendable () -> Int64

    /// A clock of three functions.
    public init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
        wallSeconds: @escaping @Sendable () -> Int64
    ) {
        self.now = now
        self.sleep = sleep
        self.wallSeconds = wallSeconds
    }

    /// This machine's clocks.
    public static let system: StoreClock = {
        let begin = ContinuousClock.now
        return StoreClock(
            now: { ContinuousClock.now - begin }, sleep: { try await Task.sleep(for: $0) },
            wallSeconds: { Int64(time(nil)) })
    }()
}
