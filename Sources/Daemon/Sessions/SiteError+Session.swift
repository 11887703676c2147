internal import Journal
internal import Machines
internal import Server

extension SiteError {
    /// A request that a session refused.
    init(_ step: Session.Step, _ why: Session.Refusal, of viewer: Viewer) {
        self.init(
            why == .outside ? .invalid : .conflict,
            what: "\(step.rawValue) in session \(viewer.id) of camera \(viewer.camera)",
            why: Vocabulary.words(why), remedy: Self.remedy(why, viewer.camera), step: step.rawValue,
            reason: why.rawValue)
    }

    /// A request that a session could not carry out.
    init(_ step: Session.Step, _ why: Session.Failure, of viewer: Viewer, detail: String? = nil) {
        self.init(
            why == .unsupported ? .conflict : .unavailable,
            what: "\(step.rawValue) in session \(viewer.id) of camera \(viewer.camera)",
            why: detail ?? Vocabulary.words(why),
            remedy: why == .unsupported
                ? "ask for what the camera has" : "look at its link: `vigil state \(viewer.camera)`; then try again",
            step: step.rawValue, reason: why.rawValue)
    }

    private static func remedy(_ why: Session.Refusal, _ camera: String) -> String {
        switch why {
        case .ended: "open another session"
        case .notConnected: "connect first"
        case .already: "nothing is to be done"
        case .playbackRunning: "stopPlayback first"
        case .previewRunning: "stopPreview first"
        case .privacy: "switch it off: vigil privacy \(camera) off"
        case .full: "close another live session (`vigil viewers` lists them), or raise viewers.limit"
        case .notListed: "list the clips of the day first"
        case .outside: "see docs/reference/http.md for the range"
        case .notPlaying: "startPlayback first"
        case .notPaused: "pause first"
        case .notPreviewing: "startPreview first"
        case .notShowing: "startPreview or startPlayback first"
        case .busy: "wait for the outcome of the other request"
        }
    }
}
