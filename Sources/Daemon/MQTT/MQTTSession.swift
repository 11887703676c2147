internal import Journal
internal import MQTT
internal import Machines
internal import Server
internal import Synchronization

/// What goes to one broker and comes from it, over all connections to it: the state that it is to keep, and the commands.
final class MQTTSession: BrokerClient {
    /// The most commands of one camera that wait.
    static let waitingMax = MQTTCommand.perMinute
    /// What is held of a camera, in bytes: its topics, descriptions, states and commands.
    static let cameraBytes = 64 << 10
    /// The most times a minute that everything is published because Home Assistant has started.
    static let birthsPerMinute = 6

    /// The most descriptions of others below this site's name that wait to be taken away, and how long their topics may be.
    static let (foreignMax, foreignBytesMax) = (4_096, 512)

    private struct State {
        var topics = RetainedTopics()
        var cameras: Set<String> = []
        var budget = MinuteBudget(most: MQTTCommand.perMinute)
        var births = MinuteBudget(most: MQTTSession.birthsPerMinute)
        /// Commands by camera; a camera that is there has somebody who carries them out.
        var lanes: [String: [MQTTCommand]] = [:]
        /// Cameras whose doorbell rang, which nobody has been told yet.
        var rang: Set<String> = []
        /// Pictures that could not be read yet.
        var unread: Set<String> = []
        /// Whether a picture is being read, and one that was.
        var isReading = false
        var read: ReadPicture?
        var writer: AsyncStream<Void>.Continuation?
        var wakes: AsyncStream<Void>?
        var isEnding = false
        /// What is emptied before the end.
        var last: [String] = []
        var hasEnded = false
    }

    /// A picture that a topic is to hold, read.
    private struct ReadPicture {
        let topic: String
        let picture: RetainedTopics.Picture
        let jpeg: [UInt8]
        let isShown: @Sendable () -> Bool
    }

    /// What is done next for the broker.
    private enum Step {
        case publish(ApplicationMessage)
        case read(String, RetainedTopics.Picture)
        case wait(AsyncStream<Void>?)
        case end
    }

    let topics: SiteTopics
    let discovery: HomeAssistantDiscovery?
    private let takesCommands: Bool
    private let view: MQTTView
    private let clock: any Clocks
    private let picture: @Sendable (Int64) async -> PictureResult
    private let still: @Sendable (String) async -> PictureResult
    private let carryOut: @Sendable (MQTTCommand) async -> Void
    private let state = Mutex(State())

    /// What became of the wish for a picture.
    enum PictureResult: Sendable {
        /// One that may be published as long as `isShown` says so.
        case jpeg([UInt8], isShown: @Sendable () -> Bool = { true })
        /// It may come to be had.
        case later
        case never
    }

    init(
        topics: SiteTopics, discovery: HomeAssistantDiscovery?, takesCommands: Bool, view: MQTTView, clock: any Clocks,
        picture: @escaping @Sendable (Int64) async -> PictureResult,
        still: @escaping @Sendable (String) async -> PictureResult,
        carryOut: @escaping @Sendable (MQTTCommand) async -> Void
    ) {
        self.topics = topics
        self.discovery = discovery
        self.takesCommands = takesCommands
        self.view = view
        self.clock = clock
        self.picture = picture
        self.still = still
        self.carryOut = carryOut
    }

    /// Which topics are listened to.
    var filters: [String] {
        (takesCommands ? topics.commandFilters : []) + (discovery.map { [$0.filter, $0.birthTopic] } ?? [])
    }

    /// What the broker publishes when the connection breaks.
    var will: ApplicationMessage {
        ApplicationMessage(topic: topics.status, payload: Array("offline".utf8), isRetained: true)
    }

    // MARK: What is to be published

    /// The cameras of the configuration in force; what is known of others is taken away.
    func use(cameras: Set<String>) {
        var messages = discovery?.site ?? [:]
        for camera in cameras { messages.merge(discovery?.camera(camera) ?? [:]) { $1 } }
        let described = messages
        change { state in
            state.cameras = cameras
            let stay = state.topics.wanted.keys.filter { topic in
                topics.parts(topic).map { cameras.contains(String($0[0])) }
                    ?? (topic == topics.site || topic == topics.status)
            }
            state.topics.keep(only: Set(described.keys).union(stay))
            for (topic, message) in described.sorted(by: { $0.key < $1.key }) {
                state.topics.set(topic, .bytes(message))
            }
            state.topics.set(topics.status, .bytes(Array("online".utf8)))
        }
    }

    /// What topics hold now. Those of a camera that is configured no more are left out.
    func set(_ contents: [(topic: String, content: RetainedTopics.Content)], of camera: String? = nil) {
        change { state in
            if let camera, !state.cameras.contains(camera) { return }
            for one in contents {
                state.topics.set(one.topic, one.content)
                if state.unread.remove(one.topic) != nil { state.topics.again(one.topic) }
            }
        }
    }

    /// A camera's doorbell rang. It is told once and kept by nobody; without a connection it is not told, nor later.
    func rang(_ camera: String) {
        change { state in if state.cameras.contains(camera) { state.rang.insert(camera) } }
    }

    /// The end: the broker is told that nothing is published any more, and then that the connection ends.
    /// What waits to be carried out is dropped.
    ///
    /// - Parameter emptying: Whether the broker is to keep no picture of the cameras; else it keeps what it has.
    func end(emptying: Bool = false) {
        change { state in
            state.isEnding = true
            if emptying { state.last = state.cameras.sorted().flatMap { topics.pictures($0) } }
            state.lanes = state.lanes.mapValues { _ in [] }
        }
    }

