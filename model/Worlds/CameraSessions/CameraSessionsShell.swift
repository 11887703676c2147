import Machines

// The shell between the machines, as Sources/Daemon has it: Streams, Sessions and Camera.
extension CameraSessionsWorld {
    /// A step of the camera; then the streams follow it, and the sessions are told (`CameraStreams.follow`).
    func step(_ fact: CameraFact, _ all: inout CameraSessions) -> [Effect] {
        let before = all
        let (label, next) = camera.step(fact, in: all.camera)
        all.camera = next
        follow(before, &all)
        return label.effects.map(Effect.camera)
    }

    private func follow(_ before: CameraSessions, _ all: inout CameraSessions) {
        if before.camera.intent.eventsAllowed, !all.camera.intent.eventsAllowed { all.mail.append(.unrecorded) }
        guard before.hidden != all.hidden else { return }
        all.mail.append(all.hidden ?? .shown)
        if all.hidden != nil { all.watches = [false, false] }
    }

    /// A step of a session; what it orders is carried out in the same turn (`Sessions.step`).
    func step(_ event: SessionWorld.Event, of id: Int, _ all: inout CameraSessions, afterMs: Int64 = 0) -> [Effect] {
        let state = all.sessions[id]
        let now = state.now + afterMs
        var machine = state.session
        let effects = machine.step(SessionWorld.concrete(event, for: machine), at: now)
        all.sessions[id] = SessionWorld.State(machine, at: now)
        for effect in effects { perform(effect, of: id, &all) }
        return effects.map { .session(id, $0) }
    }

    private func perform(_ effect: Session.Effect, of id: Int, _ all: inout CameraSessions) {
        switch effect {
        case .order(_, .startPreview): all.watches[id] = all.hidden == nil
        case .stopPreview, .report(.failed(.startPreview, _)): all.watches[id] = false
        case .order(_, .recordOn): all.commands[id] = .asked
        case .report(.recordOn): all.ranges[id] = true
        case .recordOff: all.ranges[id] = false
        case .abandon: all.commands[id] = [.asked, .stale].contains(all.commands[id]) ? .stale : .none
        default: break
        }
    }

    /// The sessions take what the camera told them, all in one turn (`Sessions.follow`, `Sessions.cameraMayNotRecord`).
    func takeMail(_ all: inout CameraSessions) -> [Effect] {
        let message = all.mail.removeFirst()
        return all.sessions.indices.flatMap { id -> [Effect] in
            let session = all.sessions[id].session
            if session.hasEnded { return [] }
            switch message {
            case .unrecorded:
                guard session.record || session.ask?.order == .recordOn else { return [] }
                return step(.request(.record(false)), of: id, &all)
            case .draining:
                guard session.up || session.ask != nil else { return [] }
                return step(.connectionLost, of: id, &all)
            case .privacy, .shown:
                guard session.privacy != (message == .privacy) else { return [] }
                return step(.privacy(message == .privacy), of: id, &all)
            }
        }
    }

    /// The camera takes a session's order to record, and answers it.
    func takeCommand(of id: Int, _ all: inout CameraSessions) -> [Effect] {
        let isAwaited = all.commands[id] == .asked
        let effects = step(.command, &all)
        all.commands[id] = isAwaited ? (Self.isRefused(effects) ? .refused : .granted) : .none
        return effects
    }

    /// The session takes the camera's answer.
    func takeAnswer(of id: Int, _ all: inout CameraSessions) -> [Effect] {
        let isGranted = all.commands[id] == .granted
        all.commands[id] = .none
        return step(isGranted ? .did(.current) : .failed(.current), of: id, &all)
    }

    /// Time passes. While a range is protected the camera is ordered again and again to record on; what it refuses ends.
    func tick(_ all: inout CameraSessions) -> [Effect] {
        var effects = step(.tick, &all)
        for id in all.sessions.indices { effects += step(.tick, of: id, &all, afterMs: SessionWorld.tickMs) }
        for id in all.sessions.indices where all.ranges[id] {
            let answer = step(.command, &all)
            effects += answer
            if Self.isRefused(answer) { effects += step(.request(.record(false)), of: id, &all) }
        }
        return effects
    }

    /// The site stops: every session is ended, and none is opened any more; the cameras drain after that.
    func stop(_ all: inout CameraSessions) -> [Effect] {
        all.stops = true
        return all.sessions.indices.flatMap { step(.drain, of: $0, &all) }
    }

    /// A request with what only the shell knows: how many others are live.
    func others(than id: Int, _ all: CameraSessions) -> Int {
        all.sessions.indices.count { $0 != id && all.sessions[$0].session.isLive }
    }

    /// A session that begins; where connections are not in question it is connected. Where viewers record it may play.
    func opened(_ id: Int, _ all: CameraSessions) -> SessionWorld.State {
        let now = Instant(ms: 0)
        var machine = Session(privacy: all.hidden == .privacy, at: now, bounds: view.bounds)
        func ask(_ request: Session.Request) {
            _ = machine.step(.request(request), at: now)
            _ = machine.step(SessionWorld.concrete(.did(.current), for: machine), at: now)
        }
        if view.kind != .time { ask(.connect) }
        if view.plays(id) {
            ask(.listClips(SessionWorld.days[0]))
            ask(.startPlayback(SessionWorld.days[0], SessionWorld.inside))
        }
        return SessionWorld.State(machine, at: now)
    }

    private static func isRefused(_ effects: [Effect]) -> Bool {
        effects.contains { effect in
            switch effect {
            case .camera(.report(.refused)), .camera(.ignored(.stopped)): true
            default: false
            }
        }
    }
}
