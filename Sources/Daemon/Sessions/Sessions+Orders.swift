internal import Catalog
internal import Journal
internal import Machines
internal import Media
internal import Policies
internal import Server

/// What sessions order, carried out by the camera's streams, its machine and the catalog. Nothing waits here: an answer comes
/// as a step of its own.
extension Sessions {
    func perform(_ effect: Session.Effect, _ viewer: Viewer, at now: Instant) {
        switch effect {
        case .order(let number, let order): carryOut(order, number, viewer, at: now)
        case .abandon:
            viewer.picture?.giveUpNext()
            viewer.prepared = nil
            giveUpTalk(viewer)
            // A start that is given up leaves nothing.
            if !viewer.machine.isLive { stopPreview(viewer) }
        case .recordOff: recordOff(viewer)
        case .talkOff: talkOff(viewer, at: now)
        case .mute: viewer.picture?.hear(.none)
        case .stopPreview: stopPreview(viewer)
        case .stopPlayback: setPlayback(viewer, nil, at: now)
        case .disconnect: break  // What ran over it has been given back before.
        case .setSpeed(let speed):
            viewer.prepared?.change(speed, at: now)
            viewer.playback?.change(speed, at: now)
            setClipTimer(viewer, at: now)
        case .playOn: playOn(viewer, at: now)
        case .report(.finished(let finish)): viewer.finished = SessionInfo.Finish(finish)
        case .report, .refused, .ignored: break
        }
    }

    private func carryOut(_ order: Session.Order, _ number: Session.OrderNumber, _ viewer: Viewer, at now: Instant) {
        switch order {
        case .connect: answer(viewer.id, number, pool.camera(viewer.camera) == nil ? .unreachable : nil)
        case .startPreview(let definition): startPreview(definition, number, viewer)
        case .setDefinition(let definition): setDefinition(definition, number, viewer)
        case .unmute:
            if let clip = viewer.playback?.clip { return unmute(clip, number, viewer) }
            // Without a connection nobody knows; where the camera has sound, it is heard when it is back.
            guard let picture = viewer.picture, picture.hasSound != false else {
                return answer(viewer.id, number, .unsupported)
            }
            viewer.picture?.hear(viewer.soundForm)
            answer(viewer.id, number)
        case .talkOn: talkOn(number, viewer)
        case .recordOn: recordOn(number, viewer)
        case .listDays: listDays(number, viewer)
        case .listClips(let day): listClips(day, number, viewer)
        case .startPlayback(let start, let day, let position): startPlayback(start, day, position, number, viewer)
        case .pause:
            viewer.playback?.run(false, at: now)
            setClipTimer(viewer, at: now)
            answer(viewer.id, number)
        case .resume:
            viewer.playback?.run(true, at: now)
            setClipTimer(viewer, at: now)
            answer(viewer.id, number)
        }
    }

    /// Answers an order: it was carried out, or why not. The step comes later, never within another one. Any thread.
    nonisolated func answer(_ id: String, _ number: Session.OrderNumber, _ failure: Session.Failure? = nil) {
        queue.run { self.assumeIsolated { $0.answered(id, number, failure) } }
    }

    func answered(_ id: String, _ number: Session.OrderNumber, _ failure: Session.Failure?) {
        // A picture comes again and again; the first one has answered.
        guard let viewer = viewers[id], viewer.machine.ask?.number == number else { return }
        let now = due(viewer)
        guard let order = viewer.machine.ask?.order, viewer.machine.ask?.number == number else { return }
        if let failure {
            viewer.picture?.giveUpNext()
            viewer.prepared = nil
            if case .startPreview = order { stopPreview(viewer) }
            step(viewer, .failed(number, failure), at: now)
            return
        }
        if case .setDefinition = order, viewer.picture?.replace() != true {
            step(viewer, .failed(number, .unreachable), at: now)
            return
        }
        if case .startPlayback = order, let prepared = viewer.prepared {
            viewer.prepared = nil
            viewer.finished = nil
            var clock = prepared
            clock.run(true, at: now)
            setPlayback(viewer, clock, at: now)
        }
        step(viewer, .did(number), at: now)
    }

    // MARK: The live picture

    private func startPreview(_ definition: Session.Definition, _ number: Session.OrderNumber, _ viewer: Viewer) {
        guard let camera = pool.camera(viewer.camera) else { return answer(viewer.id, number, .unreachable) }
        // Nobody knows yet who may look: the order waits for the camera's first step, within the bound of its answer.
        guard camera.shell.streams.isPrivate != nil else { return viewer.early = (number, definition) }
        if let failure = camera.unreachable(at: host.clock.now()) { return answer(viewer.id, number, failure) }
        do throws(StreamRefusal) {
            viewer.picture = try LivePicture(
                camera.shell.streams, definition, heldWith: viewer.wantsSound ? .stored : .none,
                observer(viewer.id, number))
        } catch {
            answer(viewer.id, number, Session.Failure(error))
        }
    }

    /// The camera has taken its first step: carries out what was ordered before.
    func beginEarly(_ viewer: Viewer) {
        guard let (number, definition) = viewer.early else { return }
        viewer.early = nil
        if viewer.machine.ask?.number == number { startPreview(definition, number, viewer) }
    }

