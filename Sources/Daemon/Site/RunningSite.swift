internal import Catalog
internal import Foundation
internal import Journal
internal import Machines
internal import Policies
internal import Trace

/// The running parts of a daemon, but for its interfaces: what decides, records, keeps the storage, and follows the clock.
struct RunningSite: Sendable {
    let catalog: Catalog
    let pool: CameraPool
    let storage: StorageMonitor
    let clips: ClipStorage
    let exports: Exports
    let playback: Playback
    let ledger: CoverageLedger
    let builder: SiteBuilder
    let supervisor: Supervisor
    let limits: LimitMonitor
    let clock: WallClockService
    let sessions: Sessions
    let uploads: Uploads
    /// Makes the lists of the cloud anew.
    let bucket: BucketReading
    /// Brings clips back from the cloud.
    let fetches: Fetches
    /// Where clips and their files are.
    let lookup: ClipLookup
    let subscriptions: Subscriptions
    let transports: Transports
    let webhook: WebhookTeller
    /// Tells the receivers of the section `notify`.
    let notifier: Notifier
    /// Nil where no trace is kept.
    let trace: TraceWriter?
    /// Which clips get a job of the upload queue.
    let choices: UploadChoices
    /// Whom events are told to.
    private let notifications: NotificationChoices
    private let steps: StepLog
    private let configuration: ConfigurationService

    /// Opens the storage, closes what the last run left open, and looks at the room for the first time. Blocking.
    ///
    /// - Parameters:
    ///   - run: the run whose steps are kept in the trace; nil: no trace is kept.
    ///   - problems: what `journal` has told of before, and tells of.
    /// - Throws: `CatalogError` if there is no storage to work on.
    init(
        configuration: ConfigurationService, root: String, bootID: String, run: TraceRun?, problems: HeldProblems,
        host: any Host, journal: Journal
    ) throws {
        self.configuration = configuration
        let catalog = try Self.open(root, host)
        let notifications = NotificationChoices()
        notifications.change(configuration.loaded)
        // What a recovery has done it does not do again.
        try host.volume(root).withSpare {
            try Self.recover(catalog, notifications, host: host, journal: journal)
        }
        Self.tellLeft(catalog, host: host, journal: journal)
        let pool = CameraPool()
        let holds = ClipHolds(clock: host.clock)
        let ages = AgeClock(host.clock, lastWallMs: try catalog.lastHeartbeat()?.at.wallMs)
        let storage = StorageMonitor(
            root: root, catalog: catalog, holds: holds, ages: ages, rules: SiteBuilder.rules(configuration.loaded),
            host: host, journal: journal
        ) { pool.tell(.storage($0)) }
        storage.start()
        let settings = configuration.current
        trace = run.map { run in
            TraceWriter(
                root: root, run: run, bounds: settings.traceBounds, syncMs: settings.storage.syncIntervalMs, ages: ages,
                host: host, journal: journal)
        }
        trace?.start()
        steps = StepLog(
            journal: journal, clock: host.clock, writer: trace, isJournaled: settings.journalsSteps)
        let reader = StoreReader(
            cache: CloudCache(catalog: catalog) { configuration.current.cloud?.cacheBytes ?? 0 })
        lookup = ClipLookup(catalog: catalog, pool: pool, remote: RemoteClips(catalog: catalog, reader: reader))
        let live = LiveClips()
        let uploads = Uploads(
            reader: reader, catalog: catalog, live: live, steps: steps, host: host, journal: journal)
        let choices = UploadChoices(keys: reader.keys)
        let clips = ClipStorage(
            catalog: catalog, bootID: bootID, syncMs: settings.storage.syncIntervalMs, uploads: choices,
            notifications: notifications, live: live, host: host, journal: journal
        ) {
            storage.failed($0)
        } onClosed: {
            uploads.wake()
        }
        storage.whenUsable { clips.settleOwed() }
        storage.whenDeleted { uploads.wake() }
        live.whenNews { uploads.follow($0) }
        let ledger = CoverageLedger(clips: clips, ages: ages, host: host, journal: journal)
        ledger.start()
        self.uploads = uploads
        self.choices = choices
        self.catalog = catalog
        self.pool = pool
        self.storage = storage
        self.clips = clips
        exports = Exports(holds: holds) { host.queue("vigil.export") }
        playback = Playback(
            lookup: lookup, holds: holds, clock: host.clock)
        self.ledger = ledger
        limits = LimitMonitor(
            pool: pool, host: host, journal: journal,
            letGo: { [catalog] in
                catalog.releaseMemory()
                host.releaseMemory()
            })
        supervisor = Supervisor(pool: pool, storage: storage, limits: limits, clock: host.clock, journal: journal)
        sessions = Sessions(
            lookup: lookup, steps: steps, host: host, journal: journal
        ) { TimeZone(identifier: configuration.current.timeZone) ?? .current }
        let subscriptions = Subscriptions(
            catalog: catalog, ages: ages, steps: steps, host: host, journal: journal,
            onAllowed: { uploads.allow($0, $1) }, onPurged: { _ in uploads.wake() })
        let webhook = WebhookTeller(catalog: catalog, host: host, journal: journal)
        uploads.whenTold { webhook.wake() }
        self.webhook = webhook
        let notifier = Notifier(
            catalog: catalog, snapshots: Snapshots(lookup, pool), problems: problems, host: host,
            journal: journal)
        notifications.whenEntered { notifier.wake() }
        (self.notifications, self.notifier) = (notifications, notifier)
        uploads.whenStored { subscriptions.storedChanged($0) }
        self.subscriptions = subscriptions
        bucket = BucketReading(
            reader: reader, catalog: catalog, journal: journal, clock: host.clock, storage: { storage.report }
        ) {
            uploads.stored($0)
        }
        fetches = Fetches(
            catalog: catalog, reader: reader, journal: journal,
            room: { (storage.report.freeBytes, storage.report.reserveBytes) })
        let pushers = TransportPushers(catalog: catalog, host: host, journal: journal)
        let transports = Transports(
            catalog: catalog, pushers: pushers, steps: steps, host: host, journal: journal
        ) { camera, demand in
            let zone = TimeZone(identifier: configuration.current.timeZone) ?? .current
            pool.camera(camera)?.follow(demand, wallMs: host.clock.wallMs(), now: host.clock.now(), zone: zone)
        }
        transports.recover()
        self.transports = transports
        builder = SiteBuilder(
            pool: pool, clips: clips, storage: storage, catalog: catalog, ledger: ledger, steps: steps,
            sessions: sessions, transports: transports, host: host, journal: journal)
        clock = WallClockService(
            pool: pool, catalog: catalog, bootID: bootID, host: host, journal: journal,
            onStep: { subscriptions.clockStepped() }
        ) { TimeZone(identifier: configuration.current.timeZone) ?? .current }
    }

