internal import Journal
internal import Machines
internal import Media
internal import Server
internal import WebRTC

extension DaemonSite {
    func livePeer(_ request: LiveRequest, offer text: String, isLimited: Bool) async throws -> PeerAnswer {
        guard let host = peers.host else {
            throw SiteError(
                .unavailable, what: "live view of camera \(request.camera) by WebRTC", why: peers.why,
                remedy: "take live view over HTTP, or see webrtc.listen of the configuration")
        }
        let place = try peers.places.take(for: request.caller)
        let offer: SessionOffer
        do throws(OfferFault) { offer = try SessionOffer(text) } catch { throw SiteError(error, of: request) }
        do throws(PeerHost.Refusal) { try host.check(offer) } catch { throw SiteError(error, of: request) }
        let (session, viewer) = try await picture(request, offer, isLimited: isLimited)
        do {
            var sent = try Self.sent(by: viewer, request)
            let way = await way(of: request, offer)
            let voice: PeerVoice? = if case .open(let voice) = way { voice } else { nil }
            sent.hears = voice != nil
            let (events, tell) = AsyncStream.makeStream(of: PeerEvent.self, bufferingPolicy: .bufferingNewest(16))
            let (reports, report) = AsyncStream.makeStream(of: NetworkReport.self, bufferingPolicy: .bufferingNewest(4))
            let opened: PeerHost.Opened
            do throws(PeerHost.Refusal) {
                opened = try host.open(offer, sent, hear: { voice?.take($0) }) { event in
                    if case .network(let told) = event { report.yield(told) } else { tell.yield(event) }
                    if case .ended = event {
                        tell.finish()
                        report.finish()
                    }
                }
            } catch {
                throw SiteError(error, of: request)
            }
            await sessions.hear(session, way)
            let isOwn = request.session == nil
            let sound = opened.hasSound ? sent.sound : nil
            let feed = PeerFeed(
                viewer, opened, sound: sound, events, reports, clock: clock,
                carry: carry(request, session, opened.forms))
            peers.begin(feed, session: session, of: request) { [sessions] in
                withExtendedLifetime(place) {}
                if let voice { await sessions.stopHearing(session, voice) }
                if isOwn { _ = try? await sessions.close(session, by: "\(request.caller)") }
            }
            let left = sessions.view(session)?.machine.left.map { max(0, $0 - clock.now()) }
            return PeerAnswer(
                answer: opened.answer, session: session, sound: sound?.rawValue,
                durationMs: left, talk: opened.isHeard)
        } catch {
            viewer.leave()
            if request.session == nil { _ = try? await sessions.close(session, by: "\(request.caller)") }
            throw error
        }
    }

    func endPeer(session: String, by caller: Caller) async throws {
        try sessions.view(session)?.check(caller)
        guard let feed = peers.feed(of: session) else {
            throw SiteError(
                .notFound, what: "the WebRTC of session \(session.prefix(80))",
                why: "nothing is shown in it by WebRTC, or it has ended", remedy: "send an offer to begin anew")
        }
        feed.leave()
    }

    /// What shows another stream to whoever has named none, of a camera that has two; nil where the stream stays.
    private func carry(_ request: LiveRequest, _ session: String, _ forms: Set<VideoForm>) -> PeerFeed.Carry? {
        guard request.session == nil, !request.namesStream,
            pool.camera(request.camera)?.shell.streams.substream.isConfigured == true
        else { return nil }
        return { [sessions] stream, why in
            await sessions.carry(session, stream, why: why) { $0.isSent(in: forms) }
        }
    }

    /// How long a picture waits for what a camera says of its loudspeaker, in milliseconds.
    private static let loudspeakerMs: Int64 = 500

    /// Whether the viewer can be heard at the camera, and where not, why.
    private func way(of request: LiveRequest, _ offer: SessionOffer) async -> PeerVoice.Way {
        guard offer.speaks else {
            return .closed(
                why: "its offer of WebRTC has no sound that its viewer sends, in Opus or G.711",
                remedy: "offer sound that is sendrecv or sendonly")
        }
        guard request.mayTalk, let camera = pool.camera(request.camera) else {
            return .closed(
                why: "its offer came from \(request.caller), who has not the right to operate the camera",
                remedy: "offer anew with that right")
        }
        // A camera that does not say it soon holds up no picture: whether it takes sound shows when somebody talks.
        switch await loudspeakers.finding(of: camera, clock: clock, withinMs: Self.loudspeakerMs) {
        case .takes, .unknown: return .open(PeerVoice())
        case .lacks(let why):
            return .closed(
                why: why,
                remedy: "where the camera has a loudspeaker, switch it on there, or use an address that offers it")
        }
    }

