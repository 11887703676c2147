internal import Catalog
internal import Explain
internal import Foundation
internal import Journal
internal import Machines
internal import Media
internal import Policies
internal import Server
internal import Synchronization

/// What the server asks of the daemon, answered by the running parts.
struct DaemonSite: Site {
    let pool: CameraPool
    /// Where clips and their files are.
    let lookup: ClipLookup
    let catalog: Catalog
    let storage: StorageMonitor
    let ledger: CoverageLedger
    let exports: Exports
    let playback: Playback
    let configuration: ConfigurationService
    let supervisor: Supervisor
    let limits: LimitMonitor
    let sessions: Sessions
    /// The upload queue, and which clips come into it.
    let uploadQueue: Uploads
    let choices: UploadChoices
    /// Makes the lists of the cloud anew.
    let bucket: BucketReading
    /// Brings clips back from the cloud.
    let fetches: Fetches
    /// The plans.
    let subscriptions: Subscriptions
    /// The transports of the cameras.
    let transportKeeper: Transports
    /// Tells the webhook's receiver.
    let webhook: WebhookTeller
    /// Tells the receivers of the section `notify`.
    let notifier: Notifier
    /// How the broker of MQTT stands.
    let mqtt: MQTTView
    /// Viewers of WebRTC.
    let peers: PeerViews
    let journal: Journal
    /// Its newest records.
    let feed: JournalFeed
    /// What of it is kept until somebody clears it.
    let messages: MessageWriter
    /// How many records of each kind there were.
    let records: JournalCounts
    let version: String
    let started: Instant
    let listeners: Listeners
    let tokens: AccountService
    let pageAddress: String?
    /// The certificate of the web page in use.
    let certificate: @Sendable () -> CertificateInfo?
    /// Opens the trace of the machines.
    let trace: Explanations.Trace
    let clock = MachineClock()
    let pictures = PictureThreads()
    let frameReaders = FrameReaders()
    let players = LivePlayers()
    /// Looks for cameras.
    let discoveries = Discoveries()
    /// Which cameras can be talked to.
    let loudspeakers = Loudspeakers()
    /// Turns cameras.
    let ptz = PTZControl()
    /// Sets what can be set of cameras themselves.
    let devices: DeviceSettingService

    func health() async -> Health {
        let health = supervisor.health
        guard health.ok else { return health }
        if storage.report.storage == .lost { return Health(ok: false, reason: "the storage is lost") }
        if let complaint = listeners.complaint { return Health(ok: false, reason: complaint) }
        return health
    }

    func status(in scope: CameraScope) async throws -> SiteStatus {
        let report = storage.report
        let growing = lookup.growingBytes(in: scope)
        let usage = try await Blocking.run { [catalog] in try catalog.usage() }.filter { scope.contains($0.camera) }
        let cameras = cameras(of: scope)
        var status = SiteStatus(
            version: version, uptimeMs: clock.now() - started, timeZone: configuration.current.timeZone,
            config: configuration.path,
            storage: SiteStatus.StorageTotals(
                root: URL(fileURLWithPath: catalog.rootPath).path, state: report.storage,
                clips: usage.reduce(0) { $0 + $1.clips },
                bytes: usage.reduce(growing) { $0 + $1.bytes }, freeBytes: report.freeBytes),
            detection: DetectionTotals(of: cameras.compactMap { detection(of: $0, at: clock.now()) }),
            listeners: listeners.all, hangUpsOverdue: pool.dials.overdueCount(at: clock.now(), of: scope.contains),
            cameras: cameras.map { camera in
                let state = self.state(of: camera)
                return SiteStatus.Line(
                    camera: camera.name, coverage: state.coverage, line: "\(state.coverage.rawValue): \(state.why)")
            })
        status.limits = limits.states
        status.page = pageAddress
        status.certificate = certificate()
        status.mqtt = mqtt.status
        return status
    }

    private func cameras(of scope: CameraScope) -> [CameraRuntime] { pool.all.filter { scope.contains($0.name) } }

    func cameras(in scope: CameraScope) async throws -> [CameraInfo] {
        cameras(of: scope).map { camera in
            let (configured, machine) = (camera.assignment.camera, camera.actor.view.machine)
            return CameraInfo(
                camera: camera.name, enabled: machine.intent.enabled, privacy: machine.intent.privacy,
                policy: configured.policy, connect: configured.connect, main: addresses(configured.main),
                sub: configured.sub.map(addresses), credential: configured.credential)
        }
    }

    func states(in scope: CameraScope) async throws -> [CameraState] { cameras(of: scope).map(state(of:)) }

    func state(camera: String) async throws -> CameraState { state(of: try known(camera)) }

