internal import Foundation
internal import Journal
internal import Machines
internal import Media
internal import Policies
internal import Synchronization

/// One camera with all its parts, and what was configured for it.
final class CameraRuntime: Sendable {
    /// What holds for the camera at present.
    struct Assignment: Sendable {
        var camera: Configuration.Camera
        var policy: PolicyDocument
        /// When the policy in force changes next, milliseconds since 1970; nil if nothing is due.
        var untilUnixMs: Int64?
    }

    let name: String
    let actor: CameraActor
    let shell: CameraShell
    private let assigned: Mutex<Assignment>
    /// Most names of level sources that a camera may have in one run.
    static let sourceNamesMax = 64
    private let sourceNames = Mutex<[String]>([])

    init(actor: CameraActor, shell: CameraShell, assignment: Assignment) {
        name = actor.name
        self.actor = actor
        self.shell = shell
        assigned = Mutex(assignment)
    }

    /// What holds at present.
    var assignment: Assignment { assigned.withLock { $0 } }

    /// Puts another assignment in force and returns the one before.
    func assign(_ body: (inout Assignment) -> Void) { assigned.withLock { body(&$0) } }

    /// Tells the machine the policy in force at `wallMs`, if it changed or `always`.
    func applySchedule(wallMs: Int64, now: Instant, zone: TimeZone, always: Bool) {
        let current = assignment
        if !always, let until = current.untilUnixMs, wallMs < until { return }
        if !always, current.untilUnixMs == nil { return }
        let effective = current.policy.effective(
            atUnixMs: wallMs, in: zone, zones: current.camera.zones.map(\.name))
        assign { $0.untilUnixMs = effective.untilUnixMs }
        shell.change {
            $0.policy = RecordedPolicy(
                name: current.policy.name, revision: current.policy.revision, mode: effective.policy.mode)
        }
        actor.inbox.tell(
            .policy(effective.policy, until: effective.untilUnixMs.map { now + ($0 - wallMs) }))
    }

    /// The number of the level source of a name, given when it is first heard of; nil when there are too many.
    func source(named name: String) -> SourceNumber? {
        sourceNames.withLock { names in
            if let index = names.firstIndex(of: name) { return SourceNumber(UInt8(index)) }
            guard names.count < Self.sourceNamesMax else { return nil }
            names.append(name)
            return SourceNumber(UInt8(names.count - 1))
        }
    }

    /// A detection of the built-in demo scene, a detector, or a trigger.
    func detected(_ level: Sensitivity) { actor.inbox.tell(.detected(level: level, zones: .anywhere)) }
}
