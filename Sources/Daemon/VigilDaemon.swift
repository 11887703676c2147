internal import CSystemd
internal import Catalog
internal import Foundation
internal import Journal
internal import Logging
internal import Machines
internal import Media
internal import Policies
internal import Replay
internal import Server
internal import ServiceLifecycle
internal import Synchronization
internal import Trace
internal import UnixSignals

/// The daemon: opens the storage, recovers what the last run left, starts every camera and the interfaces, and runs until
/// it is told to stop. Everything that lives long is a service of one group; a stop goes through it in reverse order.
public enum VigilDaemon {
    /// The heaps of the C library that threads share, at most one for each processor, and from how many bytes on a block is mapped
    /// alone: with its own standards the memory of a hundred threads that are gone would stay with the process.
    private static let heapsMost = 4
    private static let mappedBytesMin: Int32 = 256 << 10

    /// Runs until SIGTERM, SIGINT or the end of `forMs`; throws `DaemonFailure` if it cannot start.
    public static func run(_ options: DaemonOptions) async throws {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        vigil_bound_heaps(Int32(max(1, min(heapsMost, processors))), mappedBytesMin)
        // First of all: until it is heard, SIGHUP ends the process, and opening an old catalog may take minutes.
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        let clock = MachineClock()
        let started = clock.now()
        let journal = Journal(JournalOptions(version: vigilVersion))
        defer { journal.flush(timeoutMs: 2_000) }
        let (feed, records) = (JournalFeed(following: journal), JournalCounts(following: journal))
        let host = SystemHost()
        let messages = MessageWriter(following: journal, host: host)
        let problems = HeldProblems(following: journal, clock: clock)
        let path = try await configurationPath(options)
        journal.send(.daemonStarted, fields: [(.version, vigilVersion), (.path, path)])
        let configuration: ConfigurationService
        do {
            configuration = try await Blocking.always {
                try ConfigurationService(path: path, journal: journal) {
                    ConfigurationLoader(files: $0, examiner: nil).load(path)
                }
            }
        } catch let refusal as Refusal {
            throw DaemonFailure(
                "\(refusal)\nVigil was not started: correct the configuration, `vigil check` repeats this.")
        }
        let root = options.root ?? configuration.current.storage.root
        let socket = options.socket ?? configuration.current.socket
        let running = try await assemble(configuration, root: root, problems, journal: journal, on: host)
        messages.begin(running.catalog, wallMs: clock.wallMs())
        let listen =
            switch options.listen {
            case .configured: configuration.current.listen
            case .at(let address): address
            }
        let own = listen.flatMap { address in
            address.isLoopback || configuration.current.webTLS != nil
                ? nil : OwnCertificate(root: root, listen: address)
        }
        let certificate = try await certificate(configuration.current, listen, own)
        let listeners = Listeners([socket] + (listen.map { ["\($0)"] } ?? []))
        let tokens = try await Blocking.always { AccountService(root: root, journal: journal) }
        let site = DaemonSite(
            pool: running.pool, lookup: running.lookup, catalog: running.catalog, storage: running.storage,
            ledger: running.ledger,
            exports: running.exports, playback: running.playback, configuration: configuration,
            supervisor: running.supervisor, limits: running.limits, sessions: running.sessions,
            uploadQueue: running.uploads, choices: running.choices, bucket: running.bucket,
            fetches: running.fetches,
            subscriptions: running.subscriptions, transportKeeper: running.transports, webhook: running.webhook,
            notifier: running.notifier,
            mqtt: MQTTView(journal: journal, clock: clock),
            peers: PeerViews(configuration.current.webrtc, http: listen, journal: journal),
            journal: journal,
            feed: feed, messages: messages, records: records,
            version: vigilVersion, started: started, listeners: listeners, tokens: tokens,
            pageAddress: listen?.pageAddress(isSecure: certificate != nil),
            certificate: {
                certificate.map { CertificateInfo($0.facts, selfMade: own != nil) }
            },
            trace: { [trace = running.trace] query in
                trace?.flush()
                return try TraceSource.folder(TraceFolder(root: root)).reader(query)
            },
            devices: DeviceSettingService(
                pool: running.pool, journal: journal, clock: clock, configuration: configuration))
        let start = CameraStart(running: running, configuration: configuration, listeners: listeners) { cameras in
            if case .demo = options.source { journal.send(.demoStarted, fields: [(.url, "demo:"), (.path, root)]) }
            journal.send(
                .daemonReady, fields: [(.count, "\(cameras)"), (.durationMs, "\(clock.now() - started)")])
            _ = try? ServiceNotifier().ready(status: running.supervisor.summary)
            options.onReady?(
                DaemonOptions.Ready(
                    root: root, socket: socket, link: { await site.ownLink() }, certificate: site.certificate))
        }
        do {
            try await serve(
                running, site, configuration, start, socket: socket, web: listen.map { ($0, certificate, own) },
                hangups: hangups, options: options, journal: journal)
        } catch {
            try? await Blocking.always { try close(running, messages) }
            throw error
        }
        try? await Blocking.always { try close(running, messages) }
        journal.send(.daemonStopped, fields: [(.durationMs, "\(clock.now() - started)")])
    }

