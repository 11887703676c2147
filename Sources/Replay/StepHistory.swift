public import Machines

/// Since when each part of a machine is what it is, by which step, and the last steps that others noticed.
public struct StepHistory: Sendable, Hashable {
    /// Noticed steps that are kept.
    public static let length = 12

    /// The step that made the coverage label what it is; nil where it was made before what was read.
    public private(set) var coverage: Step?
    /// The step that brought the link into its phase.
    public private(set) var link: Step?
    /// The step that brought the trigger into its state.
    private(set) var trigger: Step?
    /// The step that brought the recorder into its state.
    private(set) var recorder: Step?
    /// The step that last changed what is asked of the camera.
    public private(set) var intent: Step?
    /// The last steps that changed something others notice, oldest first.
    public private(set) var noticed: [Step] = []

    /// No step seen.
    public init() {}

    /// Takes note of a step that was run again. `before` is the machine before it, nil where that is not known: then nothing
    /// that was noted holds any more.
    public mutating func note(_ step: Step?, before: Camera?, after: Camera?) {
        guard let step, let before, let after else {
            self = StepHistory()
            return
        }
        if step.seq == 1 { (coverage, link, trigger, recorder, intent) = (step, step, step, step, step) }
        if before.coverage != after.coverage { coverage = step }
        if before.link.phase != after.link.phase || before.link.current != after.link.current { link = step }
        if Self.kind(before.trigger) != Self.kind(after.trigger) { trigger = step }
        if Self.kind(before.recorder) != Self.kind(after.recorder) { recorder = step }
        if before.intent != after.intent { intent = step }
        guard step.effects.contains(where: { if case .ignored = $0 { false } else { true } }) else { return }
        noticed.append(step)
        if noticed.count > Self.length { noticed.removeFirst() }
    }

    private static func kind(_ trigger: Trigger) -> String {
        switch trigger.state {
        case .quiet: "quiet"
        case .active(let event, _): "active \(event.rawValue)"
        case .silent: "silent"
        case .settling: "settling"
        case .blind: "blind"
        }
    }

    private static func kind(_ recorder: Recorder) -> String {
        switch recorder.state {
        case .idle: "idle"
        case .opening(let clip, _): "opening \(clip.number.rawValue)"
        case .writing(let clip, _): "writing \(clip.number.rawValue)"
        case .cutting(let clip, _, _): "cutting \(clip.number.rawValue)"
        }
    }
}
