internal import CSystemd
internal import Foundation
internal import Synchronization

/// The threads on which the queues of the process work: as many as queues have work at once. The one that began to rest last is
/// woken first, so those that are too many rest on; one that has rested for `restMs` ends, and with it go its stack and what the
/// C library keeps for it. (The threads of Dispatch are woken in turn, so that after a burst each comes to work now and then and
/// none ends.)
final class QueueThreads: Sendable {
    /// Those of the process.
    static let shared = QueueThreads(restMs: 5_000)

    /// The rest of a thread.
    private final class Resting: Sendable {
        let semaphore = DispatchSemaphore(value: 0)
        let work = Mutex<ThreadQueue?>(nil)

        /// Ends its rest.
        func take(_ queue: ThreadQueue) {
            work.withLock { $0 = queue }
            semaphore.signal()
        }
    }

    private struct State {
        /// Those that rest, in the order in which they began.
        var resting: [Resting] = []
        var threads = 0
        /// Queues with work for which no thread could be made.
        var waiting: [ThreadQueue] = []
    }

    private let restMs: Int
    private let state = Mutex(State())

    /// Threads that end when they have rested for `restMs` milliseconds.
    init(restMs: Int) { self.restMs = restMs }

    /// How many threads there are.
    var count: Int { state.withLock { $0.threads } }

    /// Lets a thread work on `queue`; returns at once, unless the system gives no thread and there is none.
    func work(on queue: ThreadQueue) {
        let resting = state.withLock { state -> Resting? in
            let last = state.resting.popLast()
            if last == nil { state.threads += 1 }
            return last
        }
        if let resting { return resting.take(queue) }
        while !start(with: queue) {
            // The system gives no thread now: one of ours takes the work, at once or when it is done with its own.
            let (resting, isTaken) = state.withLock { state -> (Resting?, Bool) in
                guard state.threads > 1 else { return (nil, false) }
                state.threads -= 1
                if let last = state.resting.popLast() { return (last, true) }
                state.waiting.append(queue)
                return (nil, true)
            }
            resting?.take(queue)
            if isTaken { return }
            usleep(10_000)
        }
    }

    private func start(with queue: ThreadQueue) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Begin(threads: self, queue: queue))
        let isStarted = pthread_create(&thread, &attributes, queueThread, box.toOpaque()) == 0
        if !isStarted { box.release() }
        return isStarted
    }

    /// What a thread does until it ends.
    fileprivate func run(_ first: ThreadQueue) {
        let own = Resting()
        var next: ThreadQueue? = first
        while let queue = next {
            queue.drain()
            next = following(own)
        }
    }

    /// What the thread works on next; nil when it is to end.
    private func following(_ own: Resting) -> ThreadQueue? {
        let waiting = state.withLock { state -> ThreadQueue? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.resting.append(own)
            return nil
        }
        if let waiting { return waiting }
        if own.semaphore.wait(timeout: .now() + .milliseconds(restMs)) == .timedOut {
            let ends = state.withLock { state in
                guard let index = state.resting.firstIndex(where: { $0 === own }) else { return false }
                state.resting.remove(at: index)
                state.threads -= 1
                return true
            }
            if ends { return nil }
            // Work is on its way to it.
            own.semaphore.wait()
        }
        return own.work.withLock { $0.take() }
    }
}

/// What a thread begins with.
private final class Begin: Sendable {
    let threads: QueueThreads
    let queue: ThreadQueue

    init(threads: QueueThreads, queue: ThreadQueue) {
        self.threads = threads
        self.queue = queue
    }
}

private func queueThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let box else { return nil }
    let begin = Unmanaged<Begin>.fromOpaque(box).takeRetainedValue()
    begin.threads.run(begin.queue)
    return nil
}