    private static func close(_ running: RunningSite, _ messages: MessageWriter) throws {
        messages.end()
        try running.close()
    }

    /// The certificate for HTTP: the configured one, or Vigil's own; nil where there is none. Throws where it cannot be used.
    private static func certificate(
        _ configuration: Configuration, _ listen: ListenAddress?, _ own: OwnCertificate?
    ) async throws -> WebCertificate? {
        guard let listen else { return nil }
        if let own { return try await Blocking.always { try own.prepare(wallMs: MachineClock().wallMs()) } }
        guard let files = configuration.webTLS else { return nil }
        do {
            return try await Blocking.always {
                try WebCertificate(certificateFile: files.certificateFile, keyFile: files.keyFile)
            }
        } catch let problem as WebCertificate.Problem {
            throw DaemonFailure("cannot listen at \(listen): \(problem)")
        }
    }

    /// The web page; told where there is none. Blocking.
    private static func page(_ journal: Journal) -> PageFiles {
        let problem: String
        if let folder = PageFolder.find() {
            do { return try PageFiles(folder: folder) } catch { problem = "\(error)" }
        } else {
            problem = "its files are neither beside the program (../share/vigil/page) nor in its sources"
        }
        journal.send(.pageMissing, fields: [(.detail, problem)])
        return .none
    }

    private static func configurationPath(_ options: DaemonOptions) async throws -> String {
        switch options.source {
        case .file(let path): return path
        case .demo:
            let root = options.root ?? "vigil-demo"
            do { return try await Blocking.always { try Demo.prepare(root: root) } } catch {
                throw DaemonFailure(
                    "the demo cannot be set up in \(root): \(error.localizedDescription); name another folder with --root"
                )
            }
        }
    }

    private static func assemble(
        _ configuration: ConfigurationService, root: String, _ problems: HeldProblems, journal: Journal,
        on host: SystemHost
    ) async throws -> RunningSite {
        let opening = Task { await extendStart() }
        defer { opening.cancel() }
        return try await Blocking.always {
            do {
                let boot = try BootID.current().value
                let run = TraceRun(id: journal.run.value, boot: boot, version: vigilVersion)
                return try RunningSite(
                    configuration: configuration, root: root, bootID: boot, run: run, problems: problems,
                    host: host, journal: journal)
            } catch let error as CatalogError {
                if error.isCorruption {
                    journal.send(.catalogCorrupt, fields: [(.path, error.path), (.detail, error.reason)])
                }
                throw DaemonFailure("\(error)")
            }
        }
    }

    /// Asks the service manager for more time while the catalog is opened: bringing an old one of millions of clips to this
    /// version, and recovering what was open, may take longer than `TimeoutStartSec`. An hour at most.
    private static func extendStart() async {
        for _ in 0..<360 where !Task.isCancelled {
            _ = try? ServiceNotifier().extendTimeout(milliseconds: 60_000)
            try? await Task.sleep(for: .seconds(10))
        }
    }

