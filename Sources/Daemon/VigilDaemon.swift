internal import Catalog
internal import Foundation
internal import Journal
internal import Logging
internal import Machines
internal import Media
internal import Policies
internal import Server
internal import ServiceLifecycle
internal import Synchronization
internal import UnixSignals

/// The daemon: opens the storage, recovers what the last run left, starts every camera and the interfaces, and runs until
/// it is told to stop. Everything that lives long is a service of one group; a stop goes through it in reverse order.
public enum VigilDaemon {
    /// Runs until SIGTERM, SIGINT or the end of `forMs`; throws `DaemonFailure` if it cannot start.
    public static func run(_ options: DaemonOptions) async throws {
        let clock = MachineClock()
        let started = clock.now()
        let journal = Journal(JournalOptions(version: vigilVersion))
        defer { journal.flush(timeoutMs: 2_000) }
        let path = try await configurationPath(options)
        journal.send(.daemonStarted, fields: [(.version, vigilVersion), (.path, path)])
        let keeper: ConfigurationKeeper
        do {
            keeper = try await Blocking.run {
                try ConfigurationKeeper(path: path, journal: journal) {
                    ConfigurationLoader(files: $0, examiner: nil).load(path)
                }
            }
        } catch let refusal as Refusal {
            throw DaemonFailure(
                "\(refusal)\nVigil was not started: correct the configuration, `vigil check` repeats this.")
        }
        let root = options.root ?? keeper.current.storage.root
        let socket = options.socket ?? keeper.current.socket
        let site = try await assemble(keeper, root: root, journal: journal, started: started)
        let changed = try await Blocking.run { site.builder.apply(keeper.snapshot, .start) }
        keeper.onChange { site.builder.apply($0, $1) }
        let measures = SiteMeasures(catalog: site.catalog, root: root)
        try await Blocking.run {
            keeper.onMeasure { snapshot in
                let examiner = Examiner()
                return examiner.examine(snapshot, facts: measures.facts())
                    + examiner.clockChanges(snapshot.policies.values, zone: snapshot.configuration.timeZone)
            }
        }
        if case .demo = options.source { journal.send(.demoStarted, fields: [(.url, "demo:"), (.path, root)]) }
        let cameras = changed.count
        let ready: @Sendable () -> Void = {
            journal.send(
                .daemonReady,
                fields: [(.count, "\(cameras)"), (.durationMs, "\(clock.now() - started)")])
            _ = try? ServiceNotifier().ready(status: site.supervisor.summary)
            options.onReady?(root, socket)
        }
        try await serve(site, keeper, socket: socket, options: options, journal: journal, ready: ready)
        try? await Blocking.run {
            site.ledger.stop()
            site.storage.stop()
            try site.catalog.close()
        }
        journal.send(.daemonStopped, fields: [(.durationMs, "\(clock.now() - started)")])
    }

    /// The running parts.
    private struct Parts: Sendable {
        let catalog: Catalog
        let pool: CameraPool
        let storage: StorageKeeper
        let ledger: CoverageKeeper
        let builder: SiteBuilder
        let supervisor: Supervisor
        let clock: SiteClock
        let site: DaemonSite
    }

    private static func configurationPath(_ options: DaemonOptions) async throws -> String {
        switch options.source {
        case .file(let path): return path
        case .demo:
            let root = options.root ?? "vigil-demo"
            do { return try await Blocking.run { try Demo.prepare(root: root) } } catch {
                throw DaemonFailure(
                    "the demo cannot be set up in \(root): \(error.localizedDescription); name another folder with --root"
                )
            }
        }
    }

