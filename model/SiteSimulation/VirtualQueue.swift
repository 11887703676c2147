internal import Daemon
internal import Dispatch
internal import Foundation

/// A work queue in virtual time. Its work is done on the simulation's thread, a moment after it came; or, where the disk may make
/// it wait, on a thread of its own that takes turns with the simulation, so that everything else goes on meanwhile.
///
/// `@unchecked Sendable`: confined to the simulation's thread (see there).
final class VirtualQueue: WorkQueue, @unchecked Sendable {
    let label: String
    let daemonRun: DaemonRun
    private let virtualTime: VirtualTime
    private var jobs: [@Sendable () -> Void] = []
    private var head = 0
    private(set) var isBusy = false
    private var thread: VirtualQueueThread?
    /// The work in progress runs on the thread, and can wait.
    private(set) var canWait = false
    /// The work in progress waits for its turn.
    private(set) var isWaiting = false

    init(_ label: String, _ daemonRun: DaemonRun) {
        self.label = label
        self.daemonRun = daemonRun
        virtualTime = daemonRun.virtualTime
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        guard daemonRun.isAlive else { return }
        jobs.append(work)
        guard !isBusy else { return }
        isBusy = true
        virtualTime.after(daemonRun.conditions.startDelay(of: label)) { self.pump() }
    }

    func runAndWait(_ work: () -> Void) {
        let before = virtualTime.virtualQueue
        virtualTime.virtualQueue = self
        work()
        virtualTime.virtualQueue = before
    }

    func timer(_ fire: @escaping @Sendable () -> Void) -> any WakeTimer { VirtualTimer(self, fire) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { precondition(virtualTime.virtualQueue === self) }

    private func pump() {
        guard daemonRun.isAlive else { return }
        guard head < jobs.count else {
            jobs.removeAll(keepingCapacity: true)
            head = 0
            isBusy = false
            return
        }
        let job = jobs[head]
        head += 1
        if daemonRun.conditions.mayWait(label) {
            let thread = thread ?? VirtualQueueThread()
            self.thread = thread
            canWait = true
            thread.begin(job)
            turn(thread)
        } else {
            runAndWait(job)
            virtualTime.after(0) { self.pump() }
        }
    }

    /// Hands the turn to the thread until it is done or waits.
    private func turn(_ thread: VirtualQueueThread) {
        let before = virtualTime.virtualQueue
        virtualTime.virtualQueue = self
        let isDone = thread.turn()
        virtualTime.virtualQueue = before
        if isDone {
            canWait = false
            virtualTime.after(0) { self.pump() }
        }
    }

    /// The work in progress waits for `ms`; false if its host died meanwhile. Called from that work.
    func wait(_ ms: Int64) -> Bool {
        guard canWait, let thread else { return daemonRun.isAlive }
        isWaiting = true
        virtualTime.after(ms) { if self.isWaiting { self.goOn() } }
        thread.giveBack()
        return daemonRun.isAlive
    }

    private func goOn() {
        isWaiting = false
        if let thread { turn(thread) }
    }

    /// Ends the work in progress, which finds its host dead, and the thread.
    func end() {
        while isWaiting { goOn() }
        thread?.end()
        thread = nil
        jobs = []
    }
}

/// A thread that takes turns with the simulation.
private final class VirtualQueueThread: @unchecked Sendable {
    private let mine = DispatchSemaphore(value: 0)
    private let theirs = DispatchSemaphore(value: 0)
    private var job: (@Sendable () -> Void)?
    private var isEnding = false

    init() {
        let thread = Thread { self.live() }
        thread.stackSize = 1 << 20
        thread.start()
    }

    private func live() {
        while true {
            mine.wait()
            if isEnding { return }
            job?()
            job = nil
            theirs.signal()
        }
    }

    func begin(_ job: @escaping @Sendable () -> Void) { self.job = job }

    /// Lets the thread act; true when its work is done.
    func turn() -> Bool {
        mine.signal()
        theirs.wait()
        return job == nil
    }

    /// Lets the simulation act, until the next turn. On the thread.
    func giveBack() {
        theirs.signal()
        mine.wait()
    }

    func end() {
        isEnding = true
        mine.signal()
    }
}

/// A timer in virtual time.
private final class VirtualTimer: WakeTimer, @unchecked Sendable {
    private weak var virtualQueue: VirtualQueue?
    private let virtualTime: VirtualTime
    private let fire: @Sendable () -> Void
    private var number = 0

    init(_ virtualQueue: VirtualQueue, _ fire: @escaping @Sendable () -> Void) {
        self.virtualQueue = virtualQueue
        virtualTime = virtualQueue.daemonRun.virtualTime
        self.fire = fire
    }

    func set(afterMs: Int64?) {
        number += 1
        guard let afterMs, let virtualQueue else { return }
        let expected = number
        virtualTime.after(afterMs + virtualQueue.daemonRun.conditions.timerDelay()) { [weak self] in
            guard let self, self.number == expected else { return }
            self.virtualQueue?.run(self.fire)
        }
    }
}
