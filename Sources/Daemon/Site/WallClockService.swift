internal import Catalog
internal import Foundation
internal import Journal
internal import Machines
internal import ServiceLifecycle
internal import Synchronization

/// What follows wall time: the schedules, the map from monotonic to wall time, and the heartbeat by which a later start
/// knows since when the daemon was down.
///
/// `@unchecked Sendable`: `seen` is confined to `queue`.
final class WallClockService: Service, @unchecked Sendable {
    /// How often it looks, in milliseconds.
    static let intervalMs: Int64 = 500
    /// By how much the wall clock must jump against the boot-time clock to be called stepped, in milliseconds.
    static let stepMs: Int64 = 1_000
    /// How often the heartbeat is written, in milliseconds: the precision of `recorderDown`.
    static let heartbeatMs: Int64 = 10_000
    /// How often a pair of both clocks is kept, in milliseconds.
    static let pairMs: Int64 = 600_000

    /// What the last look found.
    private struct Seen {
        /// Wall time minus boot time.
        var offset: Int64
        var lastBeat: Instant?
        var lastPair: Instant?
    }

    private let pool: CameraPool
    private let catalog: Catalog
    private let bootID: String
    private let host: any Host
    private let journal: Journal
    private let queue: any WorkQueue
    /// The site's time zone; read at each look, because a reload may change it.
    private let zone: @Sendable () -> TimeZone
    /// Told when the wall clock was set.
    private let onStep: @Sendable () -> Void
    private var seen: Seen
    private var timer: (any WakeTimer)?

    init(
        pool: CameraPool, catalog: Catalog, bootID: String, host: any Host, journal: Journal,
        onStep: @escaping @Sendable () -> Void, zone: @escaping @Sendable () -> TimeZone
    ) {
        self.pool = pool
        self.catalog = catalog
        self.bootID = bootID
        self.host = host
        self.journal = journal
        self.zone = zone
        self.onStep = onStep
        queue = host.queue("vigil.clock")
        seen = Seen(offset: host.clock.wallMs() - host.clock.now().ms)
    }

    /// Looks now and from now on.
    func start() {
        queue.run {
            self.timer = self.queue.timer { self.look() }
            self.look()
        }
    }

    /// Looks no more.
    func stop() {
        queue.run {
            self.timer?.set(afterMs: nil)
            self.timer = nil
        }
    }

    func run() async throws {
        start()
        try? await gracefulShutdown()
        stop()
    }

    private func look() {
        let now = host.clock.now()
        let wall = host.clock.wallMs()
        let step = wall - now.ms - seen.offset
        let hasStepped = step.magnitude >= Self.stepMs.magnitude
        // Slow drift (NTP slewing) is followed, not reported.
        seen.offset = wall - now.ms
        if hasStepped {
            journal.send(.clockStepped, fields: [(.stepMs, "\(step)")])
            seen.lastPair = nil
            onStep()
        }
        for camera in pool.all {
            camera.applySchedule(wallMs: wall, now: now, zone: zone(), always: hasStepped)
        }
        let isBeat = seen.lastBeat.map { now - $0 >= Self.heartbeatMs } ?? true
        let isPair = seen.lastPair.map { now - $0 >= Self.pairMs } ?? true
        if isBeat { seen.lastBeat = now }
        if isPair { seen.lastPair = now }
        if isBeat || isPair { write(Moment(monotonicMs: now.ms, wallMs: wall), isPair: isPair) }
        timer?.set(afterMs: Self.intervalMs)
    }

    private func write(_ moment: Moment, isPair: Bool) {
        do {
            try host.disk(.heartbeat, "") {
                try catalog.heartbeat(bootID: bootID, moment)
                if isPair { try catalog.recordClock(bootID: bootID, moment) }
            }
        } catch {
            // A catalog that cannot be written is told by the storage monitor; the next beat tries again.
            journal.send(.writeFailed, fields: [(.detail, "heartbeat: \(error)")], priority: .debug)
        }
    }
}
