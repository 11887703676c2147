internal import Catalog
internal import Journal
internal import MQTT
internal import Machines
internal import Policies
internal import Server
internal import ServiceLifecycle
internal import Synchronization

/// Publishes the state of the cameras to the broker of the configuration, and has its commands carried out
/// (docs/reference/mqtt.md). It is a client of the site as those of the HTTP interface are: what it asks for is bounded and answered
/// there, and nothing of a camera waits for it.
actor MQTTService: Service {
    /// How often it looks at everything by itself, and again at an event whose end is not written yet, in milliseconds.
    static let (lookMs, soonMs): (Int64, Int64) = (30_000, 2_000)
    /// The least pause between two looks, in milliseconds: what changes faster is published as it is then.
    static let pauseMs: Int64 = 100
    /// How long it waits after a failure, at first and at most, in milliseconds, and for how long a connection must have held to
    /// count as one that works.
    static let (waitMs, waitMaxMs, heldMs): (Int64, Int64, Int64) = (1_000, 60_000, 30_000)
    /// How long the end of a connection may take, in milliseconds.
    static let endMs: Int64 = 3_000
    /// The longest picture that is published, in bytes, and its width in pixels.
    static let (pictureBytesMax, pictureWidth) = (256 << 10, 640)
    /// The least distance of two pictures of what a camera sends where no event begins between them, in milliseconds.
    static let stillMs: Int64 = 60_000

    /// What is new since the last look.
    private struct News {
        var configuration: LoadedConfiguration?
        var cameras: Set<String> = []
        /// Cameras whose doorbell rang.
        var rang: Set<String> = []
        /// The storage, or something else of the site.
        var isSite = false
        var isAll = false
    }

    /// The broker of the configuration in force.
    private struct Link {
        let settings: MQTTSettings
        let session: MQTTSession
        /// Whether it ended in order, with everything acknowledged.
        let task: Task<Bool, Never>
    }

    /// The last picture of what a camera sends that was to be published.
    private struct Still {
        let number: Int64
        let at: Instant
        /// The last event that was active then or before.
        let event: Int64?
    }

    private let site: DaemonSite
    private let view: MQTTView
    private let clock: any Clocks
    private let left: LeftTopics
    private nonisolated let news = Mutex(News())
    private nonisolated let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private var link: Link?
    /// Cameras that are looked at again soon.
    private var again: Set<String> = []
    private var stills: [String: Still] = [:]
    /// Of the last such picture of any camera: no two have the same, so what was before privacy is none of what comes after it.
    private var stillNumber: Int64 = 0
    private nonisolated let references = Mutex<[String: CredentialReference]>([:])

    /// It begins with `configuration`, and is told of each change by it.
    init(site: DaemonSite, view: MQTTView, configuration: ConfigurationService) {
        self.site = site
        self.view = view
        clock = site.clock
        left = LeftTopics(root: site.catalog.rootPath, journal: site.journal)
        news.withLock { $0.configuration = configuration.loaded }
        configuration.onChange { [weak self] loaded, _ in
            self?.tell { $0.configuration = loaded }
            return []
        }
        site.journal.follow { [weak self] told in
            if told.kind == .machineStep { return }
            self?.tell { news in
                guard let camera = told.camera else {
                    news.isSite = true
                    return
                }
                news.cameras.insert(camera)
                if told.kind == .doorbellRang { news.rang.insert(camera) }
            }
        }
    }

    /// Publishes until a stop.
    nonisolated func run() async throws {
        wake.yield()
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.remind() }
                for await _ in wakes {
                    await self.look()
                    try? await Task.sleep(for: .milliseconds(Self.pauseMs))
                }
                group.cancelAll()
            }
        } onGracefulShutdown: {
            self.wake.finish()
        }
        await end()
        await left.end()
    }

    private nonisolated func tell(_ body: (inout News) -> Void) {
        news.withLock { body(&$0) }
        wake.yield()
    }

    private nonisolated func remind() async {
        while (try? await Task.sleep(for: .milliseconds(Self.lookMs))) != nil { tell { $0.isAll = true } }
    }

    // MARK: What is published

    private func look() async {
        let news = news.withLock { news in
            defer { news = News() }
            return news
        }
        if let loaded = news.configuration { await use(loaded.configuration) }
        guard let session = link?.session else { return }
        for camera in news.rang.sorted() { session.rang(camera) }
        let isAll = news.isAll || news.configuration != nil
        if isAll || news.isSite {
            let report = site.storage.report
            let storage = StorageReport(storage: report.storage.rawValue, freeBytes: report.freeBytes)
            session.set([(session.topics.site, .bytes(MQTTJSON.bytes(storage)))])
        }
        let cameras = isAll ? site.pool.all.map(\.name) : news.cameras.sorted()
        var unsettled: Set<String> = []
        for camera in cameras { if await !publish(camera, session) { unsettled.insert(camera) } }
        let isWaiting = !again.isEmpty
        again.formUnion(unsettled)
        guard !isWaiting, !again.isEmpty else { return }
        Task {
            try? await Task.sleep(for: .milliseconds(Self.soonMs))
            lookAgain()
        }
    }

    private func lookAgain() {
        let cameras = again
        again = []
        tell { $0.cameras.formUnion(cameras) }
    }

    /// Publishes a camera's state; false where the end of its last event is not written yet.
    private func publish(_ camera: String, _ session: MQTTSession) async -> Bool {
        guard let runtime = site.pool.camera(camera) else { return true }
        // Where it cannot be read, the one before stays until the next look.
        let filter = ListFilter(camera: camera, limit: 1, order: .newest)
        let event = (try? await site.events(filter, in: .all))?.items.first
        let (topics, machine) = (session.topics, runtime.actor.view.machine)
        let report = CameraReport(site.state(of: runtime), machine.intent.policy)
        var contents: [(topic: String, content: RetainedTopics.Content)] = [
            (topics.camera(camera, "state"), .bytes(MQTTJSON.bytes(report))),
            (topics.camera(camera, "motion"), .bytes(Self.text(machine.isMoving))),
        ]
        for name in CameraSwitch.allCases {
            contents.append((topics.camera(camera, name.rawValue), .bytes(Self.text(machine[name]))))
        }
        if let still = still(of: camera, machine, event: report.event) {
            contents.append((topics.camera(camera, "still"), still))
        }
        if let event {
            contents.append((topics.camera(camera, "event"), .bytes(MQTTJSON.bytes(event))))
            if event.end != nil { contents.append((topics.camera(camera, "picture"), .picture(.event(event.id)))) }
        }
        session.set(contents, of: camera)
        return event == nil || event?.end != nil || report.event != nil
    }

    private static func text(_ isOn: Bool) -> [UInt8] { Array((isOn ? "ON" : "OFF").utf8) }

    /// What the topic of a camera's present picture is to hold: another one when an event begins and once a minute while the camera
    /// streams, nothing while live or hard privacy covers it. Nil: none has been made yet.
    private func still(of camera: String, _ machine: Camera, event: Int64?) -> RetainedTopics.Content? {
        if machine.intent.privacy.hard || machine.intent.privacy.softLive {
            stills[camera] = nil
            return .bytes([])
        }
        let (before, now) = (stills[camera], clock.now())
        let isDue = before.map { now - $0.at >= Self.stillMs || event != nil && event != $0.event } ?? true
        guard isDue, machine.link.phase == .streaming else { return before.map { .picture(.still(camera, $0.number)) } }
        stillNumber += 1
        let next = Still(number: stillNumber, at: now, event: event ?? before?.event)
        stills[camera] = next
        return .picture(.still(camera, next.number))
    }

    private nonisolated func still(_ camera: String) async -> MQTTSession.PictureResult {
        do {
            guard let still = try await site.still(of: camera, width: Self.pictureWidth) else { return .later }
            return still.jpeg.count <= Self.pictureBytesMax ? .jpeg(still.jpeg, isShown: still.isShown) : .never
        } catch { return .later }
    }

    private nonisolated func picture(_ event: Int64) async -> MQTTSession.PictureResult {
        do {
            let jpeg = try await site.snapshot(of: .event(event), PictureWish(width: Self.pictureWidth))
            return jpeg.count <= Self.pictureBytesMax ? .jpeg(jpeg) : .never
        } catch let error as SiteError { return error.kind == .notFound ? .never : .later } catch { return .later }
    }

    // MARK: Which broker

    private func use(_ configuration: Configuration) async {
        references.withLock { $0 = configuration.credentials }
        let cameras = Set(configuration.cameras.map(\.name))
        stills = stills.filter { cameras.contains($0.key) }
        let wanted = configuration.mqtt
        let place = wanted.map { PublishedPlaces.Place($0, cameras) }
        if let link, link.settings == wanted {
            await left.use(place, configuration.credentials, link.session)
            return link.session.use(cameras: cameras)
        }
        if let link {
            let isLeft = place?.isSame(as: PublishedPlaces.Place(link.settings, [])) != true
            if await end(emptying: isLeft), isLeft { await left.emptied() }
        }
        stills = [:]
        view.begin(wanted.map { "\($0.broker)" })
        let session = wanted.map { self.session($0) }
        await left.use(place, configuration.credentials, session)
        guard let wanted, let session else { return }
        session.use(cameras: cameras)
        link = Link(settings: wanted, session: session, task: Task { await connect(wanted, session) })
    }

    private func session(_ settings: MQTTSettings) -> MQTTSession {
        let topics = SiteTopics(base: settings.topic)
        return MQTTSession(
            topics: topics,
            discovery: settings.discovery.map {
                HomeAssistantDiscovery(
                    prefix: $0, topics: topics, takesCommands: settings.acceptsCommands, version: site.version)
            },
            takesCommands: settings.acceptsCommands, view: view, clock: clock,
            picture: { [weak self] in await self?.picture($0) ?? .never },
            still: { [weak self] in await self?.still($0) ?? .never },
            carryOut: { [weak self] in await self?.carryOut($0, from: settings) })
    }

    /// Ends the connection in order, within a bound; one that is not made yet ends by itself. Whether the broker has acknowledged
    /// everything: with `emptying` also that it keeps no picture.
    @discardableResult
    private func end(emptying: Bool = false) async -> Bool {
        guard let link else { return false }
        self.link = nil
        link.session.end(emptying: emptying)
        var isInOrder = false
        if view.status?.connected == true {
            let (ended, end) = AsyncStream.makeStream(of: Bool.self)
            Task {
                end.yield(await link.task.value)
                end.finish()
            }
            Task {
                try? await Task.sleep(for: .milliseconds(Self.endMs))
                end.finish()
            }
            for await value in ended { isInOrder = value }
        }
        link.task.cancel()
        return isInOrder
    }

    /// Keeps a connection until the session ends: after a failure it tries again, after a wait that grows, by an amount of its own so
    /// that not all clients come back at one time. Whether it ended in order.
    private nonisolated func connect(_ settings: MQTTSettings, _ session: MQTTSession) async -> Bool {
        var waitMs = Self.waitMs
        while !Task.isCancelled {
            let began = clock.now()
            guard let failure = await attempt(settings, session) else { return true }
            if Task.isCancelled { return false }
            view.lost(failure)
            if clock.now() - began >= Self.heldMs { waitMs = Self.waitMs }
            try? await Task.sleep(for: .milliseconds(Int64.random(in: waitMs / 2...waitMs)))
            waitMs = min(2 * waitMs, Self.waitMaxMs)
        }
        return false
    }

    /// One connection, from its begin to its end; nil: it ended in order.
    private nonisolated func attempt(_ settings: MQTTSettings, _ session: MQTTSession) async -> String? {
        let (access, references) = (BrokerAccess(settings), self.references.withLock { $0 })
        do {
            let connection = try await Blocking.always {
                try access.connection(
                    id: "vigil-\(settings.topic)", will: session.will, filters: session.filters, references)
            }
            return await connection.run(session)?.words
        } catch { return "\(error)" }
    }

    // MARK: Commands

    private nonisolated func carryOut(_ command: MQTTCommand, from settings: MQTTSettings) async {
        let caller = Caller.broker("\(settings.broker)")
        do {
            switch command.action {
            case .turn(.recording, let isOn):
                _ = try await site.setEnabled(camera: command.camera, enabled: isOn, by: caller)
            case .turn(.privacy, let isOn): try await turn(PrivacyCommand(hard: isOn), command, caller)
            case .turn(.softRecording, let isOn): try await turn(PrivacyCommand(softRecording: isOn), command, caller)
            case .turn(.softLive, let isOn): try await turn(PrivacyCommand(softLive: isOn), command, caller)
            case .set(let name, let value):
                var change = SettingsCommand()
                if change.set(name.rawValue, value) {
                    _ = try await site.set(camera: command.camera, change, by: caller)
                }
            case .detect(let level):
                _ = try await site.trigger(camera: command.camera, TriggerCommand(level: level), by: caller)
            case .source(let name, let isOn):
                let trigger = TriggerCommand(source: name, on: isOn)
                _ = try await site.trigger(camera: command.camera, trigger, by: caller)
            }
        } catch { view.failed(command, "\(error)") }
        tell { $0.cameras.insert(command.camera) }
    }

    private nonisolated func turn(
        _ change: PrivacyCommand, _ command: MQTTCommand, _ caller: Caller
    ) async throws {
        _ = try await site.setPrivacy(camera: command.camera, change: change, by: caller)
    }
}
