import CLibav
import Glibc
import Synchronization

/// The threads that all detectors share. A detector with work stands in a queue; a thread takes the first, lets it work for
/// a turn, and sends it to the end of the queue when it has more. So no camera waits for more than one turn of each other
/// one, and no more threads are busy than were allowed.
public final class MotionPool: Sendable {
    /// Frames of one camera in one turn.
    static let turnFrames = 8

    private struct State: Sendable {
        var ready: [MotionDetector] = []
        /// Index of the first that waits; what lies before it is gone.
        var head = 0
        var isStopped = false
    }

    private let state = Mutex(State())
    private let waiting = WaitingThreads()

    /// A pool of `threads` threads; nil: one for each processor that the process may run on. They end with `stop()`.
    public init(threads: Int? = nil) {
        for _ in 0..<max(1, min(threads ?? Int(av_cpu_count()), 64)) { start() }
    }

    /// Ends the threads after the turn they are in. Detectors of the pool do nothing from then on.
    public func stop() {
        state.withLock {
            $0.isStopped = true
            $0.ready = []
            $0.head = 0
        }
        waiting.wakeAll()
    }

    /// Puts a detector that has work and stands nowhere at the end of the queue.
    func enqueue(_ detector: MotionDetector) {
        let isTaken = state.withLock { state in
            guard !state.isStopped else { return false }
            state.ready.append(detector)
            return true
        }
        if isTaken { waiting.wakeOne() }
    }

    private func start() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 1 << 20)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let box = Unmanaged.passRetained(self)
        if pthread_create(&thread, &attributes, poolThread, box.toOpaque()) != 0 { box.release() }
    }

    fileprivate func run() {
        vigil_name_thread("motion")
        while true {
            let (detector, isStopped) = state.withLock { state -> (MotionDetector?, Bool) in
                guard state.head < state.ready.count else { return (nil, state.isStopped) }
                let first = state.ready[state.head]
                state.head += 1
                if state.head >= 32, state.head * 2 >= state.ready.count {
                    state.ready.removeFirst(state.head)
                    state.head = 0
                }
                return (first, state.isStopped)
            }
            if isStopped { return }
            if let detector {
                if detector.work(frames: MotionPool.turnFrames) { enqueue(detector) }
            } else {
                waiting.wait()
            }
        }
    }
}

/// Threads that wait for work, with a count so that no wake-up is lost.
private final class WaitingThreads: @unchecked Sendable {
    // `semaphore` is the only state, and the kernel guards it.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func wait() { while sem_wait(semaphore) != 0, errno == EINTR {} }
    func wakeOne() { sem_post(semaphore) }
    func wakeAll() { for _ in 0..<64 { sem_post(semaphore) } }
}

private func poolThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let box else { return nil }
    Unmanaged<MotionPool>.fromOpaque(box).takeRetainedValue().run()
    return nil
}
