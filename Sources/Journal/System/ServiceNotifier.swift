internal import CSystemd
internal import Foundation

/// Tells the service manager how the daemon is (sd_notify(3)). Without a manager every call does nothing and says so.
public struct ServiceNotifier: Sendable {
    /// How a notification went.
    public enum Outcome: Sendable, Hashable {
        /// The manager has it.
        case sent
        /// No manager listens: `NOTIFY_SOCKET` is not set.
        case noManager
    }

    /// The longest status text, in Unicode scalars.
    static let statusScalarsMax = 400

    private let clock = MachineClock()

    /// A notifier for the process's own manager.
    public init() {}

    /// READY=1: set up; with a status line, and with the process's own id as MAINPID.
    @discardableResult
    public func ready(status: String? = nil) throws -> Outcome {
        let own = "MAINPID=\(ProcessInfo.processInfo.processIdentifier)"
        return try notify(["READY=1", own] + line(status))
    }

    /// STOPPING=1: an ordered stop began.
    @discardableResult
    public func stopping(status: String? = nil) throws -> Outcome { try notify(["STOPPING=1"] + line(status)) }

    /// RELOADING=1 with MONOTONIC_USEC; follow it with ``ready(status:)``.
    @discardableResult
    public func reloading(status: String? = nil) throws -> Outcome {
        try notify(["RELOADING=1", "MONOTONIC_USEC=\(clock.monotonicUsec())"] + line(status))
    }

    /// STATUS=: one line, shown by `systemctl status`; control characters become escapes.
    @discardableResult
    public func status(_ text: String) throws -> Outcome { try notify(line(text)) }

    /// WATCHDOG=1: alive, and nothing is overdue.
    @discardableResult
    public func feedWatchdog() throws -> Outcome { try notify(["WATCHDOG=1"]) }

    /// EXTEND_TIMEOUT_USEC: start or stop takes up to `milliseconds` longer; for a long recovery.
    @discardableResult
    public func extendTimeout(milliseconds: Int64) throws -> Outcome {
        try notify(["EXTEND_TIMEOUT_USEC=\(max(0, min(milliseconds, .max / 1_000)) * 1_000)"])
    }

    /// The watchdog's timeout in milliseconds where the manager wants to be fed by this process (WATCHDOG_USEC,
    /// WATCHDOG_PID); feed it at half of it at the latest. Nil where no watchdog is set.
    public func watchdogTimeoutMs() -> Int64? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return Int64(min(microseconds / 1_000, UInt64(Int64.max)))
    }

    private func line(_ status: String?) -> [String] {
        guard let status else { return [] }
        return ["STATUS=" + Escaping.visible(Redaction.clean(status), scalarsMax: Self.statusScalarsMax)]
    }

    private func notify(_ assignments: [String]) throws -> Outcome {
        let result = sd_notify(0, assignments.joined(separator: "\n"))
        guard result >= 0 else { throw JournalError.notifyFailed(errno: -result) }
        return result > 0 ? .sent : .noManager
    }
}
