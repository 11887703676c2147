internal import Catalog
internal import Foundation
internal import Ingest
internal import Journal
internal import Machines
internal import Media
internal import Policies
internal import Server

/// Transports: 0 is the camera's own recording, the others are those that were allocated (docs/design/transports.md).
extension DaemonSite {
    func transportCapabilities(camera: String) async throws -> TransportCapabilities {
        let runtime = try known(camera)
        let facts = try await seen(runtime)
        return TransportCapabilities(
            camera: camera,
            supportedFormats: [TransportCapabilities.Format(containerFormat: "cmaf", ingestMethod: "cmafIngest")],
            streamUsages: ["recording"], triggerTypes: ["command", "motion", "continuous"],
            videoStreams: facts.hasVideo ? [0] : [], audioStreams: facts.hasSound ? [0] : [],
            keyFrameInterval: facts.keyFrameMs, zones: facts.zones,
            maxZones: TransportCheck.zonesMax, maxTransports: Transports.most,
            unsupported: Self.unsupported, cmafInterfaces: IngestSession.Interface.allCases.map(\.rawValue),
            tlsEndpoints: transportKeeper.pushers.endpoints)
    }

    /// What Matter knows and is not done: the stream usages but `recording` first.
    private static let unsupported = [
        TransportCapabilities.Unsupported(
            name: "liveView", why: "what is looked at live needs no transport: it is sent by WHEP and HLS"),
        TransportCapabilities.Unsupported(
            name: "analysis", why: "the daemon analyses by itself, and gives other programs frames"),
        TransportCapabilities.Unsupported(
            name: "internal", why: "what the daemon itself takes of a stream needs no transport"),
        TransportCapabilities.Unsupported(
            name: "perZoneSensitivity", why: "a transport has one sensitivity for all its zones"),
        TransportCapabilities.Unsupported(name: "metadata", why: "detections are in the events of the camera"),
        TransportCapabilities.Unsupported(name: "cencKey", why: "what is pushed is protected by TLS alone"),
    ]

    func transports(camera: String) async throws -> [TransportInfo] {
        let runtime = try known(camera)
        let others = try await Blocking.run { [transportKeeper] in transportKeeper.all(of: camera) }
        return [own(runtime)] + others.map { info($0) }
    }

    func transport(camera: String, number: Int) async throws -> TransportInfo {
        let runtime = try known(camera)
        if number == TransportInfo.own { return own(runtime) }
        let found = try await Blocking.run { [transportKeeper] in transportKeeper.all(of: camera) }
            .first { $0.kept.number == number }
        guard let found else { throw Self.noTransport(number, camera) }
        return info(found)
    }

    func allocateTransport(
        camera: String, _ options: TransportOptions, by caller: Caller
    ) async throws -> TransportInfo {
        let runtime = try known(camera)
        let checked = try await check(runtime, seen(runtime)).read(options)
        let made = try await transportWork(camera) { try $0.allocate(checked, of: camera, by: "\(caller)") }
        guard let made else {
            throw SiteError(
                .conflict, what: "the transport of camera \(camera)",
                why: "it has \(Transports.most) transports already",
                remedy: "deallocate one first: vigil transport list \(camera)", matter: "RESOURCE_EXHAUSTED")
        }
        return info(made)
    }

    func modifyTransport(
        camera: String, number: Int, _ options: TransportOptions, by caller: Caller
    ) async throws -> TransportInfo {
        let runtime = try known(camera)
        if number == TransportInfo.own { return try await modifyOwn(runtime, options, by: caller) }
        let check = try await check(runtime, seen(runtime))
        let changed = try await transportWork(camera) {
            try $0.modify(number, of: camera, renews: options.expiryTime != nil, by: "\(caller)") { before in
                var options = options
                options.url = options.url.map { IngestPoint.unmasked($0, before: before.url) }
                return try check.keeping(before).read(options.merged(over: before))
            }
        }
        guard let changed else { throw Self.noTransport(number, camera) }
        return info(changed)
    }