    /// The camera of that name, or what to say when there is none.
    func known(_ name: String) throws(SiteError) -> CameraRuntime {
        if let camera = pool.camera(name) { return camera }
        // Which cameras there are is not for everybody: a token may name one that does not exist.
        throw SiteError(
            .notFound, what: "camera \(name.prefix(80))", why: "no camera has this name",
            remedy: "`vigil cameras` lists the cameras")
    }

    private func addresses(_ addresses: Configuration.Camera.Addresses) -> CameraInfo.Addresses {
        CameraInfo.Addresses(lan: addresses.lan?.redacted, internet: addresses.internet?.redacted)
    }

    func state(of camera: CameraRuntime) -> CameraState {
        let view = camera.actor.view
        let machine = view.machine
        let now = clock.now()
        let assignment = camera.assignment
        var state = CameraState(
            camera: camera.name, link: machine.link.phase.rawValue, trigger: machine.trigger.name,
            recorder: machine.recorder.name, coverage: machine.coverage,
            since: WallTime(ms: clock.wallMs() - (now - view.labelSince)),
            why: LabelReason.why(
                view, policy: assignment.policy.name, isModeSet: assignment.settings.mode != nil,
                storage: storage.report,
                excess: camera.shell.excess.withLock { $0 }),
            enabled: machine.intent.enabled, privacy: machine.intent.privacy, policy: assignment.policy.name,
            mode: machine.intent.policy.mode)
        state.settings = assignment.settings.texts
        state.lastFailure = view.lastFailure
        switch machine.link.state {
        case .off: break
        case .waiting(let until): state.nextRetryMs = max(0, until - now)
        case .dialing(_, let endpoint, _), .synchronizing(_, let endpoint, _, _, _), .streaming(_, let endpoint, _, _):
            state.endpoint = endpoint
        }
        state.reachable = camera.shell.probe.finding.map {
            CameraState.Reachability(
                endpoint: $0.endpoint, failure: $0.failure, since: WallTime(ms: clock.wallMs() - (now - $0.since)))
        }
        if assignment.camera.isPushed, let pushing = pool.points.point(camera.name, .main).pushing(at: now) {
            state.pusher = CameraState.Pusher(
                login: pushing.pusher.login, address: pushing.pusher.address, session: pushing.session,
                since: WallTime(ms: clock.wallMs() - (now - pushing.since)))
        }
        state.hangUpOverdueMs = pool.dials.overdueMs(of: camera.name, at: now)
        state.clip = camera.shell.recorder.current?.rawValue
        state.event = camera.shell.events.active?.id.rawValue
        let ring = camera.shell.ring.holding
        state.ring = RingState(
            bytes: Int64(ring.bytes),
            durationMs: ring.oldestStart.flatMap { oldest in ring.newest.map { $0 - oldest } } ?? 0,
            limitBytes: Int64(camera.shell.ring.bounds.bytes))
        state.damagedFrames = camera.shell.damagedFrames.load(ordering: .relaxed)
        state.detection = detection(of: camera, at: now)
        state.viewers = camera.shell.streams.viewerCount
        state.cloudClips = subscriptions.clips(camera.name)
        state.substream = camera.shell.streams.substream.view.map { view in
            SubstreamState(
                link: view.link.rawValue, endpoint: view.endpoint, viewers: view.viewers, failure: view.failure,
                nextRetryMs: view.retryAt.map { max(0, $0 - now) })
        }
        return state
    }

    /// What the camera's detector does; nil where none may look.
    private func detection(of camera: CameraRuntime, at now: Instant) -> DetectionState? {
        let view = camera.shell.detector.view
        guard view.isOn else { return nil }
        func wall(_ instant: Instant) -> WallTime { WallTime(ms: clock.wallMs() - (now - instant)) }
        return DetectionState(
            stream: view.stream?.rawValue, level: view.stream == nil ? nil : view.level,
            lastMotion: view.movedAt.map(wall), frames: view.cost.fed, decoded: view.cost.decoded,
            looked: view.cost.observed, dropped: view.cost.dropped,
            cpuMs: Int64((view.cost.decodingNs + view.cost.detectionNs) / 1_000_000),
            impaired: view.conditions.sorted { $0.value < $1.value }.map {
                .init(condition: $0.key.rawValue, since: wall($0.value))
            })
    }
}

extension Trigger {
    /// The state's name.
    var name: String {
        switch state {
        case .quiet: "quiet"
        case .active: "active"
        case .silent: "silent"
        case .settling: "settling"
        case .blind: "blind"
        }
    }
}

extension Recorder {
    /// The state's name.
    var name: String {
        switch state {
        case .idle: "idle"
        case .opening: "opening"
        case .writing: "writing"
        case .cutting: "cutting"
        }
    }
}
