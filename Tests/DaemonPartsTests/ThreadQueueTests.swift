import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Daemon

@Suite("Queues and their threads", .timeLimit(.minutes(15)))
struct ThreadQueueTests {
    /// What was done, in order.
    private final class Done: Sendable {
        private let state = Mutex<[Int]>([])
        var all: [Int] { state.withLock { $0 } }
        func note(_ number: Int) { state.withLock { $0.append(number) } }
    }

    @Test("work is done one after another in the order in which it came, whoever hands it in")
    func order() async {
        let queue = ThreadQueue("vigil.test", on: QueueThreads(restMs: 100))
        let done = Done()
        for number in 0..<1_000 { queue.run { done.note(number) } }
        queue.runAndWait { done.note(1_000) }
        #expect(done.all == Array(0...1_000))
        let atOnce = Mutex((now: 0, most: 0))
        let ended = DispatchSemaphore(value: 0)
        for _ in 0..<8 {
            Thread.detachNewThread {
                for _ in 0..<200 {
                    queue.run {
                        let now = atOnce.withLock { state -> Int in
                            state.now += 1
                            state.most = max(state.most, state.now)
                            return state.now
                        }
                        if now == 1 { atOnce.withLock { $0.now -= 1 } }
                    }
                }
                ended.signal()
            }
        }
        await onThread { for _ in 0..<8 { ended.wait() } }
        queue.runAndWait { queue.checkIsolated() }
        #expect(atOnce.withLock { $0.most } == 1)
    }

    @Test("a queue that blocks holds up no other, and threads that are too many end while others work on (H1)")
    func threads() async {
        let threads = QueueThreads(restMs: 50)
        let gate = DispatchSemaphore(value: 0)
        let blocked = (0..<30).map { ThreadQueue("vigil.blocked.\($0)", on: threads) }
        let done = Done()
        for (number, queue) in blocked.enumerated() {
            queue.run {
                gate.wait()
                done.note(number)
            }
        }
        let working = ThreadQueue("vigil.working", on: threads)
        let most = await onThread { () -> Int in
            var count = 0
            working.runAndWait { count = threads.count }
            return count
        }
        #expect(most == 31)
        for _ in blocked { gate.signal() }
        // The one that works goes on meanwhile: were the threads woken in turn, none would rest long enough.
        let least = await onThread { () -> Int in
            let deadline = ContinuousClock.now + .seconds(60)
            while threads.count > 2, ContinuousClock.now < deadline { working.runAndWait {} }
            return threads.count
        }
        #expect(least <= 2)
        #expect(done.all.sorted() == Array(0..<30))
    }

    @Test("a timer fires once for each time that it is set, on its queue, and not for what it was set for before")
    func timer() async {
        let queue = ThreadQueue("vigil.test", on: QueueThreads(restMs: 100))
        let done = Done()
        let fired = DispatchSemaphore(value: 0)
        let timer = queue.timer {
            queue.checkIsolated()
            done.note(done.all.count)
            fired.signal()
        }
        await onThread {
            timer.set(afterMs: 1)
            fired.wait()
            timer.set(afterMs: -5)
            fired.wait()
            // It is due while its queue is busy; what is set there counts.
            queue.runAndWait {
                timer.set(afterMs: 0)
                #expect(Self.comes { queue.waiting == 1 })
                timer.set(afterMs: nil)
            }
            queue.runAndWait {
                timer.set(afterMs: 0)
                #expect(Self.comes { queue.waiting == 1 })
                timer.set(afterMs: 1)
            }
            fired.wait()
            queue.runAndWait {}
        }
        #expect(done.all == [0, 1, 2])
    }

    @Test("a timer that is gone does not fire")
    func goneTimer() async {
        let queue = ThreadQueue("vigil.test", on: QueueThreads(restMs: 100))
        let done = Done()
        await onThread {
            queue.runAndWait {
                let timer = queue.timer { done.note(1) }
                timer.set(afterMs: 0)
                #expect(Self.comes { queue.waiting == 1 })
                _ = timer
            }
            queue.runAndWait {}
        }
        #expect(done.all == [])
    }

    /// Waits for a fact of another thread; false where it did not come in a minute.
    private static func comes(_ fact: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while !fact(), ContinuousClock.now < deadline { sched_yield() }
        return fact()
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}
