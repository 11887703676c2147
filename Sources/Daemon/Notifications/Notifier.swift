internal import Catalog
internal import Foundation
internal import Journal
internal import Machines
internal import Media
internal import Policies
internal import Server
internal import ServiceLifecycle
internal import Synchronization
internal import Webhook

/// Tells the receivers of the section `notify` what the catalog says that they are to be told (docs/design/notifications.md), on a queue
/// of its own, which may block on the catalog and on a credential's file. One message of each receiver is under way at a time, the
/// oldest first. What was taken is marked afterwards: a crash in between sends it twice, with one id.
actor Notifier: Service {
    /// How often it looks by itself, in milliseconds: what waits for too long is given up, and problems are told.
    static let lookMs: Int64 = 30_000
    /// After how long it is tried again to read or write what the catalog refused, in milliseconds.
    static let retryMs: Int64 = 5_000
    /// For how long, and how often in vain, a message may wait: a day in milliseconds, and so many tries.
    static let (ageMaxMs, attemptsMax) = (Int64(86_400_000), 50)
    /// In how many transactions a look forgets what is over.
    static let forgetsMax = 10
    /// The most that a message takes, in bytes: a picture, its Base64 as text, escaped, in the body and as its bytes, while one of
    /// them grows; and all else of a body in three of these.
    static let messageBytes = 8 * MessagePictures.bytesMax + 3 * NotificationValues.bodyBytesMax

    /// How a receiver stands, for lists.
    struct View: Hashable, Sendable {
        let name: String
        let kind: NotifyReceiver.Kind
        /// Scheme, host and port of its address.
        let origin: String
        /// Since when it takes nothing, and why; nil while it does.
        let outage: WebhookGate.Outage?
    }

    /// A receiver of the configuration in force.
    struct Receiver {
        let settings: NotifyReceiver
        let sender: any WebhookSender
        var gate = WebhookGate()
        var task: Task<Void, Never>?
        /// The problem that is under way from memory.
        var underWay: ProblemWatch.News?
        /// What could not be written: not sent again by this run.
        var unwritten: [Outcome] = []

        init(settings: NotifyReceiver, sender: any WebhookSender) { (self.settings, self.sender) = (settings, sender) }

        /// The same receiver with other settings: an outage lasts until something is taken.
        init(after before: Receiver, settings: NotifyReceiver, sender: any WebhookSender) {
            self.init(settings: settings, sender: sender)
            gate = WebhookGate(failingSinceWallMs: before.gate.outage?.sinceWallMs)
            unwritten = before.unwritten
        }
    }

    /// What became of a message.
    struct Outcome: Hashable, Sendable {
        let id: Int64
        /// Why it is not sent any more; nil: it was taken.
        let givenUp: String?
    }

    /// The line of the gate for what has no row: trials, and problems that are sent from memory. Rows count from 1.
    static let noRow: Int64 = 0

    nonisolated let queue: any WorkQueue
    let catalog: Catalog
    let host: any Host
    let journal: Journal
    private let pictures: MessagePictures
    private nonisolated let published = Mutex<[View]>([])
    private let problems: HeldProblems

    var receivers: [String: Receiver] = [:] { didSet { publish() } }
    private var order: [String] = []
    private var references: [String: CredentialReference] = [:]
    private(set) var zone = TimeZone.current
    /// Problems that the catalog could not take; each is sent from memory.
    var unkept: [ProblemWatch.News] = []
    /// Until when nothing is done, because the catalog cannot be read or written.
    private var pausedUntil: Instant?
    private var nextLook = Instant(ms: 0)
    /// Whether the last look could not write what it had to.
    private var isLookOwed = false
    private var timer: (any WakeTimer)?
    private var isWoken = false
    private(set) var isDraining = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(catalog: Catalog, snapshots: Snapshots, problems: HeldProblems, host: any Host, journal: Journal) {
        queue = host.queue("vigil.notifier")
        self.catalog = catalog
        pictures = MessagePictures(clock: host.clock) { event in
            let options = SnapshotOptions(widthMax: MessagePictures.width, heightMax: MessagePictures.width)
            return try snapshots.jpeg(of: .event(event.rawValue), options)
        }
        self.problems = problems
        self.host = host
        self.journal = journal
    }

    // MARK: From outside

    /// Another configuration is in force.
    nonisolated func change(_ loaded: LoadedConfiguration) {
        queue.run { self.assumeIsolated { $0.use(loaded.configuration) } }
    }

    /// Something was entered that is to be sent.
    nonisolated func wake() {
        queue.run { self.assumeIsolated { $0.wakeOnce() } }
    }

    /// How the receivers stand, in the order of the configuration.
    nonisolated var views: [View] { published.withLock { $0 } }

    /// Sends a receiver a trial at once, past everything that waits. Gives why it was not taken, nil where it was; the outer nil where
    /// there is no such receiver.
    func test(_ name: String) async -> WebhookFailure?? {
        guard let receiver = receivers[name] else { return nil }
        let values = NotificationValues(
            trial: Sessions.newID(), atWallMs: host.clock.wallMs(), zone: zone)
        do throws(WebhookFailure) {
            let request = try values.request(
                for: receiver.settings, credential: try credential(of: receiver.settings), picture: nil,
                sentSeconds: host.clock.wallMs() / 1_000)
            let failure = await receiver.sender.send(request)
            if failure == nil {
                works(receiver.settings)
                tryNow(name)
            }
            return .some(failure)
        } catch { return .some(error) }
    }

    /// Tells until a stop.
    nonisolated func run() async throws {
        try? await gracefulShutdown()
        await drain()
    }

    /// Breaks off what is under way: it is sent again with the next run.
    func drain() async {
        isDraining = true
        timer = nil
        let tasks = receivers.values.compactMap(\.task)
        for task in tasks { task.cancel() }
        await pictures.stop()
        for task in tasks { await task.value }
        for receiver in receivers.values { await receiver.sender.shutdown() }
        receivers = [:]
    }

    // MARK: Which receivers

    private func use(_ configuration: Configuration) {
        if isDraining { return }
        references = configuration.credentials
        zone = TimeZone(identifier: configuration.timeZone) ?? .current
        order = configuration.receivers.map(\.name)
        for (name, before) in receivers {
            let wanted = configuration.receiver(name)
            if wanted == before.settings {
                // The secret behind the credential's name may be another one.
                receivers[name]?.gate.isAsked()
                continue
            }
            before.task?.cancel()
            host.begin { await before.sender.shutdown() }
            receivers[name] = wanted.map {
                Receiver(after: before, settings: $0, sender: host.webhook($0.sendURL))
            }
            if wanted == nil, before.gate.outage != nil { journal.send(.receiverRemoved, fields: [(.receiver, name)]) }
        }
        for settings in configuration.receivers where receivers[settings.name] == nil {
            receivers[settings.name] = Receiver(settings: settings, sender: host.webhook(settings.sendURL))
        }
        publish()
        nextLook = host.clock.now()
        look()
    }

    private func tryNow(_ name: String) {
        receivers[name]?.gate.isAsked()
        goOn()
    }

    private func publish() {
        let views = order.compactMap { name in
            receivers[name].map {
                View(
                    name: name, kind: $0.settings.kind, origin: $0.settings.origin, outage: $0.gate.outage)
            }
        }
        published.withLock { $0 = views }
    }

    // MARK: Telling

    /// Many may wake it while it works: one look is enough for all.
    private func wakeOnce() {
        if isWoken || receivers.isEmpty { return }
        isWoken = true
        queue.run {
            self.assumeIsolated {
                $0.isWoken = false
                $0.goOn()
            }
        }
    }

    /// The timer fired: what comes in time is looked at every `lookMs`, however often it fires besides.
    private func look() {
        let (now, wallMs) = (host.clock.now(), host.clock.wallMs())
        guard now >= nextLook else { return goOn() }
        nextLook = now + Self.lookMs
        let bounds = receivers.compactMapValues(\.settings.problemsMs)
        unkept += problems.due(bounds, at: now)
        unkept.removeFirst(max(0, unkept.count - ProblemWatch.most))
        isLookOwed = true
        attempt {
            try keepProblems(catalog, atWallMs: wallMs)
            try trim(atWallMs: wallMs)
            isLookOwed = false
        }
        for name in order { sendUnkept(to: name) }
        goOn()
    }

    /// Gives up what waits for too long, among too many, or for nobody, and forgets what has been over for long.
    private func trim(atWallMs wallMs: Int64) throws {
        let gone = "the receiver is not configured any more"
        let left = try catalog.giveUpNotifications(ofOthersThan: order, why: gone, atWallMs: wallMs)
        for (name, count) in left.sorted(by: { $0.key < $1.key }) { tellGivenUp(name, count, gone) }
        for name in order {
            let why = "it waited for longer than a day, or more than \(Catalog.notificationsWaitingMax) waited"
            let count = try catalog.trimNotifications(
                of: name, olderThanMs: wallMs - Self.ageMaxMs, why: why, atWallMs: wallMs)
            guard count > 0 else { continue }
            tellGivenUp(name, count, why)
            receivers[name]?.gate.forgetResting()
        }
        for _ in 0..<Self.forgetsMax {
            if try catalog.forgetNotifications() < Catalog.notificationsForgottenMax { break }
        }
    }

    /// Sends what may be sent.
    func goOn() {
        let now = host.clock.now()
        defer { setTimer() }
        if isDraining || pausedUntil.map({ $0 > now }) == true { return }
        pausedUntil = nil
        for name in order { attempt { try sendNext(to: name, at: now) } }
    }

    private func sendNext(to name: String, at now: Instant) throws {
        guard let receiver = receivers[name], receiver.task == nil else { return }
        try writeOutcomes(of: name)
        guard receiver.gate.room(atWork: 0, at: now) > 0 else { return }
        var entry = try catalog.nextNotification(of: name, except: receiver.gate.left(at: now))
        // In an outage somebody must try, whether it rests or not.
        if entry == nil, receiver.gate.outage != nil { entry = try catalog.nextNotification(of: name) }
        guard let entry else { return }
        let event = try entry.event.flatMap { try catalog.record($0) }
        let values = NotificationValues(entry, event: event, zone: zone)
        do throws(WebhookFailure) {
            let credential = try credential(of: receiver.settings)
            receivers[name]?.task = host.begin { [self] in
                let picture = await picture(for: entry, receiver.settings)
                let failure = await deliver(values, to: receiver.settings, credential, picture, by: receiver.sender)
                await ended(
                    entry, receiver.settings, failure, hadPicture: picture != nil, isCancelled: Task.isCancelled)
            }
        } catch { failed(entry, receiver.settings, error) }
    }

    nonisolated func deliver(
        _ values: NotificationValues, to receiver: NotifyReceiver, _ credential: Credential?, _ picture: [UInt8]?,
        by sender: any WebhookSender
    ) async -> WebhookFailure? {
        do throws(WebhookFailure) {
            let request = try values.request(
                for: receiver, credential: credential, picture: picture, sentSeconds: host.clock.wallMs() / 1_000)
            return await sender.send(request)
        } catch { return error }
    }

    /// The picture for a message; nil where the receiver gets none, or none comes in time.
    private nonisolated func picture(for entry: NotificationEntry, _ receiver: NotifyReceiver) async -> [UInt8]? {
        guard receiver.hasPicture, !entry.isPlain, let event = entry.event else { return nil }
        return await pictures.jpeg(of: event, entry.kind, atWallMs: entry.atWallMs)
    }

    /// The credential of a receiver; nil where it has none. Blocking: it may be in a file.
    func credential(of receiver: NotifyReceiver) throws(WebhookFailure) -> Credential? {
        guard let name = receiver.credential else { return nil }
        do throws(CredentialProblem) {
            return try CredentialStore(references: references).credential(name)
        } catch { throw WebhookFailure(.refused, "\(error)") }
    }

    // MARK: The catalog and time

    /// Reads or writes; what cannot be done is tried again later. The storage's own watch tells that it cannot.
    func attempt(_ work: () throws -> Void) {
        do { try work() } catch { pausedUntil = host.clock.now() + Self.retryMs }
    }

    private func setTimer() {
        guard !isDraining, !receivers.isEmpty || isLookOwed else {
            timer?.set(afterMs: nil)
            return
        }
        if timer == nil { timer = queue.timer { [weak self] in self?.assumeIsolated { $0.look() } } }
        let now = host.clock.now()
        let waits = receivers.values.filter { $0.task == nil }.map { $0.gate.next(after: now) }
        let next = ([nextLook, pausedUntil] + waits).compactMap { $0 }.min() ?? nextLook
        timer?.set(afterMs: min(max(next - now, 1), Self.lookMs))
    }
}

extension NotifyReceiver {
    /// Where its messages go.
    fileprivate var sendURL: String {
        guard kind == .gotify else { return url }
        return url + (url.hasSuffix("/") ? "" : "/") + "message"
    }
}
