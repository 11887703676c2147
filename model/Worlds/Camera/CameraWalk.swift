internal import Machines

/// A camera along one walk through real times: it is stepped at each of its deadlines, so that whatever it orders has its moment.
struct CameraWalk {
    private(set) var camera: Camera
    /// The moment of the last step, in milliseconds.
    private(set) var nowMs: Int64 = 0

    /// A camera that has not begun yet.
    init(_ intent: Intent, _ timing: Timing = Timing()) { camera = Camera(intent: intent, timing: timing) }

    /// One step.
    struct Step {
        let ms: Int64
        let effects: [Camera.Effect]
        /// What the trigger was after it.
        let trigger: Trigger
    }

    /// What the camera does until `ms`.
    mutating func pass(untilMs ms: Int64) -> [Step] {
        var steps: [Step] = []
        while let due = camera.nextDeadline, due.ms <= ms {
            nowMs = max(nowMs, due.ms)
            steps.append(step(.tick))
        }
        nowMs = max(nowMs, ms)
        return steps
    }

    /// What comes of an event now.
    mutating func step(_ event: Camera.Event) -> Step {
        let effects = camera.step(event, at: Instant(ms: nowMs))
        return Step(ms: nowMs, effects: effects, trigger: camera.trigger)
    }

    /// What the camera answers to an event now.
    mutating func take(_ event: Camera.Event) -> [Camera.Effect] { step(event).effects }
}

extension Intent {
    /// A camera that may record but has nowhere to: link and recorder rest.
    static func withoutStorage(_ policy: Policy) -> Intent { Intent(policy: policy, storage: .lost) }
}

extension Camera.Effect {
    /// The event that begins.
    var begun: EventNumber? { if case .beginEvent(let number, _, _) = self { number } else { nil } }
    /// Why an event ends.
    var ended: Trigger.Why? { if case .endEvent(_, let why) = self { why } else { nil } }
}
