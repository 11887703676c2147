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
            throw SiteError.noSubstream(of: camera.name)
        }
        return try await sessions.livePlayer(
            camera, request.stream == .main ? .hd : .sd, withSound: request.sound != .none, by: request.caller)
    }

    func live(_ request: LiveRequest, cut: LiveCut) async throws -> any AsyncSequence<LivePart, Never> & Sendable {
        let fragments = LiveFragments(cut == .frame ? .frame : .group, sound: SoundForm(request.sound))
        return LiveParts(request, try await watch(request), fragments, clock: clock)
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

extension SiteError {
    /// A sub-stream that is not there.
    fileprivate static func noSubstream(of camera: String) -> SiteError {
        SiteError(
            .notFound, what: "the sub-stream of camera \(camera) is not shown", why: "the camera has none",
            remedy: "configure `sub`, or look at the main stream")
    }
}
