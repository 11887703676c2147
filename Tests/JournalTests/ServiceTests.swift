import Foundation
import Glibc
import Machines
import Testing

@testable import Journal

@Suite("The service manager and the clocks", .serialized)
struct ServiceTests {
    @Test("Without a manager every notification says so and does nothing")
    func noManager() throws {
        unsetenv("NOTIFY_SOCKET")
        unsetenv("WATCHDOG_USEC")
        let notifier = ServiceNotifier()
        #expect(try notifier.ready(status: "x") == .noManager)
        #expect(try notifier.feedWatchdog() == .noManager)
        #expect(notifier.watchdogTimeoutMs() == nil)
    }

    @Test("A manager gets what sd_notify(3) describes, a status in one line without secrets")
    func manager() throws {
        let receiver = try Receiver()
        setenv("NOTIFY_SOCKET", receiver.path, 1)
        defer { unsetenv("NOTIFY_SOCKET") }
        let notifier = ServiceNotifier()
        func text() throws -> String { String(decoding: try receiver.bytes(), as: UTF8.self) }
        #expect(try notifier.ready(status: "4 cameras\nREADY=0 rtsp://u:p@h/") == .sent)
        #expect(
            try text() == "READY=1\nMAINPID=\(getpid())\nSTATUS=4 cameras\\nREADY=0 rtsp://h/")
        try notifier.stopping()
        #expect(try text() == "STOPPING=1")
        try notifier.status("recording 3 of 4")
        #expect(try text() == "STATUS=recording 3 of 4")
        try notifier.feedWatchdog()
        #expect(try text() == "WATCHDOG=1")
        try notifier.extendTimeout(milliseconds: 90_000)
        #expect(try text() == "EXTEND_TIMEOUT_USEC=90000000")
        let before = MachineClock().monotonicUsec()
        try notifier.reloading()
        let lines = try text().split(separator: "\n")
        let usec = try #require(lines.last.flatMap { Int64($0.dropFirst("MONOTONIC_USEC=".count)) })
        #expect(lines.first == "RELOADING=1" && usec >= before && usec <= MachineClock().monotonicUsec())
    }

    @Test("A manager that is gone is an error with a remedy")
    func goneManager() throws {
        setenv("NOTIFY_SOCKET", try Scratch.folder() + "/none", 1)
        defer { unsetenv("NOTIFY_SOCKET") }
        #expect(throws: JournalError.notifyFailed(errno: ENOENT)) { try ServiceNotifier().ready() }
    }

    @Test("The watchdog's timeout is found, and only by the process that is meant")
    func watchdog() {
        setenv("WATCHDOG_USEC", "30000000", 1)
        setenv("WATCHDOG_PID", "\(getpid())", 1)
        #expect(ServiceNotifier().watchdogTimeoutMs() == 30_000)
        setenv("WATCHDOG_PID", "1", 1)
        #expect(ServiceNotifier().watchdogTimeoutMs() == nil)
        unsetenv("WATCHDOG_USEC")
        unsetenv("WATCHDOG_PID")
    }

    @Test("The machine's clock never goes back and counts from the boot; the wall clock is the system's")
    func clocks() throws {
        let clock = MachineClock()
        let first = clock.now()
        #expect(first.ms > 0 && clock.now() >= first)
        let uptime = try String(contentsOfFile: "/proc/uptime", encoding: .utf8)
        let seconds = try #require(Double(uptime.split(separator: " ")[0]))
        #expect(abs(Double(clock.now().ms) / 1_000 - seconds) < 5)
        #expect(abs(Double(clock.wallMs()) / 1_000 - Date().timeIntervalSince1970) < 5)
    }

    @Test("The boot id is the kernel's, a run's id is its own")
    func ids() throws {
        let kernel = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let boot = try BootID.current()
        #expect(BootID(kernel.trimmingCharacters(in: .whitespacesAndNewlines)) == boot)
        #expect(BootID("12") == nil && BootID(String(repeating: "x", count: 32)) == nil)
        #expect(RandomID() != RandomID() && RandomID().value.utf8.count == 32)
    }
}
