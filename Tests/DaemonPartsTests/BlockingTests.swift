import Dispatch
import Server
import Synchronization
import Testing

@testable import Daemon

@Suite("Work that blocks")
struct BlockingTests {
    @Test("so much runs at once, so much waits, and what goes beyond is refused with the number")
    func bounds() async throws {
        let blocking = Blocking("test", "things", runningMax: 2, waitingMax: 3)
        let (running, most) = (Mutex(0), Mutex(0))
        let gate = DispatchSemaphore(value: 0)
        let refused = Mutex(0)
        let done = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        return try await blocking.run {
                            let now = running.withLock {
                                $0 += 1; return $0
                            }
                            most.withLock { $0 = max($0, now) }
                            // Until the others have been refused, nothing ends.
                            gate.wait()
                            running.withLock { $0 -= 1 }
                            return 1
                        }
                    } catch let error as SiteError {
                        #expect(error.kind == .unavailable && error.why == "2 things are under way and 3 wait")
                        let count = refused.withLock {
                            $0 += 1
                            return $0
                        }
                        if count == 15 { for _ in 0..<5 { gate.signal() } }
                        return 0
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(done == 5 && most.withLock { $0 } == 2)
        // What was refused leaves no trace: there is room again.
        #expect(try await blocking.run { 7 } == 7)
    }

    @Test("what throws frees its place, and the error comes through")
    func failing() async throws {
        struct Wrong: Error {}
        let blocking = Blocking("test", "things", runningMax: 1, waitingMax: 0)
        for _ in 0..<3 { await #expect(throws: Wrong.self) { try await blocking.run { throw Wrong() } } }
    }
}
