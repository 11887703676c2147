internal import Journal
internal import Machines

/// Why a camera carries the label it carries now, in one sentence for people.
enum LabelReason {
    /// `isModeSet`: the mode is set for this camera, whatever its policy says.
    static func why(
        _ view: CameraActor.View, policy: String, isModeSet: Bool, storage: StorageMonitor.Report, excess: String?
    ) -> String {
        let machine = view.machine
        let intent = machine.intent
        switch machine.coverage {
        case .recorded:
            return recorded(machine, isModeSet ? "continuous mode is set" : "continuous mode of policy \(policy)")
        case .idle: return "event mode \(isModeSet ? "is set" : "of policy \(policy)"), and nothing calls for recording"
        case .blind: return "blind time of policy \(policy) after an event"
        case .offByPolicy: return isModeSet ? "mode off is set for the camera" : "the mode of policy \(policy) is off"
        case .offBySchedule: return "the schedule of policy \(policy) has switched recording off"
        case .disabled: return "the recording toggle is off"
        case .privacy: return intent.privacy.hard ? "hard privacy is on" : "recording privacy is on"
        case .linkLost: return link(view, excess)
        case .storage:
            return storage.why.isEmpty ? "the last clip could not be written; it is tried again" : storage.why
        case .recorderDown: return "the daemon is stopping"
        case .deleted: return "it was recorded and has been deleted"
        }
    }

    private static func recorded(_ machine: Camera, _ continuous: String) -> String {
        if let (_, window) = machine.trigger.active {
            switch window.cause {
            case .detection: return "an event by a detection of level \(window.level?.rawValue ?? 0)"
            case .source: return "an event by an asserted source"
            case .command: return "an event by a command"
            case .continuous: break
            }
        }
        if machine.intent.policy.transportPreRollMs != nil { return "a transport records" }
        if machine.intent.policy.mode == .continuous { return continuous }
        return "the event is over; its clip ends at the next key frame"
    }

    /// `excess`: the bound that the camera has passed, where it has.
    private static func link(_ view: CameraActor.View, _ excess: String?) -> String {
        let failure = view.lastFailure.map {
            Vocabulary.words($0) + ($0 == .budget ? excess.map { ": " + $0 } ?? "" : "")
        }
        switch view.machine.link.phase {
        case .off, .dialing: return failure.map { "dialling again: \($0)" } ?? "dialling"
        case .waiting: return failure ?? "waiting to dial again"
        case .synchronizing: return "connected, waiting for a key frame"
        case .streaming: return "streaming"
        }
    }
}
