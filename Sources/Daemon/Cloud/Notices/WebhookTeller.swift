internal import Catalog
internal import Journal
internal import Machines
internal import Policies
internal import ServiceLifecycle
internal import Synchronization
internal import Webhook

/// Tells the webhook's receiver each stage of each job (docs/design/cloud.md "The webhook"), on a queue of its own, which may block
/// on the catalog and on a credential's file. What is sent is marked afterwards: a crash in between sends it twice, with one id.
actor WebhookTeller: Service {
    /// How often it looks by itself, in milliseconds: what is more than may wait is given up, what nobody told it is found.
    static let lookMs: Int64 = 30_000
    /// After how long it is tried again to write what could not be written, in milliseconds.
    static let retryMs: Int64 = 5_000

    nonisolated let queue: any WorkQueue
    private let catalog: Catalog
    private let host: any Host
    private let journal: Journal
    private let noticesMax: Int
    private nonisolated let published = Mutex<View?>(nil)

    /// How the receiver stands, for lists.
    struct View: Hashable, Sendable {
        /// Scheme, host and port of its address.
        let origin: String
        /// Since when it takes nothing, and why; nil while it does.
        let outage: WebhookGate.Outage?
    }

    /// The receiver of the configuration in force.
    private struct Receiver {
        let settings: WebhookSettings
        var references: [String: CredentialReference]
        let sender: any WebhookSender
        /// The end of each notice's id.
        let series: String
    }

    private var receiver: Receiver?
    private var gate = WebhookGate() { didSet { publish() } }
    /// What is under way, one notice of each job.
    private var atWork: [UploadID: Task<Void, Never>] = [:]
    /// Notices that were taken and could not be marked: they are not sent again by this run.
    private var unmarked: [UploadNotice.ID] = []
    /// A configuration that could not be put in force.
    private var postponed: LoadedConfiguration?
    /// Until when nothing is done, because the catalog cannot be written.
    private var pausedUntil: Instant?
    private var timer: (any WakeTimer)?
    private var isWoken = false
    private var isDraining = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(catalog: Catalog, host: any Host, journal: Journal, noticesMax: Int = Catalog.webhookNoticesMax) {
        queue = host.queue("vigil.webhook")
        self.catalog = catalog
        self.host = host
        self.journal = journal
        self.noticesMax = noticesMax
    }

    // MARK: From outside

    /// Another configuration is in force.
    nonisolated func change(_ loaded: LoadedConfiguration) {
        queue.run { self.assumeIsolated { $0.use(loaded) } }
    }

    /// Stages were reached.
    nonisolated func wake() {
        queue.run { self.assumeIsolated { $0.wakeOnce() } }
    }

    /// Somebody asks to try again: what waits is tried at once.
    nonisolated func retry() {
        queue.run { self.assumeIsolated { $0.tryNow() } }
    }

    /// How the receiver stands; nil where there is none.
    nonisolated var view: View? { published.withLock { $0 } }

    /// Tells until a stop.
    nonisolated func run() async throws {
        try? await gracefulShutdown()
        await drain()
    }

    /// Breaks off what is under way: it is sent again with the next run.
    func drain() async {
        isDraining = true
        timer = nil
        let tasks = Array(atWork.values)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        await receiver?.sender.shutdown()
        receiver = nil
    }

    // MARK: Which receiver

    private func tryNow() {
        gate.isAsked()
        goOn()
    }

    private func use(_ loaded: LoadedConfiguration) {
        if isDraining { return }
        postponed = nil
        let wanted = loaded.configuration.webhook
        if let wanted, receiver?.settings == wanted {
            // The secret behind the credential's name may be another one.
            receiver?.references = loaded.configuration.credentials
            return tryNow()
        }
        do {
            let dropped = try catalog.useWebhook(wanted != nil)
            if dropped > 0 { tellDropped(dropped, "cloud.webhook is not configured any more") }
            let state = try wanted == nil ? nil : catalog.webhook()
            if let before = receiver { host.begin { await before.sender.shutdown() } }
            for task in atWork.values { task.cancel() }
            receiver = nil
            guard let wanted, let state else { return gate = WebhookGate() }
            receiver = Receiver(
                settings: wanted, references: loaded.configuration.credentials, sender: host.webhook(wanted.url),
                series: state.series)
            gate = WebhookGate(failingSinceWallMs: state.failingWallMs)
        } catch {
            pause(error)
            postponed = loaded
        }
        goOn()
    }

    private func publish() {
        let view = receiver.map { View(origin: $0.settings.origin, outage: gate.outage) }
        published.withLock { $0 = view }
    }

    // MARK: Telling

    /// Many may wake it while it works: one look is enough for all.
    private func wakeOnce() {
        if isWoken || receiver == nil { return }
        isWoken = true
        queue.run {
            self.assumeIsolated {
                $0.isWoken = false
                $0.goOn()
            }
        }
    }

    private func look() {
        if let postponed { return use(postponed) }
        guard receiver != nil else { return }
        do {
            let dropped = try catalog.trimWebhookNotices(keeping: noticesMax)
            if dropped > 0 {
                tellDropped(dropped, "more than \(noticesMax) waited, so the oldest went")
                gate.forgetResting()
            }
        } catch { pause(error) }
        goOn()
    }

    /// Sends what may be sent.
    private func goOn() {
        let now = host.clock.now()
        defer { setTimer() }
        if isDraining || pausedUntil.map({ $0 > now }) == true { return }
        pausedUntil = nil
        do {
            while let id = unmarked.first {
                try catalog.markWebhookTold(id)
                unmarked.removeFirst()
            }
            guard let receiver else { return }
            let room = gate.room(atWork: atWork.count, at: now)
            guard room > 0 else { return }
            let (busy, resting) = (Set(atWork.keys), Set(gate.left(at: now).map(UploadID.init)))
            var notices = try catalog.nextWebhookNotices(limit: room, except: busy.union(resting))
            // In an outage somebody must try, whether it rests or not.
            if notices.isEmpty, gate.outage != nil {
                notices = try catalog.nextWebhookNotices(limit: 1, except: busy)
            }
            guard let first = notices.first else { return }
            do throws(WebhookFailure) {
                let secret = try secret(of: receiver)
                for notice in notices { send(notice, to: receiver, secret) }
            } catch { failed(first, error) }
        } catch { pause(error) }
    }

    private func send(_ notice: WebhookNotice, to receiver: Receiver, _ secret: WebhookSecret?) {
        let wallMs = host.clock.wallMs()
        let message = WebhookMessage(
            id: WebhookBody.id(notice, series: receiver.series), sentSeconds: wallMs / 1_000,
            body: WebhookBody(notice, series: receiver.series).bytes)
        let sender = receiver.sender
        atWork[notice.id.upload] = host.begin {
            let failure = await sender.send(message, secret: secret)
            await self.ended(notice, failure, isGivenUp: Task.isCancelled)
        }
    }

    /// What signs the notices; nil where they are not signed. Blocking: it may be in a file.
    private func secret(of receiver: Receiver) throws(WebhookFailure) -> WebhookSecret? {
        guard let name = receiver.settings.credential else { return nil }
        let text: String
        do throws(CredentialProblem) {
            text = try CredentialStore(references: receiver.references).credential(name).password
        } catch { throw WebhookFailure(.refused, "\(error)") }
        return try WebhookSecret(text, ofCredential: name)
    }

    private func ended(_ notice: WebhookNotice, _ failure: WebhookFailure?, isGivenUp: Bool) {
        atWork[notice.id.upload] = nil
        if let failure {
            if !isGivenUp, receiver != nil { failed(notice, failure) }
        } else {
            told(notice)
        }
        goOn()
    }

    private func told(_ notice: WebhookNotice) {
        if let outage = gate.told(notice.id.upload.rawValue), receiver != nil {
            let waited = (try? catalog.webhook()?.waiting) ?? 0
            journal.send(
                .webhookWorking,
                fields: [
                    (.durationMs, "\(max(0, host.clock.wallMs() - outage.sinceWallMs))"), (.count, "\(waited)"),
                ])
            keep { try $0.saveWebhookFailing(sinceWallMs: nil) }
        }
        // What cannot be marked now is marked before anything else is sent.
        unmarked.append(notice.id)
        keep { try $0.markWebhookTold(notice.id) }
        if pausedUntil == nil { unmarked.removeAll { $0 == notice.id } }
    }

    private func failed(_ notice: WebhookNotice, _ failure: WebhookFailure) {
        guard let receiver else { return }
        let wallMs = host.clock.wallMs()
        let news = gate.failed(
            notice.id.upload.rawValue, failure, share: .random(in: 0...1_000), at: host.clock.now(), wallMs: wallMs)
        switch news {
        case .none: break
        case .outage:
            journal.send(.webhookFailing, fields: [(.why, failure.words), (.url, receiver.settings.origin)])
            keep { try $0.saveWebhookFailing(sinceWallMs: wallMs) }
        case .refused:
            journal.send(
                .webhookRefused, camera: notice.job.camera,
                fields: [
                    (.job, "\(notice.id.upload)"), (.notice, "\(notice.id.number)"), (.stage, notice.stage),
                    (.why, failure.words),
                ])
        }
        keep { try $0.recordWebhookAttempt(notice.id) }
    }

    private func tellDropped(_ count: Int, _ why: String) {
        journal.send(.webhookDropped, fields: [(.count, "\(count)"), (.why, why)])
    }

    // MARK: The catalog and time

    private func keep(_ write: (Catalog) throws -> Void) {
        do { try write(catalog) } catch { pause(error) }
    }

    /// The catalog cannot be read or written; the storage's own watch tells that.
    private func pause(_ error: any Error) {
        pausedUntil = host.clock.now() + Self.retryMs
        journal.send(.uploadsWait, fields: [(.why, "\(error)")], priority: .debug)
    }

    private func setTimer() {
        guard !isDraining, receiver != nil || postponed != nil else {
            timer?.set(afterMs: nil)
            return
        }
        if timer == nil { timer = queue.timer { [weak self] in self?.assumeIsolated { $0.look() } } }
        let now = host.clock.now()
        let next = [pausedUntil, gate.next(after: now)].compactMap { $0 }.min()
        timer?.set(afterMs: min(next.map { max($0 - now, 1) } ?? Self.lookMs, Self.lookMs))
    }
}
