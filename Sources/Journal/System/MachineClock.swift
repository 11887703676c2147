internal import Glibc
public import Machines

/// The two clocks of a daemon. Whoever needs the time is given them, so that a simulation can give its own.
public protocol Clocks: Sendable {
    /// Now on the clock that decisions use: milliseconds, never set back within a boot.
    func now() -> Instant
    /// Now on the wall clock, in milliseconds since 1970-01-01T00:00:00Z. May jump in either direction.
    func wallMs() -> Int64
}

/// The clocks of this machine, read in one place so that every instant of the daemon is on the same scale.
///
/// The boot-time clock also counts while the machine sleeps, so a deadline stays true over a suspend; it cannot be set,
/// so no clock step moves it. Wall time is an annotation only.
public struct MachineClock: Clocks, Hashable {
    /// The clocks; the value holds nothing.
    public init() {}

    /// Now on the boot-time clock, in whole milliseconds since the boot.
    public func now() -> Instant {
        Instant(ms: Self.microseconds(of: CLOCK_BOOTTIME) / 1_000)
    }

    /// Now on the wall clock, in milliseconds since 1970-01-01T00:00:00Z. May jump in either direction.
    public func wallMs() -> Int64 {
        Self.microseconds(of: CLOCK_REALTIME) / 1_000
    }

    /// Now on the monotonic clock in microseconds: the scale that systemd expects in `MONOTONIC_USEC=`.
    func monotonicUsec() -> Int64 {
        Self.microseconds(of: CLOCK_MONOTONIC)
    }

    static func microseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        // These clocks exist on every Linux that Swift runs on; an unreadable one reads as 0.
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000
    }
}
