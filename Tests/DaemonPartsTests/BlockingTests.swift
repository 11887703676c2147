import Dispatch
import Server
import Synchronization
import Testing

@testable import Daemon

@Suite("Work that blocks")
struct BlockingTests {
    /// How many run, ran at once at most, and were refused.
    private final class Counts: Sendable {
        private let state = Mutex((running: 0, most: 0, refused: 0))

        var most: Int { state.withLock { $0.most } }

        func begin() {
            state.withLock { state in
                state.running += 1
                state.most = max(state.most, state.running)
            }
        }

        func end() { state.withLock { $0.running -= 1 } }

        func refuse() -> Int {
            state.withLock { state in
                state.refused += 1
                return state.refused
            }
        }
    }

    @Test("so much runs at once, so much waits, and what goes beyond is refused with the number")
    func bounds() async throws {
        let blocking = Blocking("test", "things", runningMax: 2, waitingMax: 3)
        let counts = Counts()
        let gate = DispatchSemaphore(value: 0)
        let done = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        return try await blocking.run {
                            counts.begin()
                            // Until the others have been refused, nothing ends.
                            gate.wait()
                            counts.end()
                            return 1
                        }
                    } catch let error as SiteError {
                        #expect(error.kind == .unavailable && error.why == "2 things are under way and 3 wait")
                        if counts.refuse() == 15 { for _ in 0..<5 { gate.signal() } }
                        return 0
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(done == 5 && counts.most == 2)
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
