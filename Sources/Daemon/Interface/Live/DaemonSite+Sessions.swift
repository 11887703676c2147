internal import Catalog
internal import Journal
internal import Machines
internal import Replay
internal import Server

extension DaemonSite {
    func openSession(camera: String, by caller: Caller) async throws -> SessionInfo {
        info(try await sessions.open(try known(camera), by: caller))
    }

    func sessions(in scope: CameraScope) async throws -> [SessionInfo] {
        sessions.views.filter { scope.contains($0.camera) }.map { info($0) }
    }

    func session(_ id: String) async throws -> SessionInfo { info(try view(of: id)) }

    func camera(ofSession session: String) async throws -> String? { sessions.view(session)?.camera }

    func closeSession(_ id: String, by caller: Caller) async throws -> SessionInfo {
        try view(of: id).check(caller)
        return info(try await sessions.close(id, by: "\(caller)"))
    }

    func ask(session id: String, _ verb: SessionVerb, by caller: Caller) async throws -> SessionInfo {
        let view = try view(of: id)
        try view.check(caller)
        if case .record(true) = verb { try refuseRecording(of: view) }
        let (after, lists) = try await sessions.ask(id, try await request(verb, view.camera), by: caller)
        return info(after, lists)
    }

    private func view(of id: String) throws -> Viewer.View {
        guard let view = sessions.view(id) else { throw SiteError.unknownSession(id) }
        return view
    }

    /// Refuses to record for a viewer what the camera may not record, with the reason.
    private func refuseRecording(of view: Viewer.View) throws {
        let (camera, intent) = (view.camera, try known(view.camera).actor.view.machine.intent)
        func refusal(_ why: String, _ remedy: String, _ reason: Camera.Suppression) -> SiteError {
            SiteError(
                .conflict, what: "record in session \(view.id) of camera \(camera)", why: why, remedy: remedy,
                step: Session.Step.record.rawValue, reason: reason.rawValue)
        }
        if intent.blocked {
            let kind = intent.privacy.hard ? "hard" : "recording"
            throw refusal("\(kind) privacy is on", "switch it off: vigil privacy \(camera) off", .privacy)
        }
        if !intent.enabled {
            throw refusal("the recording toggle is off", "switch it on: vigil enable \(camera)", .disabled)
        }
        if intent.policy.mode == .off {
            throw refusal("the policy's mode is off at this time", "change the policy: vigil policy list", .off)
        }
    }

    private func request(_ verb: SessionVerb, _ camera: String) async throws -> Session.Request {
        switch verb {
        case .connect: .connect
        // The others are counted in the turn in which the machine takes it.
        case .startPreview(let definition): .startPreview(definition, others: 0)
        case .startPlayback(let day, let clip, let moment, let overHoles):
            .startPlayback(
                Session.Day(day), try await sessions.position(of: clip, camera: camera, on: day, at: moment),
                overHoles ? .overHoles : nil)
        case .pause: .pause
        case .resume: .resume
        case .speed(let hundredths): .speed(hundredths: hundredths)
        case .definition(let definition): .definition(definition)
        case .mute(let isOn): .mute(isOn)
        case .talk(let isOn): .talk(isOn)
        case .record(let isOn): .record(isOn)
        case .days: .listDays
        case .clips(let day): .listClips(Session.Day(day))
        case .stopPreview: .stopPreview
        case .stopPlayback: .stopPlayback
        case .extend: .extend
        }
    }

    /// A session as the interface shows it.
    private func info(_ view: Viewer.View, _ lists: Viewer.Lists = Viewer.Lists()) -> SessionInfo {
        let (machine, now, wallMs) = (view.machine, clock.now(), clock.wallMs())
        func wall(_ instant: Instant) -> WallTime { WallTime(ms: wallMs - (now - instant)) }
        var info = SessionInfo(
            session: view.id, camera: view.camera, by: view.by, phase: machine.phaseName, since: wall(view.since),
            connected: machine.up)
        if case .ended(let why) = machine.phase { info.ended = why }
        info.expires = machine.left.map(wall)
        info.leftMs = machine.left.map { max(0, $0 - now) }
        info.pending = machine.ask?.order.step
        info.definition = machine.definition
        info.shown = view.carried.map { $0 == .main ? .hd : .sd }
        (info.sound, info.talk, info.record) = (machine.sound, machine.talk, machine.record)
        info.day = machine.day.flatMap { CalendarDay(number: $0.rawValue) }
        info.clip = view.playback?.clip.id.rawValue
        info.position = view.playback.map { WallTime(ms: $0.positionMs(at: now)) }
        info.speed = machine.speed.map { Double($0.rawValue) / 100 }
        info.overHoles = machine.isPlayback ? machine.reach == .overHoles : nil
        info.finished = view.finished
        (info.days, info.clips) = (lists.days, lists.clips)
        return info
    }
}

extension Viewer.View {
    /// Throws `forbidden` where the session is another viewer's: who may see a camera may see who looks at it, and not act for
    /// them. Who is on this machine may.
    func check(_ caller: Caller) throws(SiteError) {
        guard case .token = caller, caller.account != owner else { return }
        throw SiteError(
            .forbidden, what: "session \(id) of camera \(camera)",
            why: "it is that of another viewer, and \(caller) asks",
            remedy: "open one: POST /v1/cameras/\(camera)/sessions")
    }
}
