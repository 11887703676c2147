internal import Catalog
internal import Foundation
internal import Journal
internal import Machines
internal import ServiceLifecycle
internal import Synchronization

/// What follows wall time: the schedules, the map from monotonic to wall time, and the heartbeat by which a later start
/// knows since when the daemon was down.
struct SiteClock: Service {
    /// How often it looks, in milliseconds.
    static let intervalMs = 500
    /// By how much the wall clock must jump against the boot-time clock to be called stepped, in milliseconds.
    static let stepMs: Int64 = 1_000
    /// How often the heartbeat is written, in milliseconds: the precision of `recorderDown`.
    static let heartbeatMs: Int64 = 10_000
    /// How often a pair of both clocks is kept, in milliseconds.
    static let pairMs: Int64 = 600_000

    let pool: CameraPool
    let catalog: Catalog
    let bootID: String
    let journal: Journal
    /// The site's time zone; read at each look, because a reload may change it.
    let zone: @Sendable () -> TimeZone
    private let clock = MachineClock()

    init(
        pool: CameraPool, catalog: Catalog, bootID: String, journal: Journal,
        zone: @escaping @Sendable () -> TimeZone
    ) {
        self.pool = pool
        self.catalog = catalog
        self.bootID = bootID
        self.journal = journal
        self.zone = zone
    }

    func run() async throws {
        // Ends with the other services: a graceful shutdown cancels the sleep.
        try? await cancelWhenGracefulShutdown {
            var offset = clock.wallMs() - clock.now().ms
            var lastBeat: Instant?
            var lastPair: Instant?
            while !Task.isCancelled {
                let now = clock.now()
                let wall = clock.wallMs()
                let step = wall - now.ms - offset
                let hasStepped = step.magnitude >= Self.stepMs.magnitude
                // Slow drift (NTP slewing) is followed, not reported.
                offset = wall - now.ms
                if hasStepped {
                    journal.send(.clockStepped, fields: [(.stepMs, "\(step)")])
                    lastPair = nil
                }
                for camera in pool.all {
                    camera.applySchedule(wallMs: wall, now: now, zone: zone(), always: hasStepped)
                }
                let moment = Moment(monotonicMs: now.ms, wallMs: wall)
                let isBeat = lastBeat.map { now - $0 >= Self.heartbeatMs } ?? true
                let isPair = lastPair.map { now - $0 >= Self.pairMs } ?? true
                if isBeat { lastBeat = now }
                if isPair { lastPair = now }
                if isBeat || isPair { await write(moment, isPair: isPair) }
                try await Task.sleep(for: .milliseconds(Self.intervalMs))
            }
        }
    }

    private func write(_ moment: Moment, isPair: Bool) async {
        let (catalog, bootID) = (catalog, bootID)
        do {
            try await Blocking.run {
                try catalog.heartbeat(bootID: bootID, moment)
                if isPair { try catalog.recordClock(bootID: bootID, moment) }
            }
        } catch {
            // A catalog that cannot be written is told by the storage keeper; the next beat tries again.
            journal.send(.writeFailed, fields: [(.detail, "heartbeat: \(error)")], priority: .debug)
        }
    }
}