    /// Where the disk is full not even a database can be opened: room that was kept for that is given back.
    private static func open(_ root: String, _ host: any Host) throws -> Catalog {
        try host.volume(root).withSpare { try Catalog(root: root) }
    }

    /// Starts the cameras of the configuration in force, and follows its changes; returns what was started, in words.
    /// Blocking.
    func start() -> [String] {
        send(configuration.loaded)
        let started = builder.apply(configuration.loaded, .start)
        let web = WebSettings(configuration.current)
        configuration.onChange { [self] loaded, cause in
            send(loaded)
            steps.journal(loaded.configuration.journalsSteps)
            trace?.change(loaded.configuration.traceBounds)
            return builder.apply(loaded, cause) + web.postponed(WebSettings(loaded.configuration))
        }
        return started
    }

    /// Which clips are sent, and where to, from now on. Blocking: a credential may be read.
    private func send(_ loaded: LoadedConfiguration) {
        uploads.reader.keys.change(loaded)
        webhook.change(loaded)
        notifications.change(loaded)
        notifier.change(loaded)
        choices.change(loaded)
        uploads.change(loaded)
        subscriptions.change(loaded)
        transports.pushers.change(loaded.configuration)
    }

    /// What holds from the start to the end: listeners are opened before the cameras are dialled, and not again.
    private struct WebSettings: Sendable {
        let listen: ListenAddress?
        let tls: Configuration.WebTLS?

        init(_ configuration: Configuration) { (listen, tls) = (configuration.listen, configuration.webTLS) }

        /// What of `wanted` waits for the next start, in words.
        func postponed(_ wanted: WebSettings) -> [String] {
            (listen == wanted.listen
                ? [] : ["http.listen \(wanted.listen.map { "\($0)" } ?? "none") from the next start on"])
                + (tls == wanted.tls ? [] : ["http.tls from the next start on"])
        }
    }

    /// Gives the storage free. Blocking.
    func close() throws {
        if let trace {
            transports.flush()
            trace.stop()
        }
        ledger.stop()
        storage.stop()
        try catalog.close()
    }

    /// Closes what the last run left open, before anything new begins.
    private static func recover(
        _ catalog: Catalog, _ notifications: NotificationChoices, host: any Host, journal: Journal
    ) throws {
        let began = host.clock.now()
        let report = try Recovery(catalog: catalog, scanner: TrackScanning.scanner) { step in
            try host.disk(.recover, step) {}
        }.run(notifying: notifications.end)
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
            fields: [(.count, "\(report.interrupted.count)"), (.durationMs, "\(host.clock.now() - began)")]
                + (problems.isEmpty ? [] : [(.detail, problems)]))
    }

    /// Tells the stages of uploads that a kill left untold, before the storage is looked at: a rule may delete a clip because its
    /// upload counts, and the journal tells that in this order.
    private static func tellLeft(_ catalog: Catalog, host: any Host, journal: Journal) {
        do {
            try NoticeTeller(catalog: catalog, journal: journal).tell { notices in
                try host.disk(.upload, "notices") { try catalog.markTold(notices) }
            }
        } catch {
            // What is not marked is told once more by the upload queue, with the same number.
            journal.send(.uploadsWait, fields: [(.why, "\(error)")], priority: .debug)
        }
    }
}

extension Configuration {
    /// How much of the trace is kept.
    fileprivate var traceBounds: TraceLog.Bounds {
        TraceLog.Bounds(keepMs: trace.keepMs, maxBytes: trace.maxBytes)
    }
}
