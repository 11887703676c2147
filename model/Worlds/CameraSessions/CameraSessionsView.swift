internal import Machines

/// A view of the product: its alphabet and its bounds. Each mirrors the constants of a `model/cfg/CameraSessions-*.cfg`.
public struct CameraSessionsView: Sendable, CustomStringConvertible {
    /// What can come in (`Kind` of model/CameraSessions.tla).
    enum Kind: String, Sendable {
        /// Live pictures come and go under live privacy and the toggle.
        case live
        /// Both record while a clip plays; recording privacy and the toggle.
        case record
        /// The same, but the first records the live picture.
        case recordLive
        /// Connections, time and hard privacy.
        case time
    }

    /// The alphabet, the limit of live sessions, and their bounds in ticks; `CameraConfiguration.never`: none.
    let kind: Kind
    let liveMax: Int
    let answer: Int
    let duration: Int
    /// Switches are turned only while fewer messages than this wait.
    let mailMax = 1

    /// The name of the configuration files, without `CameraSessions-`.
    public let description: String

    /// Two live pictures at most.
    public static let live = CameraSessionsView(
        "live", .live, liveMax: 2, answer: CameraConfiguration.never, duration: CameraConfiguration.never)
    /// What viewers of recordings record.
    public static let record = CameraSessionsView(
        "record", .record, liveMax: 2, answer: 1, duration: CameraConfiguration.never)
    /// What a viewer of the live picture records, and one of recordings.
    public static let recordLive = CameraSessionsView(
        "recordLive", .recordLive, liveMax: 2, answer: 1, duration: CameraConfiguration.never)
    /// One live picture at most, and what time brings.
    public static let time = CameraSessionsView("time", .time, liveMax: 1, answer: 1, duration: 2)

    private init(_ name: String, _ kind: Kind, liveMax: Int, answer: Int, duration: Int) {
        description = name
        self.kind = kind
        self.liveMax = liveMax
        self.answer = answer
        self.duration = duration
    }

    /// Viewers record.
    private var records: Bool { kind == .record || kind == .recordLive }

    /// Whether a session plays from its beginning on.
    func plays(_ id: Int) -> Bool { kind == .record || kind == .recordLive && id == 1 }

    /// How large its graph is.
    var size: Subject.Size { kind == .recordLive ? .huge : .large }

    /// The bounds of the sessions.
    var bounds: Session.Bounds {
        Session.Bounds(
            answerMs: CameraConfiguration.ms(answer), durationMs: CameraConfiguration.ms(duration), liveMax: liveMax)
    }

    /// The camera: on demand, enabled, without detections; nothing but a hang-up has a bound.
    var camera: CameraConfiguration {
        CameraConfiguration("sessions", .small, [.onD]) {
            $0.enabled = true
            ($0.openBound, $0.closeBound, $0.grace, $0.clipLength) = (99, 99, 99, 99)
            ($0.commandI, $0.commandM) = (2, CameraConfiguration.never)
            $0.keyShift = 0
            if kind == .time { $0.hangBound = 1 }
        }
    }
}

extension CameraSessionsView {
    /// What can come in.
    func events(in all: CameraSessions, _ world: CameraSessionsWorld) -> [CameraSessionsWorld.Event] {
        var events: [CameraSessionsWorld.Event] = [.camera(.tick)] + cameraEvents(all)
        for id in all.sessions.indices {
            events += requests(of: id, all, world).map { .session(id, .request($0)) } + answers(to: id, all)
            events += comings(of: id, all)
        }
        if !all.mail.isEmpty { events.append(.mail) }
        if !all.stops, !records { events.append(.stop) }
        return events
    }

    private func cameraEvents(_ all: CameraSessions) -> [CameraSessionsWorld.Event] {
        var facts = answers(of: all.camera)
        if all.camera.link.phase == .streaming, !records { facts.append(.lost(.cur)) }
        if all.camera.intent.viewers != all.looking, !all.camera.stopped { facts.append(.viewers(all.looking)) }
        if all.stops || kind != .time { facts.append(.drain) }
        var events = facts.map(CameraSessionsWorld.Event.camera)
        guard all.mail.count < mailMax else { return events }
        events += [.camera(.enabled(false)), .camera(.enabled(true))]
        switch kind {
        case .live: events += [.live(false), .live(true)]
        case .record, .recordLive: events += [.camera(.soft(false)), .camera(.soft(true))]
        case .time: events += [.camera(.hard(false)), .camera(.hard(true))]
        }
        return events
    }

    /// Good answers to what the camera has ordered.
    func answers(of camera: Camera) -> [CameraFact] {
        var facts: [CameraFact] = []
        switch camera.link.phase {
        case .dialing: facts.append(.dialed(.cur))
        case .synchronizing: facts.append(.keyframe(.cur))
        case .off, .waiting, .streaming: break
        }
        if camera.link.hangingUp != nil { facts.append(.hungUp(.hung)) }
        switch camera.recorder.state {
        case .opening: facts.append(.opened(.cur, back: 0))
        case .cutting: facts.append(.cut(.cur))
        case .idle, .writing: break
        }
        if !camera.recorder.closing.isEmpty { facts.append(.closed(.c1, complete: true)) }
        return facts
    }

    private func requests(
        of id: Int, _ all: CameraSessions, _ world: CameraSessionsWorld
    ) -> [Session.Request] {
        let preview = Session.Request.startPreview(.hd, others: world.others(than: id, all))
        switch kind {
        case .live: return [preview, .stopPreview]
        case .time: return [.connect, preview, .extend]
        case .record: return [.record(true), .record(false)]
        case .recordLive: return [.record(true), .record(false)] + (id == 0 ? [preview, .stopPreview] : [])
        }
    }

    /// The answers that the shell gives: a picture comes from a link that streams, to who has a viewer; a connection is one
    /// to a camera that is configured.
    func answers(to id: Int, _ all: CameraSessions) -> [CameraSessionsWorld.Event] {
        switch all.sessions[id].session.ask?.order {
        case nil, .recordOn: return []
        case .connect: return [.session(id, all.camera.intent.draining ? .failed(.current) : .did(.current))]
        case .startPreview:
            if !all.watches[id] { return [.session(id, .failed(.current))] }
            return all.camera.link.phase == .streaming ? [.session(id, .did(.current))] : []
        default: return [.session(id, .did(.current)), .session(id, .failed(.current))]
        }
    }

    private func comings(of id: Int, _ all: CameraSessions) -> [CameraSessionsWorld.Event] {
        let session = all.sessions[id].session
        var events = sent(by: id, all)
        if session.phase == .previewing, all.watches[id] { events.append(.leaves(id)) }
        if session.phase == .previewing, !all.watches[id], all.hidden == nil { events.append(.returns(id)) }
        if session.hasEnded, !all.stops, !all.camera.intent.draining, kind != .time { events.append(.opens(id)) }
        if session.phase == .playing { events.append(.session(id, .clipEnded(.current, .end))) }
        return events
    }

    /// What is under way between a session and the camera.
    func sent(by id: Int, _ all: CameraSessions) -> [CameraSessionsWorld.Event] {
        switch all.commands[id] {
        case .none: []
        case .asked, .stale: [.commanded(id)]
        case .granted, .refused: [.answered(id)]
        }
    }
}