    func setTransports(
        camera: String, _ command: TransportStatusCommand, by caller: Caller
    ) async throws -> [TransportInfo] {
        let runtime = try known(camera)
        guard let status = PushTransport.Status(rawValue: command.transportStatus) else {
            throw Self.refuse(
                .invalid, "CONSTRAINT_ERROR", camera, "transportStatus is \(command.transportStatus.prefix(80))",
                "give active or inactive")
        }
        let number = command.connectionID
        if status == .active, runtime.actor.view.machine.intent.blocked { throw Self.refusal(.blocked, camera) }
        // The camera's own comes last: what ends because of it would not end because it is inactive.
        if number != TransportInfo.own {
            let refusals = try await transportWork(camera) { try $0.set(status, number, of: camera, by: "\(caller)") }
            guard let refusals else { throw Self.noTransport(number ?? 0, camera) }
            if !refusals.isEmpty { throw Self.refusal(.blocked, camera) }
        }
        if number == nil || number == TransportInfo.own {
            try await setOwn(runtime, status, isAlone: number != nil, by: caller)
        }
        guard let number else { return try await transports(camera: camera) }
        return [try await transport(camera: camera, number: number)]
    }

    func triggerTransport(
        camera: String, number: Int, _ command: TransportTriggerCommand, by caller: Caller
    ) async throws -> TransportInfo {
        let runtime = try known(camera)
        let check = check(runtime, Self.facts(runtime))
        try check.word(
            command.activationReason, "activationReason",
            ["userInitiated", "automation", "emergency", Transports.doorbellPressed])
        let control = try command.timeControl.map(check.control)
        if number == TransportInfo.own {
            try await triggerOwn(runtime, control, by: caller)
        } else {
            let effects = try await transportWork(camera) {
                try $0.trigger(number, of: camera, control, reason: command.activationReason, by: "\(caller)")
            }
            guard let effects else { throw Self.noTransport(number, camera) }
            for case .refused(let why) in effects { throw Self.refusal(why, camera) }
        }
        return try await transport(camera: camera, number: number)
    }

    func deallocateTransport(camera: String, number: Int, by caller: Caller) async throws -> TransportInfo {
        let before = try await transport(camera: camera, number: number)
        guard number != TransportInfo.own else {
            throw Self.refuse(
                .conflict, "INVALID_IN_STATE", camera, "transport 0 is the camera's own recording",
                "set it inactive instead: vigil disable \(camera)")
        }
        guard try await transportWork(camera, { try $0.deallocate(number, of: camera, by: "\(caller)") }) else {
            throw Self.noTransport(number, camera)
        }
        return before
    }

    func transportRecordings(
        camera: String, number: Int, before: Int64?, limit: Int
    ) async throws -> [TransportRecording] {
        guard number != TransportInfo.own else {
            throw Self.refuse(
                .conflict, "INVALID_IN_STATE", camera, "transport 0 is the camera's own recording",
                "ask for its events and clips: vigil events --camera \(camera)")
        }
        _ = try known(camera)
        let now = clock.wallMs()
        return try await Blocking.run { [catalog, transportKeeper] in
            guard let kept = transportKeeper.all(of: camera).first(where: { $0.kept.number == number })?.kept else {
                throw Self.noTransport(number, camera)
            }
            return try catalog.recordings(ofTransport: kept.id, before: before, limit: limit).map { one in
                let clips = try catalog.clipIDs(
                    of: camera, fromWallMs: one.beganWallMs.subtractingClamped(one.preRollMs),
                    toWallMs: one.endedWallMs ?? now,
                    limit: 1_000)
                return TransportRecording(
                    id: one.id, connectionID: number, began: WallTime(ms: one.beganWallMs),
                    ended: one.endedWallMs.map(WallTime.init(ms:)), triggerType: one.cause,
                    activationReason: one.reason, why: one.why, clips: clips.map(\.rawValue))
            }
        }
    }

    // MARK: Parts

    private func check(_ runtime: CameraRuntime, _ facts: TransportCheck.Camera) -> TransportCheck {
        TransportCheck(camera: runtime.name, facts: facts, endpoints: transportKeeper.pushers.endpoints)
    }