    private func setDefinition(_ definition: Session.Definition, _ number: Session.OrderNumber, _ viewer: Viewer) {
        do throws(StreamRefusal) {
            try viewer.picture?.prepare(definition, observer(viewer.id, number))
        } catch {
            answer(viewer.id, number, Session.Failure(error))
        }
    }

    /// Answers the order at the first picture; tells the session when the stream is taken away.
    private func observer(_ id: String, _ number: Session.OrderNumber) -> StreamObserver {
        StreamObserver(
            onPicture: { [weak self] in self?.answer(id, number) }, onEnd: { [weak self] in self?.ended(id, $0) })
    }

    private func stopPreview(_ viewer: Viewer) {
        let why: StreamEnd =
            switch viewer.machine.phase {
            case .ended(.privacy): .privacy
            case .ended(.expired): .expired
            case .ended(.draining): .draining
            default: .left
            }
        viewer.picture?.end(why)
        viewer.picture = nil
    }

    /// A viewer of a stream ended by itself. Privacy and the end of a camera are told to the sessions by the camera's step.
    nonisolated func ended(_ id: String, _ why: StreamEnd) {
        queue.run { self.assumeIsolated { $0.pictureEnded(id, why) } }
    }

    private func pictureEnded(_ id: String, _ why: StreamEnd) {
        guard let viewer = viewers[id], viewer.machine.isLive else { return }
        switch why {
        case .removed: lose(viewer)
        case .left, .slow:
            guard viewer.isPlayer, viewer.picture?.isTaken == false else { return }
            step(viewer, .close, at: due(viewer))
        case .privacy, .draining, .expired: break
        }
    }

    /// Hands out the live picture of a session of that camera that shows one, with its sound in this form.
    func picture(of id: String, camera: String, sound form: SoundForm = .stored) throws(SiteError) -> StreamViewer {
        guard let viewer = viewers[id], viewer.camera == camera else {
            throw SiteError.unknownSession(id, on: "camera \(camera)")
        }
        guard viewer.machine.phase == .previewing, let picture = viewer.picture else {
            throw SiteError(.startPreview, viewer.machine.hasEnded ? .ended : .notPreviewing, of: viewer)
        }
        viewer.soundForm = form
        if viewer.machine.sound { picture.hear(form) }
        do throws(StreamRefusal) {
            return try picture.take(StreamObserver(onEnd: { [weak self] in self?.ended(id, $0) }))
        } catch {
            throw SiteError(.startPreview, Session.Failure(error), of: viewer)
        }
    }

    // MARK: What there is to play

    private func listDays(_ number: Session.OrderNumber, _ viewer: Viewer) {
        let (camera, days, nowMs) = (viewer.camera, SiteDays(zone: zone()), host.clock.wallMs())
        list(number, viewer) { [lookup] in
            Viewer.Lists(days: try days.recorded(of: camera, in: lookup, nowMs: nowMs))
        }
    }

    private func listClips(_ day: Session.Day, _ number: Session.OrderNumber, _ viewer: Viewer) {
        let (camera, days, lookup, nowMs) = (viewer.camera, SiteDays(zone: zone()), lookup, host.clock.wallMs())
        list(number, viewer) {
            guard let day = CalendarDay(number: day.rawValue) else { return Viewer.Lists(clips: []) }
            let clips = try days.clips(of: camera, on: day, in: lookup, nowMs: nowMs)
            return Viewer.Lists(clips: clips.map { ClipInfo($0, growing: lookup.growing($0)) })
        }
    }

    private func list(
        _ number: Session.OrderNumber, _ viewer: Viewer, _ body: @escaping @Sendable () throws -> Viewer.Lists
    ) {
        // A player asks nobody: the playlist that it gets says what there is.
        let (id, isPlayer) = (viewer.id, viewer.isPlayer)
        Task {
            let lists = isPlayer ? Viewer.Lists() : try? await Blocking.run(body)
            if let lists, viewers[id]?.machine.ask?.number == number { viewers[id]?.lists = lists }
            answered(id, number, lists == nil ? .unreachable : nil)
        }
    }
}

extension Session.Failure {
    /// Why a stream cannot be had.
    init(_ refusal: StreamRefusal) {
        switch refusal {
        case .absent: self = .unsupported
        case .hidden, .full: self = .unreachable
        }
    }
}

extension SessionInfo.Finish {
    /// How playback finished.
    init(_ finish: Session.Finish) {
        switch finish {
        case .hole(let next): self.init(why: "hole", next: WallTime(ms: next))
        case .end: self.init(why: "end")
        }
    }
}

extension CameraRuntime {
    /// Why no picture can come within the bound of an answer, because the link waits for longer; nil: one may.
    fileprivate func unreachable(at now: Instant) -> Session.Failure? {
        let view = actor.view
        guard case .waiting(let until) = view.machine.link.state, until - now > Session.Bounds().answerMs else {
            return nil
        }
        return view.lastFailure == .unauthorized ? .unauthorized : .unreachable
    }
}
