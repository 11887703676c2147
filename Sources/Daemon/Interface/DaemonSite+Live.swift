internal import Journal
internal import Machines
internal import Media
internal import Server

extension DaemonSite {
    /// The one place where what a camera sends now is handed out. Who lets go of the viewer has left.
    func watch(_ request: LiveRequest) async throws(SiteError) -> StreamViewer {
        let camera = try known(request.camera)
        do throws(StreamRefusal) {
            return try camera.shell.streams.watch(StreamName(request.stream), sound: SoundForm(request.sound))
        } catch {
            throw SiteError(error, of: request)
        }
    }

    func live(_ request: LiveRequest, cut: LiveCut) async throws -> any AsyncSequence<LivePart, Never> & Sendable {
        let fragments = LiveFragments(cut == .frame ? .frame : .group, sound: SoundForm(request.sound))
        return LiveParts(request, try await watch(request), fragments, clock: clock)
    }
}

extension StreamName {
    /// The stream that a request means.
    init(_ stream: LiveRequest.Stream) {
        switch stream {
        case .main: self = .main
        case .sub: self = .sub
        }
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
