internal import Journal
internal import Machines
internal import Media
internal import Server

extension DaemonSite {
    /// The one place where what a camera sends now is handed out: the picture of the session that is named, or of one of its
    /// own. Who lets go of the viewer has left.
    func watch(_ request: LiveRequest) async throws -> StreamViewer {
        let camera = try known(request.camera)
        if let session = request.session {
            try sessions.view(session)?.check(request.caller)
            return try await sessions.picture(of: session, camera: camera.name)
        }
        guard request.stream == .main || camera.shell.streams.substream.isConfigured else {
            throw SiteError(.absent, of: request)
        }
        return try await sessions.livePlayer(
            camera, request.stream == .main ? .hd : .sd, withSound: request.sound != .none, by: request.caller)
    }

    /// The same for one picture: it takes part in the session that is named, or in one of the caller's own that lasts while
    /// pictures are asked for, and takes the place of nobody.
    func watchOnce(_ request: LiveRequest) async throws -> StreamViewer {
        let camera = try known(request.camera)
        if let session = request.session {
            try sessions.view(session)?.check(request.caller)
            try await sessions.admitStill(of: session, camera: camera.name)
        } else if request.stream == .main || camera.shell.streams.substream.isConfigured {
            try await sessions.admitStill(camera, request.stream == .main ? .hd : .sd, by: request.caller)
        }
        do throws(StreamRefusal) {
            return try camera.shell.streams.watch(StreamName(request.stream), sound: .none)
        } catch {
            throw SiteError(error, of: request)
        }
    }

    func live(_ request: LiveRequest, cut: LiveCut) async throws -> any AsyncSequence<LivePart, Never> & Sendable {
        let fragments = LiveFragments(cut == .frame ? .frame : .group, sound: SoundForm(request.sound))
        return LiveParts(request, try await watch(request), fragments, clock: clock) { [pool] in
            pool.camera(request.camera)?.assignment.shownPart
        }
    }

    func liveMovie(_ request: LiveRequest) async throws -> LiveMovieBytes {
        let viewer = try await watch(request)
        let fragments = LiveFragments(.frame, sound: SoundForm(request.sound))
        return LiveMovieBytes(LiveMovieParts(viewer, fragments, clock: clock)) { viewer.leave() }
    }
}

extension SoundForm {
    /// The sound that a request means.
    init(_ sound: LiveRequest.Sound) {
        switch sound {
        case .none: self = .none
        case .stored: self = .stored
        }
    }
}

extension StreamName {
    /// The stream that a request means.
    init(_ stream: LiveStream) {
        switch stream {
        case .main: self = .main
        case .sub: self = .sub
        }
    }
}

extension SiteError {
    /// A stream that is not shown.
    init(_ refusal: StreamRefusal, of request: LiveRequest) {
        let what = "the \(request.stream == .main ? "main" : "sub")-stream of camera \(request.camera) is not shown"
        switch refusal {
        case .hidden(.privacy):
            self.init(
                .conflict, what: what, why: "live or hard privacy covers the camera",
                remedy: "switch it off to look (`vigil privacy`)")
        case .hidden:
            self.init(
                .unavailable, what: what, why: "the camera is starting or being shut down",
                remedy: "try again in a moment")
        case .absent:
            self.init(
                .notFound, what: what, why: "the camera has no sub-stream",
                remedy: "configure `sub`, or look at the main stream")
        case .full:
            self.init(
                .unavailable, what: what, why: "it has \(CameraStream.viewersMax) viewers, which is the most",
                remedy: "try again when one has left")
        }
    }
}
