internal import Machines

/// A condition of recording that failed at a moment: the terms of `recordingWanted`, `mediaWanted` and `linkWanted` of
/// docs/design/camera.md, and what stood in the way of a clip that was wanted.
public enum Condition: String, Sendable, Hashable, Codable, CaseIterable {
    /// `enabled`: the recording toggle was off.
    case toggle
    /// `not blocked`: a privacy switch covered the recording.
    case privacy
    /// `mode != off`: the policy asked for nothing.
    case mode
    /// `mode != off`: the schedule had switched recording off.
    case schedule
    /// `storage != lost`: nothing could be written.
    case storage
    /// `not draining`: Vigil was stopping.
    case draining
    /// Event mode, and no event was active.
    case event
    /// Detections had been made, and none near the moment was as strong as the policy asked for.
    case sensitivity
    /// Detections had been made, and none near the moment in a zone that counted.
    case zone
    /// Blind time ran.
    case blind
    /// Media was wanted, and the camera was not connected.
    case link
    /// Media was wanted, the camera was connected, and no key frame had come that a clip could begin with.
    case keyFrame
    /// Nothing asked for a connection: on demand, without an event.
    case onDemand
    /// The last clip had failed, and the wait for the next try ran.
    case retry
    /// Two clips were still being closed.
    case closing
    /// A clip was being opened.
    case opening

    /// What failed in a machine, the decisive ones first; empty where it recorded. `suppressed` are the reasons why detections
    /// near the moment did not count.
    static func all(_ machine: Camera, suppressed: Set<Camera.Suppression>) -> [Condition] {
        switch machine.recorder.state {
        case .writing, .cutting: return []
        case .idle, .opening: break
        }
        let intent = machine.intent
        var found: [Condition] = []
        if intent.draining { found.append(.draining) }
        if !intent.enabled { found.append(.toggle) }
        if intent.blocked { found.append(.privacy) }
        if intent.policy.mode == .off { found.append(intent.policy.offBySchedule ? .schedule : .mode) }
        if intent.storage == .lost { found.append(.storage) }
        if intent.policy.mode == .event, machine.trigger.active == nil {
            found += missingEvent(machine, suppressed)
        }
        if machine.linkWanted, machine.link.phase != .streaming {
            found.append(machine.link.phase == .synchronizing ? .keyFrame : .link)
        }
        guard machine.mediaWanted, machine.link.phase == .streaming else { return found }
        if case .opening = machine.recorder.state { return found + [.opening] }
        if machine.recorder.retryAt != nil { found.append(.retry) }
        if machine.recorder.closing.count >= Recorder.maxClosing { found.append(.closing) }
        return found
    }

    private static func missingEvent(_ machine: Camera, _ suppressed: Set<Camera.Suppression>) -> [Condition] {
        var found: [Condition] = [.event]
        switch machine.trigger.state {
        case .blind, .settling: found.append(.blind)
        case .quiet, .active, .silent: break
        }
        if suppressed.contains(.sensitivity) { found.append(.sensitivity) }
        if suppressed.contains(.zone) { found.append(.zone) }
        if !machine.linkWanted, machine.intent.policy.connection == .onDemand, machine.intent.recordingWanted {
            found.append(.onDemand)
        }
        return found
    }
}
