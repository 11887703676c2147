internal import Catalog
internal import Foundation
internal import Journal
internal import Machines
internal import ObjectStore
internal import Policies
internal import ServiceLifecycle
internal import Synchronization

/// Sends the clips of the queue to the store, and takes away what is to go (docs/design/cloud.md "The worker"). Runs one machine
/// for each job in hand, one step at a time, on a queue of its own, which may block on the catalog and on nothing else: what is
/// kept is durable before the effect that follows it. Transfers are tasks; they hold up nobody.
actor Uploads: Service {
    /// The most jobs in hand: those at work, and those that wait for their next try.
    static let inHandMax = 256
    /// How long a stage of a job that goes on may be untold, in milliseconds: those of one clip are told together.
    static let untoldMs: Int64 = 250
    /// How often it looks by itself, in milliseconds: hours begin and end, and what nobody told it is found.
    static let lookMs: Int64 = 30_000
    /// After how many looks the jobs that are over become fewer, if they are too many.
    static let trimLooks = 120

    nonisolated let queue: any WorkQueue
    let catalog: Catalog
    /// The clips that are being written and are sent meanwhile.
    let live: LiveClips
    let host: any Host
    let journal: Journal
    let steps: StepLog
    /// Who reads what was sent: told which store is in use, and what is kept of it.
    nonisolated let reader: StoreReader
    private nonisolated let onStored = Mutex<[@Sendable (_ camera: String) -> Void]>([])
    private nonisolated let onTold = Mutex<[@Sendable () -> Void]>([])
    private nonisolated let published = Mutex<[UploadID: Progress]>([:])
    /// Reads files and makes digests, one job after another.
    nonisolated let digests: any WorkQueue
    /// The same of clips that are being written, which do not wait for long files.
    nonisolated let pieces: any WorkQueue
    /// Keeps the lists of days.
    nonisolated let lists: DayLists

    var store: CloudStore? { didSet { reader.use(store) } }
    /// Why there is no store to speak to, in words.
    var storeProblem: String?
    var zone = TimeZone.current
    /// Cameras whose plan is active.
    var allowed: Set<String> = []
    /// All cameras, where no provider is asked: what somebody asks for is sent whatever the policy says.
    var always: Set<String> = []
    /// Cameras whose clips may be sent.
    var sending: Set<String> { keyProblem == nil ? allowed.union(always) : [] }
    /// Why no clip may be sent though there is a store, in words: there is no key, or nobody has confirmed that it has a backup.
    var keyProblem: String?
    var inHand: [UploadID: UploadWork] = [:]
    /// What the store lets be done.
    var gate = StoreGate() {
        didSet {
            if gate.words != oldValue.words || gate.isTrial != oldValue.isTrial { hasChanged = true }
            if gate.words != nil { owesRetry = false }
        }
    }
    /// Whether the store took anything since the start, or since it is another one; and whether jobs that failed of a refusal before
    /// that may still wait.
    var (hasMoved, owesRetry) = (false, false)
    private var timer: (any WakeTimer)?
    /// By when the stages that nobody was told yet are told; nil where there are none.
    var tellBy: Instant?
    var tellTimer: (any WakeTimer)?
    private(set) var isDraining = false
    private var isWoken = false
    /// Whether there may be more to do than the next transfers: others have changed the catalog, a job has reached a stage, or the
    /// store lets other things be done.
    var hasChanged = true
    /// Whether clips were being sent when the lists of days were last told.
    private var wasBusy = false
    private var looks = 0
    /// Whether something could not be written: until the next look no job is taken, or the same would be done again at once.
    var isUnkept = false
    /// Jobs whose files cannot be read, until the next look.
    var unreadable: Set<UploadID> = []
    private var taken = 0
    /// The newest run of the local encoder: the next waits for its end.
    var lastEncoding: Task<Void, Never>?
    /// Where the local encoder writes.
    let scratch: DerivedFiles
    var removals = LedgerRemovals()

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(
        reader: StoreReader, catalog: Catalog, live: LiveClips, steps: StepLog, host: any Host, journal: Journal
    ) {
        queue = host.queue("vigil.uploads")
        digests = host.queue("vigil.digests")
        pieces = host.queue("vigil.pieces")
        lists = DayLists(catalog: catalog, host: host, journal: journal)
        self.reader = reader
        self.catalog = catalog
        scratch = DerivedFiles(catalog: catalog, folder: "encoding")
        self.live = live
        self.steps = steps
        self.host = host
        self.journal = journal
    }

    // MARK: From outside

    /// Another configuration is in force. Blocking: a credential may be read.
    nonisolated func change(_ loaded: LoadedConfiguration) {
        let zone = TimeZone(identifier: loaded.configuration.timeZone) ?? .current
        let credentials = CredentialStore(references: loaded.configuration.credentials)
        let cloud = loaded.configuration.cloud
        let made = cloud.map { cloud in Result { try CloudStore(cloud, credentials, host) } }
        let always = cloud?.provider == .always ? Set(loaded.configuration.cameras.map(\.name)) : []
        queue.run {
            self.assumeIsolated {
                $0.always = always
                $0.use($0.reader.keys)
                $0.use(made, zone)
            }
        }
    }

    /// Calls `body` when the clips that a camera has in the cloud have become more or fewer.
    nonisolated func whenStored(_ body: @escaping @Sendable (_ camera: String) -> Void) {
        onStored.withLock { $0.append(body) }
    }

    /// Calls `body` when stages were reached, and the journal was told.
    nonisolated func whenTold(_ body: @escaping @Sendable () -> Void) { onTold.withLock { $0.append(body) } }

    /// Stages were reached.
    nonisolated func told() { for follower in onTold.withLock({ $0 }) { follower() } }

    /// The clips that a camera has in the cloud have become more or fewer.
    nonisolated func stored(_ camera: String) {
        for follower in onStored.withLock({ $0 }) { follower(camera) }
    }

    /// Uploads of a camera are allowed from now on, or no longer.
    nonisolated func allow(_ camera: String, _ isAllowed: Bool) {
        queue.run {
            self.assumeIsolated { uploads in
                if isAllowed { uploads.allowed.insert(camera) } else { uploads.allowed.remove(camera) }
                uploads.goOn()
            }
        }
    }

    /// Something in the catalog's queue or ledger has changed.
    nonisolated func wake() {
        queue.run {
            self.assumeIsolated {
                $0.tellSoon()
                $0.wakeOnce()
            }
        }
    }

    /// How far a job in hand is; nil for all others.
    nonisolated func progress(of id: UploadID) -> Progress? { published.withLock { $0[id] } }

    /// Gives a job an order by a person; the machine says whether it can be followed.
    ///
    /// - Returns: why it was refused; nil where it is followed.
    /// - Throws: `CatalogError`, or `Absent`.
    func ask(_ id: UploadID, _ event: Upload.Event, by user: String) throws -> Upload.Refusal? {
        guard let job = try catalog.upload(id) else { throw Absent.gone }
        // What is sent live can be given up like all else.
        if job.standing == .open, !(job.isLive && job.isWanted) { throw Absent.open }
        let work = inHand[id] ?? take(job)
        // Who asks again for a removal that failed means the removal.
        let order: Upload.Event =
            switch (work.machine.state, event) {
            case (.removeFailed(let aim), .reUpload): aim.order
            case (.encodingFailed, .reUpload): .reEncode
            default: event
            }
        let effects = step(work, order, by: user)
        if event == .reUpload { gate.isAsked() }
        goOn()
        for case .refused(let why) in effects { return why }
        return nil
    }

    /// Asks a store that refused everybody at once, whatever jobs there are.
    func askStore() {
        gate.isAsked()
        goOn()
    }

    /// Why a job takes no orders.
    enum Absent: Error {
        /// There is none.
        case gone
        /// Its clip is being written.
        case open
    }

    /// Follows the queue until a stop, then breaks transfers off and keeps what they came to.
    nonisolated func run() async throws {
        await start()
        try? await gracefulShutdown()
        await drain()
    }

    func start() {
        // What an earlier run was encoding is begun anew.
        scratch.dropAll()
        timer = queue.timer { [weak self] in self?.assumeIsolated { $0.look() } }
        tellTimer = queue.timer { [weak self] in self?.assumeIsolated { $0.tellNotices() } }
        look()
    }

    /// Stops every machine. Parts that are there stay, for the next run.
    func drain() async {
        isDraining = true
        (timer, tellTimer) = (nil, nil)
        let orders = inHand.values.compactMap(\.order?.task) + inHand.values.compactMap(\.encoding?.task)
        for work in inHand.values { step(work, .drain) }
        tellNotices()
        for order in orders { order.cancel() }
        for order in orders { await order.value }
        for work in inHand.values { letGo(work) }
        removals.cancel()
        await lists.drain()
        if let client = store?.client { await client.shutdown() }
        store = nil
    }

    // MARK: The queue

    private func look() {
        gate.look(at: host.clock.now())
        if looks % Self.trimLooks == 0 { _ = try? catalog.trimUploads() }
        looks += 1
        (isUnkept, unreadable) = (false, [])
        tellBy = host.clock.now()
        retryRefused()
        goOn()
        timer?.set(afterMs: Self.lookMs)
    }

    /// Many may wake it while it works: one look is enough for all.
    func wakeOnce() {
        if isWoken { return }
        isWoken = true
        queue.run {
            self.assumeIsolated {
                $0.isWoken = false
                $0.proceed()
            }
        }
    }

    private func use(_ made: Result<CloudStore, any Error>?, _ zone: TimeZone) {
        self.zone = zone
        let before = store
        switch made {
        case .success(let made)?:
            if let before, before.settings == made.settings, !gate.isShut {
                host.begin { await made.client.shutdown() }
                return goOn()
            }
            (store, storeProblem) = (made, nil)
            host.begin { [journal] in
                guard let warning = await made.credentialWarning() else { return }
                journal.send(.credentialExposed, fields: [(.why, warning)])
            }
        case .failure(let error)?:
            (store, storeProblem) = (nil, "\(error)")
            journal.send(.storeRefused, fields: [(.why, "\(error)")])
        case nil: (store, storeProblem) = (nil, nil)
        }
        // What is under way speaks to the store of before.
        for work in inHand.values {
            if work.machine.allowed { step(work, .allow(false)) }
            letGo(work)
        }
        (gate, hasMoved, owesRetry) = (StoreGate(), false, false)
        if let before { host.begin { await before.client.shutdown() } }
        goOn()
    }

    /// Goes on with all that there may be to do.
    func goOn() {
        hasChanged = true
        proceed()
    }

    /// Tells the machines in hand what holds now, lets go of those that need nobody, and takes the next jobs; and looks for what
    /// else there is if anything has changed.
    private func proceed() {
        if isDraining { return }
        let isChanged = hasChanged
        hasChanged = false
        do {
            for id in inHand.keys.sorted() { try follow(id) }
            for work in inHand.values where work.isIdle { letGo(work) }
            try takeLive()
            if !inHand.values.contains(where: { $0.live != nil && $0.isAtWork }) { startRounds(atMost: 1) }
            try fill()
            if isChanged { try takeEncodings() }
            startRounds()
            probe()
            if isChanged { try removeOwed() }
            tellDueNotices()
            // Those that need no transfer, because their clips are gone, leave their places to others at once.
            if inHand.values.contains(where: \.isOver) { wakeOnce() }
        } catch {
            // The catalog cannot be read; the storage's own watch tells that. The next look tries again.
            hasChanged = true
            journal.send(.uploadsWait, fields: [(.why, "\(error)")], priority: .debug)
        }
        let views = inHand.mapValues(Progress.init)
        published.withLock { $0 = views }
        let now = situation
        if isChanged || now.isBusy != wasBusy { lists.follow(now) }
        wasBusy = now.isBusy
    }

    /// Shows others how far a job is.
    func publish(_ work: UploadWork) { published.withLock { $0[work.id] = Progress(work) } }

    private func fill() throws {
        guard let store, !isUnkept else { return }
        let room = gate.room(parallel: store.settings.parallel, inHand: inHand.values)
        let isOpen = store.settings.sends(atUnixMs: host.clock.wallMs(), in: zone)
        guard room > 0, inHand.count < Self.inHandMax else { return }
        let jobs = try catalog.nextUploads(
            limit: room, to: store.name, sending: isOpen ? sending : [], live: sending,
            keys: reader.keys.usable, except: unreadable.union(inHand.keys))
        for job in jobs { try follow(take(job).id, job) }
    }

    /// Makes the machine of a job; it orders nothing yet.
    func take(_ job: UploadJob) -> UploadWork {
        let now = host.clock.now()
        let machine = Upload(
            restoring: UploadRecord.read(job), encode: UploadRecord.encode(job) != .none, timing: Self.timing(job),
            at: now)
        let id = job.id
        taken += 1
        let work = UploadWork(
            job, token: taken, machine,
            timer: queue.timer { [weak self] in self?.assumeIsolated { $0.wake(id) } }, now: now)
        inHand[id] = work
        decideKey(work)
        // The first step says in the trace what the machine began with, and when.
        step(work, .tick, at: now)
        return work
    }

    /// Has a job in hand no more; what is under way for it ends.
    func letGo(_ work: UploadWork) {
        work.order?.task.cancel()
        work.encoding?.task?.cancel()
        work.timer.set(afterMs: nil)
        inHand[work.id] = nil
        steps.forget(upload: work.name)
    }

    /// The client ends a transfer by itself when nothing moves; this is for one whose client does not answer, and allows for a
    /// store whose objects have to be read back to be verified: a megabyte a second.
    private static func timing(_ job: UploadJob) -> Upload.Timing {
        let seed = job.key.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var timing = Upload.Timing(progressMs: 120_000 + max(job.bytes, 0) / 1_000, runMs: encodingMs, seed: seed)
        if job.standing == .open { (timing.backoffMs, timing.backoffMaxMs) = (liveBackoffMs, liveBackoffMaxMs) }
        return timing
    }

    /// Tells a machine what the catalog and the worker know and it does not.
    func follow(_ id: UploadID, _ known: UploadJob? = nil) throws {
        guard let work = inHand[id] else { return }
        guard let job = try known ?? catalog.upload(id) else { return letGo(work) }
        if let rule = job.removal, work.machine.state.aim == nil, work.machine.state != .deleted {
            step(work, rule == StorageMonitor.commandRule ? .delete : .purge)
        }
        if job.isSourceGone, [.queued, .uploading, .uploadFailed].contains(work.machine.state.phase) {
            step(work, .sourceGone)
        }
        guard followClip(job, work) else { return letGo(work) }
        let isWanted = maySend(work)
        if isWanted != work.machine.allowed { step(work, .allow(isWanted)) }
    }

    /// Whether a job may begin or go on to send.
    private func maySend(_ work: UploadWork) -> Bool {
        guard let store, sending.contains(work.camera), gate.lets(work.id) else { return false }
        // Between the clip's end and its digests the transfer waits.
        guard work.source != nil || work.live != nil || work.isSending else { return false }
        return work.isSending || work.isLive || store.settings.sends(atUnixMs: host.clock.wallMs(), in: zone)
    }

    private func wake(_ id: UploadID) {
        guard let work = inHand[id] else { return }
        step(work, .tick)
        wakeOnce()
    }
}