    private func info(_ running: RunningTransport) -> TransportInfo {
        var options = TransportText.options(running.kept.options) ?? TransportOptions()
        options.url = options.url.map(IngestPoint.masked)
        return TransportInfo(
            camera: running.kept.camera, connectionID: running.kept.number,
            transportStatus: running.machine.status.rawValue, transportOptions: options,
            recording: running.machine.isRecording, expires: running.kept.expiresWallMs.map(WallTime.init(ms:)),
            push: transportKeeper.pushers.state(of: running.kept.id).map(TransportPush.init))
    }

    /// What of a camera its transports depend on, as its main stream has told since it was set up.
    static func facts(_ runtime: CameraRuntime) -> TransportCheck.Camera {
        let seen = runtime.shell.streams.seen(.main)
        return TransportCheck.Camera(
            zones: runtime.assignment.camera.zones.map(\.name),
            hasVideo: seen?.tracks.contains { $0.kind == .video } ?? false,
            hasSound: seen?.tracks.contains { $0.kind == .audio } ?? false, keyFrameMs: seen?.keyFrameMs)
    }

    /// The same. Before its main stream has told anything, the tracks of its newest clip that is closed count as seen.
    private func seen(_ runtime: CameraRuntime) async throws -> TransportCheck.Camera {
        var facts = Self.facts(runtime)
        guard !facts.hasVideo, !facts.hasSound else { return facts }
        let query = ClipQuery(camera: runtime.name, limit: 1, order: .newestFirst)
        let kinds = try await Blocking.run { [catalog] in
            try catalog.clips(query).first?.tracks.map(\.kind) ?? []
        }
        (facts.hasVideo, facts.hasSound) = (kinds.contains(.video), kinds.contains(.audio))
        return facts
    }

    /// Asks the keeper of transports; what fails on the disk is told as such.
    private func transportWork<Value: Sendable>(
        _ camera: String, _ work: @escaping @Sendable (Transports) throws -> Value
    ) async throws -> Value {
        do { return try await Blocking.run { [transportKeeper] in try work(transportKeeper) } } catch let error
            as CatalogError
        {
            throw SiteError(
                .unavailable, what: "the transport of camera \(camera)", why: "it cannot be kept: \(error)",
                remedy: "look at the storage, and whether it holds: vigil transport list \(camera)")
        }
    }

    static func noTransport(_ number: Int, _ camera: String) -> SiteError {
        SiteError(
            .notFound, what: "transport \(number) of camera \(camera)", why: "there is none of this number",
            remedy: "`vigil transport list \(camera)` lists those that there are", matter: "NOT_FOUND")
    }

    static func refuse(
        _ kind: SiteError.Kind, _ name: String, _ camera: String, _ why: String, _ remedy: String
    ) -> SiteError {
        SiteError(kind, what: "the transport of camera \(camera)", why: why, remedy: remedy, matter: name)
    }

    static func refusal(_ why: PushTransport.Refusal, _ camera: String) -> SiteError {
        switch why {
        case .blocked:
            refuse(
                .conflict, "INVALID_IN_STATE", camera, "the camera may not record: privacy, its toggle or its mode",
                "look why: vigil state \(camera)")
        case .inactive:
            refuse(
                .conflict, "InvalidTransportStatus", camera, "it is inactive",
                "set it active: vigil transport set \(camera) NUMBER active")
        case .continuous:
            refuse(.conflict, "InvalidTriggerType", camera, "it records always", "nothing is to be triggered")
        case .noTimeControl:
            refuse(
                .unprocessable, "DYNAMIC_CONSTRAINT_ERROR", camera, "neither it nor the request has a time control",
                "give timeControl")
        }
    }
}

extension TransportPush {
    fileprivate init(_ state: IngestPusher.State) {
        self.init(
            state: state.session == nil ? "idle" : state.failure == nil ? "pushing" : "waiting", session: state.session,
            segments: state.segments, bytes: state.bytes, sessions: state.sessions, waitingMs: state.waitingMs,
            waitingBytes: state.waitingBytes, why: state.failure)
    }
}
