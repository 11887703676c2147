internal import Journal
internal import Machines
internal import Media
internal import Server

/// Somebody who talks, or is about to, through a camera's loudspeaker.
struct Talk {
    let session: String
    /// Who, as the journal names them.
    let by: String
    /// Since when the camera takes sound, or was dialled for it where it does not yet: milliseconds since 1970.
    var sinceMs: Int64
    var began: Instant
    /// The order that it answers.
    let number: Session.OrderNumber
    let channel: BackChannel
    let voice: PeerVoice
    /// Whether the camera takes sound.
    var hasBegun = false
    /// Why the camera has ended it.
    var problem: String?
}

/// Talk-back: what the viewer of a session says is heard at the camera, over a connection of its own. One viewer of a camera talks
/// at a time.
extension Sessions {
    /// The most who talk at a time, of all cameras.
    static let talksMax = 8

    /// Whether the viewer of a session can be heard from now on; nil: it is not shown by WebRTC any more. Whoever talks in it has
    /// ended: what is shown to another is another's.
    func hear(_ id: String, _ way: PeerVoice.Way?) {
        guard let viewer = viewers[id] else { return }
        viewer.voice = way
        endTalk(viewer)
    }

    /// The same, where it is still `voice` that is heard in the session.
    func stopHearing(_ id: String, _ voice: PeerVoice) {
        if case .open(let heard)? = viewers[id]?.voice, heard === voice { hear(id, nil) }
    }

    /// Refuses to let a viewer talk who cannot be heard, or while somebody else does. What the machine refuses is left to it.
    func checkTalk(_ viewer: Viewer) throws(SiteError) {
        guard viewer.machine.phase == .previewing, !viewer.machine.talk, viewer.machine.ask == nil else { return }
        func refusal(_ why: String, _ remedy: String, _ reason: String) -> SiteError {
            SiteError(
                .conflict, what: "talk in session \(viewer.id) of camera \(viewer.camera)", why: why, remedy: remedy,
                step: Session.Step.talk.rawValue, reason: reason)
        }
        switch viewer.voice {
        case nil:
            throw refusal(
                "its viewer is not heard: it does not take the picture by WebRTC",
                "offer sound that is sendrecv or sendonly: POST /v1/cameras/\(viewer.camera)/webrtc",
                Session.Failure.unsupported.rawValue)
        case .closed(let why, let remedy)?: throw refusal(why, remedy, Session.Failure.unsupported.rawValue)
        case .open?: break
        }
        if let talk = talks[viewer.camera] {
            throw refusal(
                "\(talk.by) talks through the camera since \(WallTime(ms: talk.sinceMs).rfc3339), in session \(talk.session)",
                "wait until that has ended", "talking")
        }
        guard talks.count < Self.talksMax else {
            throw refusal("\(talks.count) viewers talk, which is the most", "wait until one has ended", "talking")
        }
    }

    /// Dials the camera's loudspeaker.
    func talkOn(_ number: Session.OrderNumber, _ viewer: Viewer) {
        guard case .open(let voice)? = viewer.voice, talks[viewer.camera] == nil,
            let source = pool.camera(viewer.camera)?.sourceInUse
        else { return answer(viewer.id, number, .unsupported) }
        let (id, camera) = (viewer.id, viewer.camera)
        viewer.talkProblem = nil
        let channel = BackChannel(name: camera, source: source) { [weak self] event in
            guard let self else { return }
            queue.run { self.assumeIsolated { $0.follow(event, camera, id, number) } }
        }
        talks[camera] = Talk(
            session: id, by: viewer.by, sinceMs: host.clock.wallMs(), began: host.clock.now(), number: number,
            channel: channel, voice: voice)
        channel.start()
    }

    private func follow(_ event: BackChannel.Event, _ camera: String, _ id: String, _ number: Session.OrderNumber) {
        guard let talk = talks[camera], talk.session == id, talk.number == number else { return }
        switch event {
        case .ready(let format):
            talks[camera]?.hasBegun = true
            talks[camera]?.sinceMs = host.clock.wallMs()
            talks[camera]?.began = host.clock.now()
            talk.voice.lead(to: talk.channel)
            viewers[id]?.talkFormat = format
            answered(id, number, nil)
            // The session's time, or that of the answer, may have been over first.
            if viewers[id]?.machine.talk != true { forgetTalk(camera) }
        case .ended(let end, _):
            var failure: Session.Failure?
            if case .failed(let why, let detail) = end {
                failure = Session.Failure(why)
                talks[camera]?.problem = detail
                viewers[id]?.talkProblem = detail
            }
            guard !talk.hasBegun else {
                if let viewer = viewers[id] { endTalk(viewer) }
                return forgetTalk(camera)
            }
            forgetTalk(camera)
            answered(id, number, failure ?? .unreachable)
        }
    }

    /// The viewer of a session is not heard any more. It is told as what it is, a wish that is off.
    private func endTalk(_ viewer: Viewer) {
        guard viewer.machine.talk || viewer.machine.ask?.order == .talkOn else { return }
        step(viewer, .request(.talk(false)), at: due(viewer))
    }

    /// The order to talk was given up.
    func giveUpTalk(_ viewer: Viewer) {
        guard let talk = talks[viewer.camera], talk.session == viewer.id, !talk.hasBegun else { return }
        forgetTalk(viewer.camera)
    }

    /// Ends talk-back, as the machine orders.
    func talkOff(_ viewer: Viewer, at now: Instant) {
        guard let talk = talks[viewer.camera], talk.session == viewer.id else { return }
        forgetTalk(viewer.camera)
        guard talk.hasBegun else { return }
        send(
            .sessionTalked,
            [(.user, viewer.by), (.durationMs, "\(now - talk.began)")] + (talk.problem.map { [(.detail, $0)] } ?? []),
            viewer, at: now)
    }

    private func forgetTalk(_ camera: String) {
        guard let talk = talks.removeValue(forKey: camera) else { return }
        talk.voice.lead(to: nil)
        talk.channel.stop()
    }
}

extension Session.Failure {
    /// Why a camera's loudspeaker cannot be had.
    fileprivate init(_ failure: LinkFailure) {
        switch failure {
        case .unsupported: self = .unsupported
        case .unauthorized: self = .unauthorized
        case .timeout: self = .timeout
        default: self = .unreachable
        }
    }
}
