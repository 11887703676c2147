internal import Machines

extension Camera {
    /// Whether a step at an instant can have left this state. A state from outside that is none of these could keep a machine
    /// busy for ever: after a step every deadline lies ahead, and every bound is a length of time.
    func isPlausible(at now: Instant) -> Bool {
        let bounds = [
            timing.dialMs, timing.silenceMs, timing.keyframeMs, timing.patienceMs, timing.hangUpMs,
            timing.unauthorizedMs,
            timing.openMs, timing.graceMs, timing.closeMs, timing.restMs,
        ]
        return bounds.allSatisfy { $0 > 0 } && nextDeadline.map { $0 > now } ?? true
    }
}
