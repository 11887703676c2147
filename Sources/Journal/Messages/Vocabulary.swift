public import Machines

/// The words for the codes of one value type of `Machines`: the field keeps the code for matching, the message says it.
public enum Vocabulary: Sendable, Hashable {
    /// No words: the value is shown as it is.
    case none
    /// `LinkFailure`.
    case linkFailure
    /// `ClipCause`.
    case clipCause
    /// `ClipEnd`.
    case clipEnd
    /// `Shortfall`.
    case shortfall
    /// `Coverage`.
    case coverage
    /// `Session.Refusal`.
    case sessionRefusal
    /// `Session.Failure`.
    case sessionFailure
    /// `Session.Ending`.
    case sessionEnd
    /// `Subscription.Report`.
    case subscription

    func words(for code: String) -> String? {
        switch self {
        case .none: nil
        case .linkFailure: LinkFailure(rawValue: code).map(Self.words)
        case .clipCause: ClipCause(rawValue: code).map(Self.words)
        case .clipEnd: ClipEnd(rawValue: code).map(Self.words)
        case .shortfall: Shortfall(rawValue: code).map(Self.words)
        case .coverage: Coverage(rawValue: code).map(Self.words)
        case .sessionRefusal: Session.Refusal(rawValue: code).map(Self.words)
        case .sessionFailure: Session.Failure(rawValue: code).map(Self.words)
        case .sessionEnd: Session.Ending(rawValue: code).map(Self.words)
        case .subscription: Subscription.Report(rawValue: code).map(Self.words)
        }
    }

    /// Why a link failed.
    public static func words(_ failure: LinkFailure) -> String {
        switch failure {
        case .unreachable: "the host cannot be reached"
        case .refused: "nothing listens on the port"
        case .timeout: "no answer in time"
        case .stuck: "the connection before has not ended"
        case .unauthorized: "login refused"
        case .notFound: "the camera does not know the path"
        case .tls: "TLS failed"
        case .garbage: "what answers does not speak RTSP"
        case .unsupported: "nothing offered that can be recorded"
        case .silence: "the camera fell silent"
        case .noKeyFrame: "no key frame came"
        case .closed: "the camera closed the connection"
        case .ended: "the source ended"
        case .busy: "the camera has no session left"
        case .budget: "the camera sends more than one camera may"
        case .resources: "this machine is out of memory, threads or files"
        }
    }

    /// Why a clip or an event was begun.
    public static func words(_ cause: ClipCause) -> String {
        switch cause {
        case .continuous: "continuous recording"
        case .detection: "a detection"
        case .source: "an asserted source"
        case .command: "a command"
        }
    }

    /// Why a clip ended.
    public static func words(_ end: ClipEnd) -> String {
        switch end {
        case .quiet: "nothing more moved"
        case .limit: "the event reached its max length"
        case .length: "the clip reached its length"
        case .disabled: "recording was disabled"
        case .privacy: "privacy was switched on"
        case .policy: "the policy asks for no recording"
        case .linkLost: "the link was lost"
        case .streamChanged: "the stream changed"
        case .storage: "the storage failed"
        case .draining: "Vigil is stopping"
        case .interrupted: "Vigil or the machine stopped in the middle"
        }
    }

    /// Why there is less pre-roll than was promised.
    public static func words(_ shortfall: Shortfall) -> String {
        switch shortfall {
        case .linkYoung: "the link had come up shortly before"
        case .previousClip: "the clip before holds the media already"
        case .notAllowed: "recording was not allowed before"
        case .memory: "the pre-roll memory was full"
        case .openedLate: "opening the clip took too long"
        }
    }

    /// A coverage label.
    public static func words(_ label: Coverage) -> String {
        switch label {
        case .recorded: "recorded"
        case .idle: "idle"
        case .blind: "blind"
        case .offByPolicy: "off by policy"
        case .offBySchedule: "off by schedule"
        case .disabled: "disabled"
        case .privacy: "privacy"
        case .linkLost: "link lost"
        case .storage: "no storage"
        case .recorderDown: "recorder down"
        case .deleted: "deleted"
        }
    }
}
