internal import Journal
internal import Machines
internal import Server
internal import ServiceLifecycle

/// Tells systemd how the site is: STATUS= for people, WATCHDOG=1 while machines take their deadlines.
///
/// The watchdog vouches for the process and not for a camera: a restart interrupts every recording, so one camera that is
/// late, whatever made it so, must not bring it about. It is told as a fault. Where none of the cameras that owe something
/// takes its deadlines, the process itself does not work, and a restart is what helps.
struct Supervisor: Service {
    /// How long a deadline may be past before it is called overdue, in milliseconds.
    static let lateMs: Int64 = 5_000
    /// How often the status is renewed, in milliseconds.
    static let statusMs: Int64 = 2_000

    let pool: CameraPool
    let storage: StorageMonitor
    let limits: LimitMonitor
    let journal: Journal
    private let notifier = ServiceNotifier()
    private let clock: any Clocks

    init(pool: CameraPool, storage: StorageMonitor, limits: LimitMonitor, clock: any Clocks, journal: Journal) {
        self.clock = clock
        self.pool = pool
        self.storage = storage
        self.limits = limits
        self.journal = journal
    }

    func run() async throws {
        let watchdogMs = notifier.watchdogTimeoutMs()
        let interval = min(Self.statusMs, (watchdogMs ?? Self.statusMs * 2) / 3)
        do { try await watch(watchdogMs, interval) } catch is CancellationError {}
    }

    private func watch(_ watchdogMs: Int64?, _ interval: Int64) async throws {
        try await cancelWhenGracefulShutdown {
            var told: Set<String> = []
            while !Task.isCancelled {
                let (late, owing) = obligations(at: clock.now())
                for name in late where told.insert(name).inserted {
                    journal.send(
                        .obligationOverdue, camera: name,
                        fields: [(.obligation, "deadline"), (.durationMs, "\(Self.lateMs)")])
                }
                told.formIntersection(late)
                if Self.vouches(late: late.count, owing: owing), watchdogMs != nil {
                    _ = try? notifier.feedWatchdog()
                }
                _ = try? notifier.status(summary(late: late.count))
                if let reason = storage.endsBecause { throw DaemonFailure(reason) }
                try await Task.sleep(for: .milliseconds(interval))
            }
        }
    }

    /// Whether the process works, as far as its cameras show it: not all that owe something are late.
    static func vouches(late: Int, owing: Int) -> Bool { late == 0 || late < owing }

    /// What these obligations say of the daemon's health: a camera that is late is told, and makes nothing of the others worse.
    static func health(late: Int, owing: Int) -> Health {
        guard vouches(late: late, owing: owing) else {
            return Health(ok: false, reason: "all \(late) cameras that owe something are late")
        }
        guard late > 0 else { return Health(ok: true, reason: "ok") }
        return Health(ok: true, reason: "ok, but \(late) \(late == 1 ? "camera is" : "cameras are") late")
    }

    /// The health of the daemon by what its cameras owe.
    var health: Health {
        let (late, owing) = obligations(at: clock.now())
        return Self.health(late: late.count, owing: owing)
    }

    /// Cameras whose machine has a deadline that is past and has not been taken, and how many cameras have a deadline at all.
    private func obligations(at now: Instant) -> (late: [String], owing: Int) {
        let due = pool.all.compactMap { camera -> (name: String, at: Instant)? in
            let view = camera.actor.view
            guard view.isStarted, let at = view.machine.nextDeadline else { return nil }
            return (camera.name, at)
        }
        return (due.filter { now - $0.at > Self.lateMs }.map(\.name), due.count)
    }

    /// Cameras that are late now.
    var overdue: [String] { obligations(at: clock.now()).late }

    /// One line: how many cameras carry which label, the storage, and what is wrong.
    var summary: String { summary(late: overdue.count) }

    private func summary(late: Int) -> String {
        var counts: [Coverage: Int] = [:]
        for camera in pool.all { counts[camera.actor.view.machine.coverage, default: 0] += 1 }
        let labels = Coverage.allCases.compactMap { label in counts[label].map { "\($0) \(label.rawValue)" } }
        let report = storage.report
        let free = "\(report.freeBytes / 1_000_000_000) GB free"
        let room = report.storage == .ok ? free : "storage \(report.storage.rawValue), \(free)"
        let cameras = counts.values.reduce(0, +)
        let faults = [(late, "late"), (pool.dials.overdueCount(at: clock.now()), "hang-ups overdue")]
            .filter { $0.0 > 0 }.map { "; \($0.0) \($0.1)" }.joined()
        let count = "\(cameras) \(cameras == 1 ? "camera" : "cameras")"
        let line = "\(count): \(labels.joined(separator: ", ")); \(room)\(faults)"
        return limits.complaint.map { "\(line); \($0)" } ?? line
    }
}