    /// The broker may have lost what it kept: everything is published again.
    func publishAll() { change { $0.topics.sendAll() } }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.writer?.yield()
        }
    }

    // MARK: A connection

    func connected() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isEnding = state.withLock { state in
            state.topics.sendAll()
            // What rang meanwhile is no news any more, and a picture of then is read anew.
            (state.rang, state.read) = ([], nil)
            (state.wakes, state.writer) = (stream, continuation)
            return state.isEnding
        }
        // Another broker may be configured by now.
        if !isEnding { view.connected() }
    }

    func next() async -> ApplicationMessage? {
        while !Task.isCancelled {
            switch state.withLock({ step(&$0) }) {
            case .publish(let message): return message
            // Beside what is at hand: nothing waits for a picture.
            case .read(let topic, let picture): Task { await read(topic, picture) }
            case .wait(let wakes):
                guard let wakes else { return nil }
                for await _ in wakes { break }
            case .end: return nil
            }
        }
        return nil
    }

    private func step(_ state: inout State) -> Step {
        if state.isEnding {
            if let topic = state.last.popLast() { return .publish(Self.kept(topic, [])) }
            defer { state.hasEnded = true }
            return state.hasEnded ? .end : .publish(will)
        }
        if let camera = state.rang.popFirst() {
            let payload = MQTTJSON.bytes(DoorbellReport(), snake: true)
            return .publish(
                ApplicationMessage(topic: topics.camera(camera, "doorbell"), payload: payload, isRetained: false))
        }
        if let (topic, content) = state.topics.next() {
            if case .bytes(let bytes) = content { return .publish(Self.kept(topic, bytes)) }
            return .publish(Self.kept(topic, []))
        }
        // Nothing of a camera is shown any more that privacy covers by now.
        if let read = state.read {
            state.read = nil
            if state.topics.wanted[read.topic] == .picture(read.picture) {
                if read.isShown() { return .publish(Self.kept(read.topic, read.jpeg)) }
                state.unread.insert(read.topic)
            }
        }
        if !state.isReading, let (topic, picture) = state.topics.nextPicture() {
            state.isReading = true
            return .read(topic, picture)
        }
        return .wait(state.wakes)
    }

    private static func kept(_ topic: String, _ payload: [UInt8]) -> ApplicationMessage {
        ApplicationMessage(topic: topic, payload: payload, isRetained: true)
    }

    /// Reads what a topic is to hold, one picture at a time.
    private func read(_ topic: String, _ wanted: RetainedTopics.Picture) async {
        let result =
            switch wanted {
            case .event(let event): await picture(event)
            case .still(let camera, _): await still(camera)
            }
        change { state in
            state.isReading = false
            // Something else may be wanted meanwhile.
            guard state.topics.wanted[topic] == .picture(wanted) else { return }
            switch result {
            case .jpeg(let jpeg, let isShown):
                state.read = ReadPicture(topic: topic, picture: wanted, jpeg: jpeg, isShown: isShown)
            case .later: state.unread.insert(topic)
            case .never: break
            }
        }
    }

    func refused(_ words: String) { view.refused(words) }

    // MARK: What comes

    func dropped() { view.ignored(.unusable, "") }

    func received(_ message: ApplicationMessage) {
        if let discovery {
            if message.topic == discovery.birthTopic { return born(message) }
            if discovery.isConfiguration(message.topic) { return described(message) }
        }
        // What the broker keeps may be of any age, and comes with each connection: it is no command of now.
        if message.isRetained { return view.ignored(.retained, message.topic) }
        do throws(MQTTCommand.Flaw) { try take(message) } catch { view.ignored(error, message.topic) }
    }

    private func take(_ message: ApplicationMessage) throws(MQTTCommand.Flaw) {
        guard takesCommands else { throw .topic }
        let cameras = state.withLock { $0.cameras }
        let command = try MQTTCommand(topic: message.topic, payload: message.payload, topics, cameras: cameras)
        let now = clock.now().ms
        let (isTaken, isFirst) = state.withLock { state in
            guard !state.isEnding, state.budget.take(command.camera, atMs: now),
                state.lanes[command.camera]?.count ?? 0 < Self.waitingMax
            else { return (false, false) }
            let isFirst = state.lanes[command.camera] == nil
            state.lanes[command.camera, default: []].append(command)
            return (true, isFirst)
        }
        guard isTaken else { throw .tooMany }
        view.commanded()
        if isFirst { Task { await work(command.camera) } }
    }

    /// Carries out the commands of one camera in their order; one that takes long holds up no other camera.
    private func work(_ camera: String) async {
        while let command = next(of: camera) { await carryOut(command) }
    }

    private func next(of camera: String) -> MQTTCommand? {
        state.withLock { state in
            if state.lanes[camera]?.isEmpty == false { return state.lanes[camera]?.removeFirst() }
            state.lanes[camera] = nil
            return nil
        }
    }

    /// Home Assistant has started: it wants to hear everything.
    private func born(_ message: ApplicationMessage) {
        guard !message.isRetained, message.payload == Array("online".utf8) else { return }
        let nowMs = clock.now().ms
        change { state in
            if state.births.take("", atMs: nowMs) { state.topics.sendAll() }
        }
    }

    /// The broker keeps a description below this site's name; that of a camera which is configured no more goes.
    private func described(_ message: ApplicationMessage) {
        guard !message.payload.isEmpty, message.topic.utf8.count <= Self.foreignBytesMax else { return }
        change { state in
            guard state.topics.wanted[message.topic] == nil,
                state.topics.waiting < state.topics.wanted.count + Self.foreignMax
            else { return }
            state.topics.remove(message.topic)
        }
    }
}
