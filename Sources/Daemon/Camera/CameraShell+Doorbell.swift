internal import Journal
internal import Machines

/// A press of a doorbell that no event has yet.
struct DoorbellPress {
    /// Who told of it.
    let user: String
    /// Whether a command that it is taken for has not come to the machine yet.
    let isCommanded: Bool
    /// From when on it begins no event: the longest that an event of its own could have lasted.
    let until: Instant
}

/// The source that is a doorbell.
extension CameraShell {
    /// Whether the doorbell is on.
    func rings(_ machine: Camera) -> Bool {
        machine.trigger.sources.contains { sources[$0.number]?.name == SourceNames.doorbell }
    }

    /// The doorbell has gone on in the step that left `machine`, whether that counts or not. `user`: who said so; nil: the camera.
    func rang(_ machine: Camera, by user: String?, at now: Instant) -> DoorbellPress {
        journal.send(.doorbellRang, camera: camera, fields: user.map { [(.user, $0)] } ?? [])
        let control = machine.intent.policy.timeControl
        transports.rang(control, at: now)
        let isCommanded: Bool
        switch machine.trigger.state {
        // No blind time holds a ring back: it is a command then (T5).
        case .settling, .blind:
            isCommanded = machine.intent.eventsAllowed
            if isCommanded { inbox.tell(.commanded(control)) }
        case .quiet, .silent, .active: isCommanded = false
        }
        return DoorbellPress(
            user: user ?? EventRecorder.device, isCommanded: isCommanded, until: now + control.maxMs)
    }

    /// What is left of a press behind a step and what it began: an event under way gets the label, and only one that may still
    /// begin one is kept. The source may have gone off since.
    func settle(_ press: DoorbellPress, _ machine: Camera, after event: Camera.Event, at now: Instant) -> DoorbellPress?
    {
        switch machine.trigger.state {
        case .active(let number, _):
            events.label(number, SourceNames.doorbell, nil, by: press.user, at: now)
            return nil
        // The event may begin when recording is enabled within its time.
        case .silent: return press
        case .settling, .blind, .quiet:
            if case .commanded = event { return nil }
            return press.isCommanded ? press : nil
        }
    }
}
