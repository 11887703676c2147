import Catalog
import Foundation
import Journal
import Machines
import Media
import Policies
import Provider
import Synchronization

@testable import Daemon

/// A machine whose clocks go as they are told: its queues do their work and its timers fire in the turn of the test, and a
/// provider answers as it was told.
///
/// `@unchecked Sendable`: confined to the thread of one test.
final class PlanWorld: Daemon.Host, Clocks, @unchecked Sendable {
    /// What the provider does with the requests to come.
    enum Answering {
        /// Answers with these bytes after so many milliseconds.
        case bytes(String, afterMs: Int64)
        /// Fails at once.
        case failure(PlanFailure)
        /// Says nothing, ever.
        case silence
    }

    private let system = SystemHost()
    private(set) var nowMs: Int64 = 5_000_000
    private(set) var wall: Int64
    private var due: [(at: Int64, number: Int, work: () -> Void)] = []
    private var numbers = 0
    var answering = Answering.failure(PlanFailure(.unreachable, "nobody is there"))
    /// The requests that were made, and how many of them were given up.
    private(set) var requests: [PlanRequest] = []
    private(set) var cancelled = 0
    /// Whether what a subscription keeps cannot be written: the next so many times.
    var failures = 0
    /// After how many writes of a subscription the next ones fail.
    var failsAfter: Int?
    /// For how long the next write of a subscription does not answer, in milliseconds.
    var hangsMs: Int64 = 0
    /// The writes of subscriptions.
    private(set) var writes = 0

    init(wallMs: Int64) { wall = wallMs }

    func now() -> Instant { Instant(ms: nowMs) }
    func wallMs() -> Int64 { wall }
    var clock: any Clocks { self }

    /// Another boot: its clock begins anew.
    func boot() {
        nowMs = 7_000
        due = []
    }

    /// Sets the wall clock.
    func setWall(by ms: Int64) { wall += ms }

    /// Lets time pass, with everything that falls due in it.
    func pass(_ ms: Int64) {
        let end = nowMs + ms
        while let index = due.indices.filter({ due[$0].at <= end }).min(by: {
            (due[$0].at, due[$0].number) < (due[$1].at, due[$1].number)
        }) {
            let next = due.remove(at: index)
            wall += max(0, next.at - nowMs)
            nowMs = max(nowMs, next.at)
            next.work()
        }
        wall += max(0, end - nowMs)
        nowMs = max(nowMs, end)
    }

    fileprivate func at(_ ms: Int64, _ work: @escaping () -> Void) -> Int {
        numbers += 1
        due.append((ms, numbers, work))
        return numbers
    }

    fileprivate func take(_ number: Int) { due.removeAll { $0.number == number } }

    // MARK: The host

    var motionPool: MotionPool? { nil }
    func queue(_ label: String) -> any WorkQueue { PlanQueue(self) }
    func dial(_ camera: String, _ source: InputSource, to sink: any InputSink) -> any Dial {
        system.dial(camera, source, to: sink)
    }
    func volume(_ root: String) -> any Volume { system.volume(root) }
    func clipToken() -> String? { nil }

    func disk<Result>(_ step: DiskStep, _ path: String, _ work: () throws -> Result) throws -> Result {
        guard step == .subscription else { return try work() }
        if let left = failsAfter {
            failsAfter = left > 0 ? left - 1 : nil
            if left == 0 { throw POSIXError(.EIO) }
        }
        guard failures == 0 else {
            failures -= 1
            throw POSIXError(.ENOSPC)
        }
        writes += 1
        nowMs += hangsMs
        wall += hangsMs
        hangsMs = 0
        return try work()
    }

    func plans(
        _ request: PlanRequest, _ answer: @escaping @Sendable (Result<[UInt8], PlanFailure>) -> Void
    ) -> any PlanCall {
        requests.append(request)
        switch answering {
        case .bytes(let text, let ms): _ = at(nowMs + ms) { answer(.success(Array(text.utf8))) }
        case .failure(let failure): _ = at(nowMs) { answer(.failure(failure)) }
        case .silence: break
        }
        return Call(world: self)
    }

    private struct Call: PlanCall {
        let world: PlanWorld
        func cancel() { world.cancelled += 1 }
    }
}

/// A queue of such a machine.
private final class PlanQueue: WorkQueue, @unchecked Sendable {
    let world: PlanWorld

    init(_ world: PlanWorld) { self.world = world }

    func run(_ work: @escaping @Sendable () -> Void) { _ = world.at(world.nowMs, work) }
    func runAndWait(_ work: () -> Void) { work() }
    func timer(_ fire: @escaping @Sendable () -> Void) -> any WakeTimer { PlanTimer(world, fire) }
    func checkIsolated() {}
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

private final class PlanTimer: WakeTimer, @unchecked Sendable {
    private let world: PlanWorld
    private let fire: @Sendable () -> Void
    private var number: Int?

    init(_ world: PlanWorld, _ fire: @escaping @Sendable () -> Void) { (self.world, self.fire) = (world, fire) }

    func set(afterMs: Int64?) {
        if let number { world.take(number) }
        number = afterMs.map { world.at(world.nowMs + max($0, 0), fire) }
    }

    deinit { if let number { world.take(number) } }
}