    private static func assemble(
        _ keeper: ConfigurationKeeper, root: String, journal: Journal, started: Instant
    ) async throws -> Parts {
        try await Blocking.run {
            let settings = keeper.current.storage
            let bootID = try BootID.current().value
            let catalog: Catalog
            do {
                catalog = try Catalog(root: root)
                try recover(catalog, journal: journal)
            } catch let error as CatalogError {
                if error.isCorruption {
                    journal.send(.catalogCorrupt, fields: [(.path, error.path), (.detail, error.reason)])
                }
                throw DaemonFailure("\(error)")
            }
            let pool = CameraPool()
            let storage = StorageKeeper(
                root: root, catalog: catalog, rules: SiteBuilder.rules(keeper.snapshot), journal: journal
            ) { pool.tell(.storage($0)) }
            storage.start()
            let clips = ClipStorage(
                catalog: catalog, bootID: bootID, syncMs: settings.syncIntervalMs, journal: journal
            ) { storage.failed($0) }
            storage.whenUsable { clips.settleOwed() }
            let ledger = CoverageKeeper(clips: clips, journal: journal)
            ledger.start()
            let supervisor = Supervisor(pool: pool, storage: storage, journal: journal)
            return Parts(
                catalog: catalog, pool: pool, storage: storage, ledger: ledger,
                builder: SiteBuilder(
                    pool: pool, clips: clips, keeper: storage, catalog: catalog, ledger: ledger, journal: journal),
                supervisor: supervisor,
                clock: SiteClock(pool: pool, catalog: catalog, bootID: bootID, journal: journal) {
                    TimeZone(identifier: keeper.current.timeZone) ?? .current
                },
                site: DaemonSite(
                    pool: pool, catalog: catalog, storage: storage, ledger: ledger, configuration: keeper,
                    supervisor: supervisor, journal: journal, version: vigilVersion, started: started))
        }
    }

    /// Closes what the last run left open, before anything new begins.
    private static func recover(_ catalog: Catalog, journal: Journal) throws {
        let clock = MachineClock()
        let began = clock.now()
        let report = try Recovery(catalog: catalog, scanner: TrackScanning.scanner).run()
        for id in report.interrupted {
            let clip = try catalog.clip(id)
            journal.send(
                .clipRecovered, camera: clip?.camera,
                fields: [(.clip, "\(id)"), (.durationMs, "\(clip?.tracks.map(\.durationMs).max() ?? 0)")])
        }
        for file in report.setAside {
            journal.send(.fileSetAside, fields: [(.from, file.from), (.to, file.to), (.bytes, "\(file.bytes)")])
        }
        let problems = report.problems.map { "\($0.path): \($0.words)" }.joined(separator: "; ")
        journal.send(
            .recoveryFinished,
            fields: [(.count, "\(report.interrupted.count)"), (.durationMs, "\(clock.now() - began)")]
                + (problems.isEmpty ? [] : [(.detail, problems)]))
    }

    private static func serve(
        _ parts: Parts, _ keeper: ConfigurationKeeper, socket: String, options: DaemonOptions, journal: Journal,
        ready: @escaping @Sendable () -> Void
    ) async throws {
        let logger = Logger(label: "vigil.server") { JournalLogHandler(label: $0, journal: journal) }
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: parts.pool), .init(service: parts.clock), .init(service: keeper),
            .init(service: parts.supervisor), .init(service: HangupReload(keeper: keeper)),
            .init(service: StopNotice(journal: journal)),
        ]
        if let listen = keeper.current.listen {
            services.append(
                .init(
                    service: WebListener(
                        address: try Server.ListenAddress(parsing: listen.description), site: parts.site,
                        logger: logger)))
        }
        services.append(
            .init(service: ControlSocket(path: socket, site: parts.site, logger: logger) { ready() }))
        if let forMs = options.forMs {
            services.append(
                .init(service: Ending(afterMs: forMs), successTerminationBehavior: .gracefullyShutdownGroup))
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        do { try await group.run() } catch let error as ListenError { throw DaemonFailure("\(error)") }
    }
}

/// Loads the configuration again on SIGHUP.
private struct HangupReload: Service {
    let keeper: ConfigurationKeeper

    func run() async throws {
        let notifier = ServiceNotifier()
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            _ = try? notifier.reloading()
            _ = try await Blocking.run { [keeper] in keeper.reload(.signal).changed }
            _ = try? notifier.ready()
        }
    }
}

/// Says that a stop began, before the other services end.
private struct StopNotice: Service {
    let journal: Journal

    func run() async throws {
        try? await gracefulShutdown()
        journal.send(.daemonStopping)
        _ = try? ServiceNotifier().stopping()
    }
}

/// Ends the daemon after a while.
private struct Ending: Service {
    let afterMs: Int64

    func run() async throws {
        try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .milliseconds(afterMs)) }
    }
}
