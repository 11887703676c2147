internal import Machines
internal import Server

/// What is published of a camera's state. Only what changes seldom: each change is a message.
struct CameraReport: Encodable, Hashable, Sendable {
    var link: String
    var coverage: String
    var why: String
    var enabled: Bool
    var privacy: Privacy
    var policy: String
    var mode: String
    /// Of the policy in force: 1, 5 or 10.
    var sensitivity: Int
    /// Of the policy in force, in seconds.
    var maxEventLength: Int64
    /// The event that is active.
    var event: Int64?

    init(_ state: CameraState, _ policy: Policy) {
        (link, coverage, why) = (state.link, state.coverage.rawValue, state.why)
        (enabled, privacy, event) = (state.enabled, state.privacy, state.event)
        (self.policy, mode) = (state.policy, state.mode.rawValue)
        (sensitivity, maxEventLength) = (policy.sensitivity.rawValue, policy.timeControl.maxMs / 1_000)
    }
}

/// What is published of the storage.
struct StorageReport: Encodable, Hashable, Sendable {
    var storage: String
    var freeBytes: Int64
}

/// What is published when a doorbell rings.
struct DoorbellReport: Encodable, Hashable, Sendable {
    /// The only kind of such an event, as Home Assistant calls it.
    static let ring = "ring"

    let eventType = Self.ring
}

extension Camera {
    /// Whether something moves, or a source says so: an event is active that nobody began by command.
    var isMoving: Bool {
        if case .active(_, let window) = trigger.state { window.cause != .command } else { false }
    }

    /// How a switch stands.
    subscript(name: CameraSwitch) -> Bool {
        switch name {
        case .recording: intent.enabled
        case .privacy: intent.privacy.hard
        case .softRecording: intent.privacy.softRecording
        case .softLive: intent.privacy.softLive
        }
    }
}
