internal import ObjectStore

/// Runs tasks in virtual time: each piece of one on the simulation's thread, a moment after it could run.
///
/// `@unchecked Sendable`: confined to the simulation's thread.
final class VirtualTasks: TaskExecutor, @unchecked Sendable {
    private let virtualTime: VirtualTime
    /// Whether the process is there; afterwards no task goes on.
    private(set) var isAlive = true
    /// What waits, by its number: tasks that nobody wakes any more must not be freed while they are waited for.
    private var waiting: [Int: UnsafeContinuation<Void, any Error>] = [:]
    private var waits = 0

    init(_ virtualTime: VirtualTime) { self.virtualTime = virtualTime }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard isAlive else { return }
        virtualTime.after(0) { if self.isAlive { job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
    }

    func begin(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: self) { await work() }
    }

    func die() { isAlive = false }

    /// Waits for `ms` milliseconds; throws `CancellationError` as soon as the task is cancelled.
    func sleep(_ ms: Int64) async throws {
        waits += 1
        let number = waits
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                waiting[number] = continuation
                virtualTime.after(ms) { self.waiting.removeValue(forKey: number)?.resume() }
            }
        } onCancel: {
            waiting.removeValue(forKey: number)?.resume(throwing: CancellationError())
        }
    }

    /// The clocks of a store's client.
    var clock: StoreClock {
        StoreClock(
            now: { .milliseconds(self.virtualTime.now) },
            sleep: {
                try await self.sleep($0.components.seconds * 1_000 + $0.components.attoseconds / 1_000_000_000_000_000)
            },
            wallSeconds: { self.virtualTime.wallMs / 1_000 })
    }
}
