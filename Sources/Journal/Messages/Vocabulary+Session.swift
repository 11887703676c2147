public import Machines

extension Vocabulary {
    /// Why a request of a viewer was refused.
    public static func words(_ refusal: Session.Refusal) -> String {
        switch refusal {
        case .ended: "the session has ended"
        case .notConnected: "the session is not connected"
        case .already: "that is there, or under way"
        case .playbackRunning: "a recording is shown"
        case .previewRunning: "the live picture is shown"
        case .privacy: "live privacy is on"
        case .full: "the camera has as many live viewers as it may have"
        case .notListed: "the clips of this day were not listed since the last connection or preview"
        case .outside: "a value is out of its range"
        case .notPlaying: "no recording plays"
        case .notPaused: "no recording is paused"
        case .notPreviewing: "there is no live picture"
        case .notShowing: "there is neither a live picture nor a recording that plays"
        case .busy: "the outcome of another request is awaited"
        }
    }

    /// Why a request of a viewer failed.
    public static func words(_ failure: Session.Failure) -> String {
        switch failure {
        case .timeout: "nothing came in time"
        case .lost: "the connection ended while it was being made"
        case .unreachable: "the camera, or the clip's file, cannot be reached"
        case .unauthorized: "the camera refuses the login"
        case .unsupported: "the camera cannot do this"
        }
    }

    /// Why a session ended.
    public static func words(_ ending: Session.Ending) -> String {
        switch ending {
        case .closed: "it was closed"
        case .expired: "its time was over"
        case .privacy: "live privacy was switched on"
        case .draining: "Vigil is stopping"
        }
    }
}
