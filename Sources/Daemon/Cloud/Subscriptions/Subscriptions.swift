internal import Catalog
internal import Journal
internal import Machines
internal import Policies
internal import Provider
internal import ServiceLifecycle
internal import Synchronization

/// The cloud subscriptions of all cameras that send something (docs/design/cloud.md "Subscription"). Runs their machines one step
/// at a time, on a queue of its own, which may wait for the catalog and never waits for the provider. What a step has changed is
/// kept before anything follows from it.
actor Subscriptions: Service {
    /// After how long it is tried again to keep what could not be kept, in milliseconds.
    static let retryMs: Int64 = 5_000
    /// How often the rules of age are applied in the cloud, in milliseconds.
    static let retentionMs: Int64 = 60_000
    /// The most clips that one transaction takes out.
    static let pageMax = 512
    /// The most pages of one camera in one pass of the rules of age; what is left goes with the next one.
    static let pagesMax = 16

    nonisolated let queue: any WorkQueue
    let catalog: Catalog
    let ages: AgeClock
    let steps: StepLog
    let host: any Host
    let journal: Journal
    /// Told when uploads of a camera are allowed from now on, or no longer; on the queue.
    let onAllowed: @Sendable (_ camera: String, _ isAllowed: Bool) -> Void
    /// Told when clips of a camera are out of every list, durably, and their objects are to go; on the queue.
    let onPurged: @Sendable (_ camera: String) -> Void

    /// What others may know at any moment.
    struct Published: Sendable {
        /// The cameras that have a subscription, by name.
        var views: [String: SubscribedCamera.View] = [:]
        /// How many clips the cloud has of each camera of which it has any, with a subscription or without.
        var clips: [String: Int64] = [:]
        /// Since when no plans could be loaded, and why; nil while they can.
        var failing: Failing?
    }

    /// An outage of the provider.
    struct Failing: Sendable {
        /// Since when.
        let since: Instant
        /// Why the last load failed, in words.
        var words: String
        /// Whether the journal was told.
        var isTold: Bool
    }

    private nonisolated let published = Mutex(Published())
    /// Cameras of which `storedChanged` was called, until it is looked.
    private nonisolated let changed = Mutex<Set<String>>([])
    var cameras: [String: SubscribedCamera] = [:]
    var provider: PlanProvider?
    /// The loads that wait for the next request.
    var asking: [String: Subscription.LoadNumber] = [:]
    /// The request under way.
    var load: PlanLoad?
    /// How many requests were made.
    var loads = 0
    var timer: (any WakeTimer)?
    /// When the rules of age are applied next.
    var retentionAt: Instant?
    /// A configuration that could not be put in force yet, and when it is tried again.
    var postponed: (loaded: LoadedConfiguration, at: Instant)?
    /// Whether the clock was doubted when it was looked last: dates come to other instants when it is believed.
    var isDoubted = false
    /// Whether it was told that something of the site cannot be kept.
    var isUnkeptTold = false
    private(set) var isDraining = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(
        catalog: Catalog, ages: AgeClock, steps: StepLog, host: any Host, journal: Journal,
        onAllowed: @escaping @Sendable (_ camera: String, _ isAllowed: Bool) -> Void,
        onPurged: @escaping @Sendable (_ camera: String) -> Void
    ) {
        queue = host.queue("vigil.plans")
        self.catalog = catalog
        self.ages = ages
        self.steps = steps
        self.host = host
        self.journal = journal
        self.onAllowed = onAllowed
        self.onPurged = onPurged
    }

    // MARK: From outside

    /// Another configuration is in force: cameras come and go, and another provider is asked at once.
    nonisolated func change(_ loaded: LoadedConfiguration) {
        queue.run { self.assumeIsolated { $0.use(loaded) } }
    }

    /// The wall clock was set: dates are wall times, so the machines begin anew with what they come to now.
    nonisolated func clockStepped() {
        queue.run { self.assumeIsolated { $0.beginAnew() } }
    }

    /// Clips of a camera have come to the cloud, or gone from there.
    nonisolated func storedChanged(_ camera: String) {
        let isFirst = changed.withLock { changed in
            defer { changed.insert(camera) }
            return changed.isEmpty
        }
        if isFirst { queue.run { self.assumeIsolated { $0.lookAtStored() } } }
    }

    /// Asks the provider now, for one camera or all.
    nonisolated func refresh(camera: String?) {
        queue.run { self.assumeIsolated { $0.refreshNow(camera) } }
    }

    /// Whether clips of a camera may be uploaded.
    nonisolated func isAllowed(_ camera: String) -> Bool {
        published.withLock { $0.views[camera]?.isAllowed ?? false }
    }

    /// How many clips the cloud has of a camera; nil where it has none.
    nonisolated func clips(_ camera: String) -> Int64? { published.withLock { $0.clips[camera] } }

    /// The cameras that have a subscription, by name.
    nonisolated var views: [SubscribedCamera.View] {
        published.withLock { Array($0.views.values) }.sorted { $0.camera < $1.camera }
    }

    /// Since when no plans could be loaded, and why; nil while they can.
    nonisolated var failing: Failing? { published.withLock { $0.failing } }

    /// Stops every machine at a stop.
    nonisolated func run() async throws {
        try? await gracefulShutdown()
        await drain()
    }

    /// Stops every machine: no upload is allowed and nobody is asked any more. What is kept stays as it is.
    func drain() {
        isDraining = true
        timer = nil
        for camera in byName where camera.isSettled { step(camera, .drain, at: WallDates(ages)) }
        load?.call.cancel()
        load = nil
        asking = [:]
    }

    // MARK: A step

    /// The cameras in a fixed order.
    var byName: [SubscribedCamera] { cameras.values.sorted { $0.name < $1.name } }

    /// Takes a step of a camera that owes nothing, and carries out what it orders.
    func step(_ camera: SubscribedCamera, _ event: Subscription.Event, at dates: WallDates) {
        let before = camera.machine.kept
        let now = max(dates.now, camera.last)
        let effects = camera.machine.step(event, at: now)
        camera.seq += 1
        camera.last = now
        steps.step(
            subscription: camera.name, seq: camera.seq, at: now, event: event, machine: camera.machine, effects: effects
        )
        if case .loaded(_, let answer) = event {
            camera.kept.follow(camera.machine, from: before, answer: answer, dates)
        } else {
            camera.kept.follow(camera.machine, from: before, dates)
        }
        // While nobody is asked it is the disk that was late.
        for case .abandon in effects where camera.machine.load != .stopped && load != nil {
            camera.kept.failure = Self.late.words
            failed(Self.late)
        }
        camera.owed += effects
        settle(camera)
    }

    /// Keeps what has changed, then carries out what is owed, in order. What fails is tried again, and nothing behind it is done
    /// before.
    func settle(_ camera: SubscribedCamera) {
        do {
            if camera.kept != camera.saved {
                try keep(camera.kept)
                camera.saved = camera.kept
                tellPlan(camera)
            }
            while let effect = camera.owed.first {
                try perform(effect, camera)
                camera.owed.removeFirst()
            }
            camera.retryAt = nil
            camera.isOwedTold = false
        } catch {
            camera.retryAt = host.clock.now() + Self.retryMs
            if !camera.isOwedTold { tellUnkept(error, of: camera.name) }
            camera.isOwedTold = true
        }
        publish(camera.name, camera.view)
        if camera.isSettled, let (number, outcome) = camera.waiting {
            camera.waiting = nil
            came(outcome, camera.name, number)
        }
        setTimer()
    }

    /// Durable when it returns. Blocking.
    func keep(_ subscription: CloudSubscription) throws {
        try host.disk(.subscription, subscription.camera) { try catalog.saveSubscription(subscription) }
    }

    /// Says since when no plans can be loaded, and why.
    func publish(failing: Failing?) { published.withLock { $0.failing = failing } }

    /// What others see of a camera; nil: it has no subscription any more.
    func publish(_ name: String, _ view: SubscribedCamera.View?) { published.withLock { $0.views[name] = view } }

    // MARK: Time

    func setTimer() {
        let due =
            cameras.values.map { $0.isSettled ? $0.machine.nextDeadline : $0.retryAt }
            + [cameras.values.contains { $0.ageMs != nil } ? retentionAt : nil, postponed?.at]
        let now = host.clock.now()
        let doubtLook = isDoubted || ages.doubt != nil ? now + Self.retentionMs : nil
        // A timer may fire a moment early.
        timer?.set(afterMs: (due + [doubtLook]).compactMap { $0 }.min().map { max($0 - now, 1) })
    }

    /// Does what is due.
    func wake() {
        let dates = WallDates(ages)
        let wasDoubted = isDoubted
        isDoubted = ages.doubt != nil
        if wasDoubted, !isDoubted { beginAnew() }
        for camera in byName {
            if let retryAt = camera.retryAt, retryAt <= dates.now {
                settle(camera)
                guard let dates = due(camera) else { continue }
                // A load that waited with the rest was given up before anybody was asked.
                step(camera, .refresh, at: dates)
                storedChanged(camera.name)
            }
            if camera.isSettled, let due = camera.machine.nextDeadline, due <= dates.now {
                step(camera, .tick, at: dates)
            }
        }
        if let (loaded, at) = postponed, at <= dates.now { use(loaded) }
        if let retentionAt, retentionAt <= dates.now {
            self.retentionAt = dates.now + Self.retentionMs
            retain(atWallMs: dates.wallMs)
        }
        setTimer()
    }

    /// The instants of a step; what time has brought due is a step of its own. Nil where the camera owes something.
    func due(_ camera: SubscribedCamera) -> WallDates? {
        let dates = WallDates(ages)
        if camera.isSettled, let due = camera.machine.nextDeadline, due <= dates.now { step(camera, .tick, at: dates) }
        return camera.isSettled ? dates : nil
    }

    func refreshNow(_ name: String?) {
        guard !isDraining else { return }
        for camera in byName where name == nil || camera.name == name {
            if let dates = due(camera) { step(camera, .refresh, at: dates) }
        }
    }

    private func lookAtStored() {
        let names = changed.withLock { changed in
            defer { changed = [] }
            return changed
        }
        guard !isDraining else { return }
        do {
            let usage = try storedNow()
            for camera in byName where names.contains(camera.name) {
                // One that owes something is looked at when it owes nothing.
                guard let dates = due(camera) else { continue }
                camera.stored = usage[camera.name] ?? SubscribedCamera.Stored()
                let isStored = camera.stored.clips > 0
                if isStored != camera.machine.stored {
                    step(camera, .stored(isStored), at: dates)
                } else {
                    publish(camera.name, camera.view)
                }
            }
        } catch {
            // It is looked again with the next change, and with each pass of the rules of age.
            journal.send(.writeFailed, fields: [(.detail, "cloud usage: \(error)")], priority: .debug)
        }
    }

    /// What each camera has in the cloud. Blocking.
    func storedNow() throws -> [String: SubscribedCamera.Stored] {
        let usage = Dictionary(
            try catalog.remoteUsage().map { ($0.camera, SubscribedCamera.Stored(clips: $0.clips, bytes: $0.bytes)) },
            uniquingKeysWith: { first, _ in first })
        published.withLock { $0.clips = usage.mapValues(\.clips) }
        return usage
    }
}
