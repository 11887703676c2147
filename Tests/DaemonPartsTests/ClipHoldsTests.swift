import Catalog
import Journal
import Machines
import Server
import Synchronization
import Testing

@testable import Daemon

@Suite("Clips that are being read")
struct ClipHoldsTests {
    private final class TestClock: Clocks {
        let ms = Mutex<Int64>(0)
        func now() -> Instant { Instant(ms: ms.withLock { $0 }) }
        func wallMs() -> Int64 { ms.withLock { $0 } }
    }

    private let ids = (1...3).map { ClipID(rawValue: $0) }

    @Test("are passed over by every rule but the one that frees room, as long as somebody holds them")
    func held() throws {
        let clock = TestClock()
        let holds = ClipHolds(clock: clock)
        func free(always: Bool = false) -> [ClipID] { holds.delete(ids, always: always) { $0 } }
        #expect(free() == ids)
        var kept = [try holds.hold([ids[0], ids[1]]), try holds.hold([ids[1]])]
        #expect(free() == [ids[2]] && free(always: true) == ids)
        kept.removeFirst()
        #expect(free() == [ids[0], ids[2]])
        // Not for ever.
        clock.ms.withLock { $0 += ClipHolds.holdMsMax - 1 }
        #expect(free() == [ids[0], ids[2]])
        clock.ms.withLock { $0 += 1 }
        #expect(free() == ids)
        kept.removeFirst()
        #expect(free() == ids)
    }

    @Test("are deleted by their rule in the end, however many readers hold them one after another (H6)")
    func relayed() throws {
        let clock = TestClock()
        let holds = ClipHolds(clock: clock)
        func free() -> [ClipID] { holds.delete(ids, always: false) { $0 } }
        var hold = try holds.hold([ids[0]])
        #expect(free() == [ids[1], ids[2]])
        for _ in 0..<5 {
            clock.ms.withLock { $0 += ClipHolds.holdMsMax / 6 }
            // The next one begins before this one ends.
            hold = try holds.hold([ids[0]])
            #expect(free() == [ids[1], ids[2]])
        }
        clock.ms.withLock { $0 += ClipHolds.holdMsMax / 6 }
        #expect(free() == ids)
        withExtendedLifetime(hold) {}
    }

    @Test("cannot be held once their deletion is under way, and can when it failed")
    func going() throws {
        let holds = ClipHolds(clock: TestClock())
        struct Failure: Error {}
        var refusal: (any Error)?
        var other: ClipHolds.Hold?
        do {
            try holds.delete([ids[0]], always: false) { _ in
                do { _ = try holds.hold(ids) } catch { refusal = error }
                other = try holds.hold([ids[1]])
                throw Failure()
            }
        } catch is Failure {}
        #expect(refusal is ClipHolds.Going && other != nil)
        _ = try holds.hold(ids)
    }
}
