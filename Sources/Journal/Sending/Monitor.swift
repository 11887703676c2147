internal import Glibc

/// A value behind a lock that can be waited on. `Mutex` cannot be waited on, and Foundation's condition goes by the wall
/// clock, which may step; this one waits by the monotonic clock.
///
/// `@unchecked Sendable`: `value` is touched only while `mutex` is held.
final class Monitor<Value: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` under the lock. Whoever changes what others wait for calls ``wakeAll()`` after it.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Wakes every waiting thread, to look again.
    func wakeAll() { pthread_cond_broadcast(condition) }

    /// Blocks until `isDone` holds, at most `timeoutMs` milliseconds, and says whether it held. Never called on the
    /// cooperative pool.
    func wait(timeoutMs: Int64, until isDone: (Value) -> Bool) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        // A day is the longest wait; it also keeps the sum far from an overflow.
        let nanoseconds = min(max(timeoutMs, 0), 86_400_000) * 1_000_000 + Int64(deadline.tv_nsec)
        deadline.tv_sec += Int(nanoseconds / 1_000_000_000)
        deadline.tv_nsec = Int(nanoseconds % 1_000_000_000)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !isDone(value) {
            if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return isDone(value) }
        }
        return true
    }
}
