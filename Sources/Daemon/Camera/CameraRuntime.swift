internal import Catalog
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
        /// What is set over the policy and the configuration.
        var settings = CameraSettings()

        /// How its pictures are turned.
        var rotation: PictureRotation { PictureRotation(settings.rotation ?? camera.rotation) }

        /// The part of its pictures that is shown.
        var viewport: PictureViewport { settings.viewport.map { PictureViewport($0) } ?? .whole }

        /// Whether its microphone is off.
        var isMuted: Bool { settings.microphone == false }
    }

    let name: String
    let actor: CameraActor
    let shell: CameraShell
    private let assigned: Mutex<Assignment>
    /// The switches as they were last turned; the machine has been told, or is about to be.
    private let switches: Mutex<Switches>
    /// Held while switches are written down, so that what was turned last is what stays.
    private let keeping = Mutex(())
    /// What transports want of the camera.
    private let wanted = Mutex(TransportDemand())
    /// Held from the look at the assignment until the machine is told, so that what was assigned last is what holds.
    private let scheduling = Mutex(())

    init(actor: CameraActor, shell: CameraShell, assignment: Assignment, switches: Switches) {
        name = actor.name
        self.switches = Mutex(switches)
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
        scheduling.withLock { _ in
            let until = assignment.untilUnixMs
            guard always || until.map({ wallMs >= $0 }) == true else { return }
            actor.inbox.tell(follow(wallMs: wallMs, now: now, zone: zone))
        }
    }

    /// Keeps what transports want from now on.
    func follow(_ demand: TransportDemand, wallMs: Int64, now: Instant, zone: TimeZone) {
        scheduling.withLock { _ in
            let before = wanted.withLock { wanted in
                defer { wanted = demand }
                return wanted
            }
            boundRing()
            guard demand.preRollMs != before.preRollMs else { return }
            actor.inbox.tell(follow(wallMs: wallMs, now: now, zone: zone))
        }
    }

    /// Lets the ring hold what the policy and the transports may want.
    func boundRing() {
        shell.ring.bound(SiteBuilder.ringBounds(assignment.policy, atLeastMs: wanted.withLock { $0.ringMs }))
    }

    /// Puts settings in force for `user` and tells the machine; the reply is given when it has taken them.
    func set(_ settings: CameraSettings, by user: String, wallMs: Int64, now: Instant, zone: TimeZone) -> FactReply {
        scheduling.withLock { _ in
            assign { $0.settings = settings }
            turn()
            shell.recorder.recordSound(settings.recordedSound ?? true)
            return actor.inbox.request(follow(wallMs: wallMs, now: now, zone: zone), by: user)
        }
    }

    /// Turns the pictures, and makes silence of the sound, as it is assigned now.
    func followAssignment() { scheduling.withLock { _ in turn() } }

    private func turn() {
        let current = assignment
        shell.turn(current.rotation, isMuted: current.isMuted)
    }

    /// What the machine is to be told of the policy in force at `wallMs`.
    private func follow(wallMs: Int64, now: Instant, zone: TimeZone) -> Camera.Event {
        let current = assignment
        let effective = current.policy.effective(
            atUnixMs: wallMs, in: zone, zones: current.camera.zones.map(\.name), settings: current.settings)
        let policy = wanted.withLock { $0 }.applied(to: effective.policy)
        assign { $0.untilUnixMs = effective.untilUnixMs }
        shell.change {
            $0.policy = RecordedPolicy(name: current.policy.name, revision: current.policy.revision, mode: policy.mode)
        }
        return .policy(policy, until: effective.untilUnixMs.map { now + ($0 - wallMs) })
    }

    /// Turns switches for `user`, and tells the machine of each that was turned, also where it stood so before: the replies
    /// come after all that was told it till then. Of two who turn at a time neither undoes what the other did.
    func turn(_ values: [CameraOverride.Key: Bool], by user: String) -> [FactReply] {
        switches.withLock { switches in
            for (key, value) in values { switches[key] = value }
            var replies: [FactReply] = []
            if values.keys.contains(.enabled) {
                replies.append(actor.inbox.request(.enabled(switches.enabled), by: user))
            }
            if values.keys.contains(where: { $0 != .enabled }) {
                replies.append(actor.inbox.request(.privacy(switches.privacy), by: user))
            }
            return replies
        }
    }

    /// Calls `body` while no other settings are written down and put in force. Blocking.
    func keepSettings<Value>(_ body: () throws -> Value) rethrows -> Value { try keeping.withLock { _ in try body() } }

    /// Calls `body` to write the switches down as they are now. Blocking.
    func keepSwitches(_ body: (Switches) throws -> Void) rethrows {
        try keeping.withLock { _ in try body(switches.withLock { $0 }) }
    }
}
