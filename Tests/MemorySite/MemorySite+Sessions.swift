internal import Machines
public import Server
internal import Synchronization

extension MemorySite {
    /// The camera of a session.
    public func camera(ofSession session: String) async throws -> String? {
        contents.withLock { $0.sessions[session]?.camera }
    }

    /// One more session, idle.
    public func openSession(camera: String, by caller: Caller) async throws -> SessionInfo {
        try contents.withLock { world in
            guard world.cameras[camera] != nil else { throw Self.unknown(camera: camera) }
            let id = "\(world.sessions.count + 1)"
            let session = SessionInfo(
                session: id, camera: camera, by: "\(caller)", phase: "idle", since: Self.origin)
            world.sessions[id] = session
            return session
        }
    }

    /// Those of the cameras.
    public func sessions(in scope: CameraScope) async throws -> [SessionInfo] {
        contents.withLock { world in
            world.sessions.values.filter { scope.contains($0.camera) }.sorted { $0.session < $1.session }
        }
    }

    /// One of them.
    public func session(_ id: String) async throws -> SessionInfo { try change(session: id) { _ in } }

    /// Does what is asked, as far as it shows; `pause` is refused, since nothing plays.
    public func ask(session id: String, _ verb: SessionVerb, by caller: Caller) async throws -> SessionInfo {
        try change(session: id) { session in
            switch verb {
            case .connect: session.connected = true
            case .startPreview(let definition): (session.phase, session.definition) = ("previewing", definition)
            case .startPlayback(let day, let clip, let at, let overHoles):
                (session.phase, session.day, session.clip, session.position) = ("playing", day, clip, at)
                (session.overHoles, session.sound) = (overHoles, false)
            case .speed(let hundredths): session.speed = Double(hundredths) / 100
            case .definition(let definition): session.definition = definition
            case .mute(let isOn): session.sound = !isOn
            case .talk(let isOn): session.talk = isOn
            case .record(let isOn): session.record = isOn
            case .days: session.days = [CalendarDay(year: 2026, month: 11, day: 21)].compactMap(\.self)
            case .clips(let day): (session.day, session.clips) = (day, [])
            case .stopPreview, .stopPlayback: session.phase = "idle"
            case .extend: session.expires = Self.origin
            case .pause:
                throw SiteError(
                    .conflict, what: "pause in session \(id)", why: "no recording plays", remedy: "startPlayback first",
                    step: "pause", reason: "notPlaying")
            case .resume: session.phase = "playing"
            }
        }
    }

    /// Ends one.
    public func closeSession(_ id: String, by caller: Caller) async throws -> SessionInfo {
        try change(session: id) { session in (session.phase, session.ended) = ("ended", .closed) }
    }

    private func change(session id: String, _ body: (inout SessionInfo) throws -> Void) throws -> SessionInfo {
        try contents.withLock { world in
            guard var session = world.sessions[id] else { throw SiteError.unknownSession(id) }
            try body(&session)
            world.sessions[id] = session
            return session
        }
    }
}
