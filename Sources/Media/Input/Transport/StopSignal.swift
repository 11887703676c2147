import CLibav
import Glibc
import Machines
import Synchronization

/// The word to stop, heard by a thread that waits for a socket, for a time, or inside of libav.
package final class StopSignal: Sendable {
    private let raised = Atomic<Bool>(false)
    /// Readable once stopped; -1 when the system gave none, in which case waits look at the flag in slices.
    let descriptor: Int32

    /// Not raised.
    package init() { descriptor = vigil_eventfd() }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    func raise() {
        guard !raised.exchange(true, ordering: .acquiringAndReleasing), descriptor >= 0 else { return }
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Waits up to `ms`; true when stopped.
    func wait(ms: Int64) -> Bool {
        let until = BootClock.nowMs() + max(0, ms)
        while !isRaised {
            let left = until - BootClock.nowMs()
            guard left > 0 else { return false }
            var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&descriptor, 1, Int32(clamping: min(left, self.descriptor < 0 ? 50 : 60_000)))
        }
        return true
    }
}

/// The monotonic clock that counts through suspend, in milliseconds since boot.
enum BootClock {
    static func nowMs() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    static func now() -> Instant { Instant(ms: nowMs()) }
}
