import DequeModule
import Machines
import Synchronization

/// Watches one camera's video for motion, on the threads of a pool.
///
/// `feed` never blocks and never fails: it hands the frame to a bounded queue. When the detector cannot keep up, what waits
/// is dropped up to the next key frame and counted; the frames themselves belong to the ring and the recording, which do
/// not notice. Neither does it take frames while its camera is over its budget (`DetectionBudget`). Observations come in order,
/// one at a time, on a thread of the pool.
public final class MotionDetector: Sendable {
    fileprivate struct State: Sendable {
        var queue = Deque<Frame>()
        var bytes = 0
        /// Whether it stands in the pool's queue or is being worked on.
        var isScheduled = false
        /// Where its last turn ended, by the pool's clock.
        var turnEnd: UInt64 = 0
        var isStopped = false
        /// Frames are dropped until a key frame comes.
        var waitsForKey = false
        /// Frames have been left out before the first one in the queue.
        var isInterrupted = false
        /// In seconds.
        var restMax = MotionAnalyser.restMax
        var fed: UInt64 = 0
        var dropped: UInt64 = 0
        var overloads: UInt64 = 0
        var waitingMax = 0
        var cost = MotionCost()
    }

    private let name: String
    private let configuration: MotionConfiguration
    private let pool: MotionPool
    private let budget: DetectionBudget
    private let state = Mutex(State())
    private let worker: Worker

    /// What only the thread at work touches; the flag `isScheduled`, under the lock of `state`, lets in one at a time.
    private final class Worker: @unchecked Sendable {
        let analyser: MotionAnalyser
        init(_ analyser: MotionAnalyser) { self.analyser = analyser }
    }

    /// A detector named after its camera. `deliver` must not block: other cameras wait for the thread.
    public init(
        name: String, configuration: MotionConfiguration = MotionConfiguration(), pool: MotionPool,
        budget: DetectionBudget = DetectionBudget(),
        deliver: @escaping @Sendable (MotionObservation) -> Void
    ) {
        self.name = name
        self.configuration = configuration
        self.pool = pool
        self.budget = budget
        worker = Worker(MotionAnalyser(configuration, deliver: deliver))
    }

    /// Takes a frame of the stream that is watched, in decoding order; audio is left aside. Any thread, one at a time.
    public func feed(_ frame: Frame) {
        guard frame.kind == .video else { return }
        let isAllowed = budget.mayLook(atMs: BootClock.nowMs())
        let turnEnd = state.withLock { state -> UInt64? in
            guard !state.isStopped else { return nil }
            state.fed += 1
            if !isAllowed { state.drop() }
            let isStart = isAllowed && (frame.isKey || frame.isRecoveryPoint)
            if state.waitsForKey {
                guard isStart else {
                    state.dropped += 1
                    return nil
                }
                state.waitsForKey = false
            }
            if isFull(state, with: frame) {
                // What waits is older than what has come: it goes, and with it everything up to a place to begin anew.
                state.overloads += 1
                state.drop()
                guard isStart else {
                    state.dropped += 1
                    return nil
                }
                state.waitsForKey = false
            }
            state.queue.append(frame)
            state.bytes += frame.cost
            state.waitingMax = max(state.waitingMax, state.queue.count)
            guard !state.isScheduled else { return nil }
            state.isScheduled = true
            return state.turnEnd
        }
        if let turnEnd { pool.enqueue(self, behind: turnEnd) }
    }

    private func isFull(_ state: State, with frame: Frame) -> Bool {
        state.queue.count >= configuration.waitingMax
            || state.bytes + frame.cost > configuration.waitingBytesMax && state.queue.count > 0
            || state.queue.first.map { frame.arrival - $0.arrival > configuration.waitingMsMax } ?? false
    }

    /// The camera was lost or dialled anew: what waits is dropped, and the next frame may be of another timeline.
    public func interrupt() {
        state.withLock { state in
            state.queue = Deque()
            state.bytes = 0
            state.isInterrupted = true
            state.waitsForKey = false
        }
    }

    /// Lets it rest for `ms` milliseconds at most: who acts on what moves within a shorter time must be told of it as often.
    public func rest(atMost ms: Int64) { state.withLock { $0.restMax = Double(ms) / 1_000 } }

    /// Ends the detector; returns at once. At most the observation that is being delivered now still comes.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            state.queue = Deque()
            state.bytes = 0
        }
    }

    /// What it has cost so far.
    public var cost: MotionCost {
        state.withLock { state in
            var cost = state.cost
            cost.fed = state.fed
            cost.dropped = state.dropped
            cost.overloads = state.overloads
            cost.waitingMax = state.waitingMax
            return cost
        }
    }

    /// Works off a turn that begins at `begin` of the pool's clock; called by one thread of the pool at a time. Says whether
    /// there is more, and where the turn ended.
    func work(from begin: UInt64) -> (hasMore: Bool, end: UInt64) {
        let start = CPUClock.threadNs()
        var used: UInt64 = 0
        for _ in 0..<MotionPool.turnFrames {
            let next = state.withLock { state -> (frame: Frame, isInterrupted: Bool, restMax: Double)? in
                guard !state.isStopped, let frame = state.queue.popFirst() else { return nil }
                state.bytes -= frame.cost
                defer { state.isInterrupted = false }
                return (frame, state.isInterrupted, state.restMax)
            }
            guard let next else { break }
            worker.analyser.restMax = next.restMax
            if next.isInterrupted { worker.analyser.interrupt() }
            worker.analyser.take(next.frame)
            used = CPUClock.threadNs() &- start
            if used >= MotionPool.turnNsMax { break }
        }
        let isAllowed = budget.spend(ns: used, atMs: BootClock.nowMs())
        let (cost, end) = (worker.analyser.cost, begin &+ used)
        let hasMore = state.withLock { state in
            state.cost = cost
            state.turnEnd = end
            if !isAllowed { state.drop() }
            let hasMore = !state.isStopped && state.queue.count > 0
            state.isScheduled = hasMore
            return hasMore
        }
        return (hasMore, end)
    }
}

extension MotionDetector.State {
    /// Drops what waits, and what comes up to the next key frame.
    fileprivate mutating func drop() {
        dropped += UInt64(queue.count)
        queue = Deque()
        bytes = 0
        isInterrupted = true
        waitsForKey = true
    }
}