    /// The picture of the session that is named, or of one of its own.
    private func picture(
        _ request: LiveRequest, _ offer: SessionOffer, isLimited: Bool
    ) async throws -> (session: String, viewer: StreamViewer) {
        let camera = try known(request.camera)
        if let session = request.session {
            try sessions.view(session)?.check(request.caller)
            let viewer = try await sessions.peer(of: session, camera) { $0.sound(for: offer) }
            return (session, viewer)
        }
        guard request.stream == .main || camera.shell.streams.substream.isConfigured else {
            throw SiteError(.absent, of: request)
        }
        return try await sessions.peer(
            camera, request.stream == .main ? .hd : .sd, isPlayer: !isLimited, by: request.caller
        ) { $0.sound(for: offer) }
    }

    /// What a viewer can be sent of what it gets. Takes the first frames out; they come again when it is connected.
    private static func sent(by viewer: StreamViewer, _ request: LiveRequest) throws(SiteError) -> SentMedia {
        var (dial, first) = (StreamDial?.none, Frame?.none)
        while first == nil, let item = viewer.poll() {
            switch item {
            case .began(let begun): dial = begun
            case .frame(let frame): if frame.kind == .video { first = frame }
            case .skipped, .lost, .ended: break
            }
        }
        func refusal(_ kind: SiteError.Kind, _ why: String, _ remedy: String) -> SiteError {
            SiteError(kind, what: "live view of camera \(request.camera) by WebRTC", why: why, remedy: remedy)
        }
        guard let dial else {
            throw refusal(.unavailable, "the camera is not connected now", "try again when it is back")
        }
        let remedy = "take live view over HTTP, or let the camera code this stream in H.264 without B frames"
        func unfit(_ why: String) -> SiteError { refusal(.unprocessable, why, remedy) }
        guard let track = dial.tracks.first(where: { $0.kind == .video }),
            let parameters = first?.configuration.parameters ?? track.parameters
        else { throw unfit("the stream has no video, or none has come yet") }
        let configuration = TrackConfiguration(id: 0, parameters: parameters)
        guard let coded = configuration.coded, let video = SentMedia.Video(coded) else {
            throw unfit("its video is \(parameters.codec.rawValue), and only h264 and h265 are sent this way")
        }
        guard !coded.isReordered, first.map({ $0.pts == $0.dts }) ?? true else {
            throw unfit("its pictures are not sent in the order in which they are shown (B frames)")
        }
        guard parameters.rotation == .none else {
            throw refusal(
                .unprocessable, "its pictures are turned, which is not sent this way", "take live view over HTTP")
        }
        let sound = dial.sentSound
        return SentMedia(video, sound: sound?.form, isStereo: sound?.isStereo ?? false)
    }
}

extension SiteError {
    /// An offer that is not answered.
    fileprivate init(_ fault: OfferFault, of request: LiveRequest) {
        let kind: Kind = if case .malformed = fault { .invalid } else { .unprocessable }
        self.init(
            kind, what: "the offer to take camera \(request.camera) by WebRTC", why: fault.why,
            remedy: "offer what docs/reference/http.md says, or take live view over HTTP")
    }

    /// A viewer that is not taken.
    fileprivate init(_ refusal: PeerHost.Refusal, of request: LiveRequest) {
        let what = "live view of camera \(request.camera) by WebRTC"
        switch refusal {
        case .offer(let fault): self.init(fault, of: request)
        case .full:
            self.init(
                .unavailable, what: what, why: "\(PeerLimits.peersMax) look on by WebRTC, which is the most",
                remedy: "take live view over HTTP, or try again when one has left")
        case .noAddress:
            self.init(
                .unavailable, what: what, why: "this machine has no address that a viewer could be told",
                remedy: "name one: webrtc.addresses")
        case .stopped:
            self.init(.unavailable, what: what, why: "the daemon is shutting down", remedy: "try again when it is back")
        }
    }
}
