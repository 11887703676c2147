internal import Journal
internal import Machines

/// The source that is a doorbell.
extension CameraShell {
    /// Whether the doorbell is on.
    func rings(_ machine: Camera) -> Bool {
        machine.trigger.sources.contains { sources[$0.number]?.name == SourceNames.doorbell }
    }

    /// The doorbell has gone on in the step that left `machine`, whether that counts or not. `user`: who said so; nil: the camera.
    func rang(_ machine: Camera, by user: String?, at now: Instant) {
        journal.send(.doorbellRang, camera: camera, fields: user.map { [(.user, $0)] } ?? [])
        let control = machine.intent.policy.timeControl
        transports.rang(control, at: now)
        switch machine.trigger.state {
        // One that began in this step has the label since.
        case .active(let number, _):
            events.label(number, SourceNames.doorbell, nil, by: user ?? EventRecorder.device, at: now)
        // No blind time holds a ring back: it is a command then (T5).
        case .settling, .blind: inbox.tell(.commanded(control))
        case .quiet, .silent: break
        }
    }
}
