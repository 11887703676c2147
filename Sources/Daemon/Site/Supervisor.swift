internal import Journal
internal import Machines
internal import ServiceLifecycle

/// Tells systemd how the site is: STATUS= for people, WATCHDOG=1 only while no machine is late with what it owes.
///
/// A daemon that lives and does not record is worse than one that is restarted: a camera whose actor no longer takes its
/// deadlines keeps the watchdog hungry. A bounded close or reconnect in flight does not: it has a deadline of its own.
struct Supervisor: Service {
    /// How long a deadline may be past before it is called overdue, in milliseconds.
    static let lateMs: Int64 = 5_000
    /// How often the status is renewed, in milliseconds.
    static let statusMs: Int64 = 2_000

    let pool: CameraPool
    let storage: StorageMonitor
    let limits: LimitWatch
    let journal: Journal
    private let notifier = ServiceNotifier()
    private let clock: any Clocks

    init(pool: CameraPool, storage: StorageMonitor, limits: LimitWatch, clock: any Clocks, journal: Journal) {
        self.clock = clock
        self.pool = pool
        self.storage = storage
        self.limits = limits
        self.journal = journal
    }

    func run() async throws {
        let watchdogMs = notifier.watchdogTimeoutMs()
        let interval = min(Self.statusMs, (watchdogMs ?? Self.statusMs * 2) / 3)
        try? await cancelWhenGracefulShutdown {
            var told: Set<String> = []
            while !Task.isCancelled {
                let late = overdue(at: clock.now())
                for name in late where told.insert(name).inserted {
                    journal.send(
                        .obligationOverdue, camera: name,
                        fields: [(.obligation, "deadline"), (.durationMs, "\(Self.lateMs)")])
                }
                told.formIntersection(late)
                if late.isEmpty, watchdogMs != nil { _ = try? notifier.feedWatchdog() }
                _ = try? notifier.status(summary)
                try await Task.sleep(for: .milliseconds(interval))
            }
        }
    }

    /// Cameras whose machine has a deadline that is past and has not been taken.
    func overdue(at now: Instant) -> [String] {
        pool.all.filter { camera in
            let camera = camera.actor.view
            return camera.isStarted && camera.machine.nextDeadline.map { now - $0 > Self.lateMs } ?? false
        }.map(\.name)
    }

    /// The same, now.
    var overdue: [String] { overdue(at: clock.now()) }

    /// One line: how many cameras carry which label, and the storage.
    var summary: String {
        var counts: [Coverage: Int] = [:]
        for camera in pool.all { counts[camera.actor.view.machine.coverage, default: 0] += 1 }
        let labels = Coverage.allCases.compactMap { label in counts[label].map { "\($0) \(label.rawValue)" } }
        let report = storage.report
        let free = "\(report.freeBytes / 1_000_000_000) GB free"
        let room = report.storage == .ok ? free : "storage \(report.storage.rawValue), \(free)"
        let cameras = counts.values.reduce(0, +)
        let line = "\(cameras) \(cameras == 1 ? "camera" : "cameras"): \(labels.joined(separator: ", ")); \(room)"
        return limits.complaint.map { "\(line); \($0)" } ?? line
    }
}