    /// Runs everything that lives long. A stop goes from the last to the first: cameras and clips before those who ask.
    private static func serve(
        _ running: RunningSite, _ site: DaemonSite, _ configuration: ConfigurationService, _ start: CameraStart,
        socket: String, web: (listen: ListenAddress, certificate: WebCertificate?, own: OwnCertificate?)?,
        hangups: UnixSignalsSequence, options: DaemonOptions, journal: Journal
    ) async throws {
        let logger = Logger(label: "vigil.server") { JournalLogHandler(label: $0, journal: journal) }
        let control = ListenerService(address: socket, listeners: site.listeners, journal: journal) { onListening in
            try await ControlSocket(
                path: socket, site: site, isReady: { start.isDone }, logger: logger,
                onListening: onListening, onCut: journal.cut(at: socket)
            ).run()
        }
        var serving = [control]
        if let (listen, certificate, _) = web {
            let page = try await Blocking.always { Self.page(journal) }
            let web = ListenerService(address: "\(listen)", listeners: site.listeners, journal: journal) {
                onListening in
                try await WebListener(
                    host: listen.host, port: listen.port, site: site, page: page, certificate: certificate,
                    isReady: { start.isDone },
                    logger: logger,
                    onListening: { _ in await onListening() }, onCut: journal.cut(at: "\(listen)")
                ).run()
            }
            serving.append(web)
        }
        site.accounts.whenOver { [peers = site.peers] in peers.end($0) }
        let mqtt = MQTTService(site: site, view: site.mqtt, configuration: configuration)
        let events = DeviceEventService(pool: running.pool, journal: journal, configuration: configuration) {
            site.devices.look(at: $0)
        }
        // They end from the last to the first: cameras and clips before what others may hold up.
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: events), .init(service: mqtt), .init(service: site.tokens), .init(service: site.peers),
            .init(service: site.ptz),
            .init(service: site.devices),
            .init(service: ListenerGroup(services: serving)),
            .init(service: running.supervisor, failureTerminationBehavior: .gracefullyShutdownGroup),
            .init(service: running.limits), .init(service: configuration),
            .init(service: HangupReload(configuration: configuration, hangups: hangups)),
            // What cameras have recorded by their end is still pushed.
            .init(service: running.transports.pushers),
            .init(service: running.clock), .init(service: running.pool), .init(service: start),
            .init(service: running.sessions), .init(service: running.uploads),
            .init(service: running.fetches),
            .init(service: running.subscriptions), .init(service: running.webhook), .init(service: running.notifier),
            .init(service: StopNotice(journal: journal)),
        ]
        if let certificate = web?.certificate {
            services.append(
                .init(service: CertificateService(certificate: certificate, own: web?.own, journal: journal)))
        }
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
    let configuration: ConfigurationService
    let hangups: UnixSignalsSequence

    func run() async throws {
        let notifier = ServiceNotifier()
        for await _ in hangups.cancelOnGracefulShutdown() {
            _ = try? notifier.reloading()
            _ = try await Blocking.always { [configuration] in configuration.reload(.signal).changed }
            _ = try? notifier.ready()
        }
    }
}

/// Says that a stop began, before the other services end, and bounds it: another program may hold the catalog, or a name server a
/// thread.
private struct StopNotice: Service {
    /// How long a stop may take, in milliseconds: half of what the unit gives it (`TimeoutStopSec`).
    private static let boundMs: Int64 = 30_000

    let journal: Journal

    func run() async throws {
        try? await gracefulShutdown()
        journal.send(.daemonStopping)
        _ = try? ServiceNotifier().stopping()
        // A thread of its own: what keeps the others keeps a task as well.
        Thread.detachNewThread { [journal] in
            Thread.sleep(forTimeInterval: Double(Self.boundMs) / 1_000)
            journal.send(.daemonStopOverdue, fields: [(.durationMs, "\(Self.boundMs)")])
            journal.flush(timeoutMs: 2_000)
            // Not `exit`, which would wait for locks that others hold.
            _exit(1)
        }
    }
}

/// Ends the daemon after a while.
private struct Ending: Service {
    let afterMs: Int64

    func run() async throws {
        try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .milliseconds(afterMs)) }
    }
}
