import CLibav
import Glibc
import Synchronization

/// The threads that all detectors share. A thread takes the detector that has had the least processor time of those with work,
/// lets it work for a turn, and puts it back when it has more. So a camera whose pictures cost much waits for those whose
/// pictures cost little, and not the other way round; and no more threads are busy than were allowed.
///
/// What a detector has had is counted on a clock that the pool's turns move on (start-time fair queueing): a turn begins where
/// the last one of its detector ended, or where the pool stands, whichever is later. Who had no work saves nothing up.
public final class MotionPool: Sendable {
    /// The most frames of one camera in one turn.
    static let turnFrames = 8
    /// No frame is begun when a turn has taken so much processor time, in nanoseconds. One frame may take longer.
    static let turnNsMax: UInt64 = 20_000_000

    private struct State: Sendable {
        /// Those with work, and where their next turn begins.
        var ready: [(detector: MotionDetector, begin: UInt64)] = []
        /// Where the turn begins that was taken last.
        var now: UInt64 = 0
        var isStopped = false

        mutating func next() -> (detector: MotionDetector, begin: UInt64)? {
            guard let first = ready.indices.min(by: { ready[$0].begin < ready[$1].begin }) else { return nil }
            now = max(now, ready[first].begin)
            return ready.remove(at: first)
        }
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
        }
        waiting.wakeAll()
    }

    /// Takes a detector that has work and stands nowhere; `end`: where its last turn ended.
    func enqueue(_ detector: MotionDetector, behind end: UInt64) {
        let isTaken = state.withLock { state in
            guard !state.isStopped else { return false }
            state.ready.append((detector, max(end, state.now)))
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
            let (next, isStopped) = state.withLock { ($0.next(), $0.isStopped) }
            if isStopped { return }
            if let next {
                let turn = next.detector.work(from: next.begin)
                if turn.hasMore { enqueue(next.detector, behind: turn.end) }
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
