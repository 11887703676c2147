internal import CSystemd
internal import Foundation
internal import Synchronization

/// Work that is done one after another on a thread of `QueueThreads`, which it has for itself until nothing is left.
final class ThreadQueue: WorkQueue {
    private struct State {
        var work: [@Sendable () -> Void] = []
        /// Whether a thread works on it, or will.
        var isTaken = false
        /// The thread that works on it.
        var thread: pthread_t?
    }

    private let name: String
    private let threads: QueueThreads
    private let state = Mutex(State())

    /// A queue; `label` is the name of the thread that works on it, `vigil.` left out, as far as the kernel keeps it.
    init(_ label: String, on threads: QueueThreads = .shared) {
        let own = label.hasPrefix("vigil.") ? label.dropFirst(6) : label[...]
        name = String(decoding: own.utf8.prefix(15), as: UTF8.self)
        self.threads = threads
    }

    /// How much work waits behind that which is under way.
    var waiting: Int { state.withLock { $0.work.count } }

    func run(_ work: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            state.work.append(work)
            defer { state.isTaken = true }
            return !state.isTaken
        }
        if isFirst { threads.work(on: self) }
    }

    func runAndWait(_ work: () -> Void) {
        // The caller's thread does it, as if it were the queue's, which waits meanwhile.
        let (turn, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        run {
            turn.signal()
            done.wait()
        }
        turn.wait()
        let worker = state.withLock { state -> pthread_t? in
            defer { state.thread = pthread_self() }
            return state.thread
        }
        work()
        state.withLock { $0.thread = worker }
        done.signal()
    }

    func timer(_ fire: @escaping @Sendable () -> Void) -> any WakeTimer { QueueTimer(self, fire) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { precondition(state.withLock { $0.thread } == pthread_self(), "not on its queue") }

    /// Does what there is to do, and what comes meanwhile.
    func drain() {
        vigil_name_queue_thread(name)
        while true {
            let batch = state.withLock { state -> [@Sendable () -> Void] in
                let batch = state.work
                state.work = []
                state.isTaken = !batch.isEmpty
                state.thread = batch.isEmpty ? nil : pthread_self()
                return batch
            }
            if batch.isEmpty { return }
            for work in batch { work() }
        }
    }
}
