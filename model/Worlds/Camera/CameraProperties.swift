internal import Explorer
internal import Machines

/// What docs/design/rules.md promises of a camera, each promise by its rule.
public enum CameraProperties {
    /// Every promise about the steps of a view, and that there are cases of each.
    public static func safety(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        all(view) + witnesses(view) + ways(view)
    }

    /// All promises that hold in every view.
    public static func all(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        states + orders(view) + parts(view) + reports(view) + facts(view) + lackingKeyFrames(view)
    }

    /// A promise about every step.
    static func every(_ view: CameraConfiguration, _ name: String, _ holds: @escaping @Sendable (CameraStep) -> Bool)
        -> Property<CameraWorld>
    {
        Property(name, .steps { holds(CameraStep(view, $0, $1, $2)) })
    }

    /// One that restates the machine.
    static func every(
        _ view: CameraConfiguration, restating name: String, _ holds: @escaping @Sendable (CameraStep) -> Bool
    ) -> Property<CameraWorld> {
        Property(restating: name, .steps { holds(CameraStep(view, $0, $1, $2)) })
    }

    /// A promise about every state after the first step.
    private static func always(_ name: String, _ holds: @escaping @Sendable (Camera) -> Bool) -> Property<CameraWorld> {
        Property(name, .always { $0.label == nil || holds($0) })
    }

    /// One that restates the machine.
    private static func always(restating name: String, _ holds: @escaping @Sendable (Camera) -> Bool)
        -> Property<CameraWorld>
    {
        Property(restating: name, .always { $0.label == nil || holds($0) })
    }

    /// Promises about states.
    static var states: [Property<CameraWorld>] {
        [
            always("S1 at most one clip is open and two are being closed") { $0.recorder.closing.count <= 2 },
            always("S2 a clip is held only while key frames can come") {
                $0.recorder.clip == nil || $0.link.phase == .streaming
            },
            always("S3 a clip that is written belongs to an event that is active, or in continuous mode to none") {
                camera in
                guard case .writing(let clip, _) = camera.recorder.state else { return true }
                guard let event = clip.event else { return camera.intent.policy.mode == .continuous }
                return clip.ended == nil && event == camera.trigger.active?.number
            },
            always("S4 a window never lasts longer than its max length") { camera in
                guard let window = camera.trigger.window else { return true }
                let longest = camera.intent.policy.timeControl.maxMs
                let most = CameraPolicy.allCases.map(\.policy.timeControl.maxMs).max() ?? longest
                return window.ends.ms > 0 && (window.commanded || window.limit.ms <= most)
            },
            always("S5 the blind time waits only for a clip that is on its way to its end") { camera in
                guard camera.trigger.word == "settling" else { return true }
                return camera.recorder.closing.contains { $0.event != nil }
                    || camera.recorder.clip?.event == EventNumber(2) && camera.recorder.word != "writing"
            },
            always("S5 blind time runs only where the policy has one") { camera in
                guard case .blind(let until) = camera.trigger.state else { return true }
                return until.ms > 0
            },
            always("S6 what is not wanted is not open") { $0.intent.wantsRecording || $0.recorder.clip == nil },
            always("S6 what is wanted and possible is open") { camera in
                !camera.wantsMedia || camera.link.phase != .streaming || camera.recorder.clip != nil
                    || camera.recorder.retryAt != nil || camera.recorder.closing.count == 2
            },
            always("S7 media is kept exactly while events are allowed") { $0.keepsMedia == $0.intent.allowsEvents },
            always("S7 hard privacy leaves no connection") { !$0.intent.privacy.hard || $0.link.current == nil },
            always("S7 privacy leaves no event active") { !$0.intent.isBlocked || !$0.isActive },
            always("S8 what has stopped owes nothing") { camera in
                !camera.stopped
                    || camera.link.state == .off && camera.link.hangingUp == nil && camera.link.failures == 0
                        && camera.trigger.state == .quiet && camera.trigger.sources.isEmpty
                        && camera.recorder.state == .idle && camera.recorder.closing.isEmpty
                        && camera.recorder.retryAt == nil && !camera.keepsMedia && camera.nextDeadline == nil
            },
            always("S8 a drain that owes nothing has stopped") { camera in
                camera.stopped || !camera.intent.draining || camera.link.current != nil || camera.link.hangingUp != nil
                    || camera.recorder.clip != nil || !camera.recorder.closing.isEmpty
            },
            always("S10 a hang-up that is owed forbids a connection") {
                $0.link.hangingUp == nil || $0.link.current == nil
            },
            always(restating: "S13 the label is the first that applies") { $0.label == $0.labelByRule },
            always("S13 what is labelled recorded is open, and what is labelled idle wants nothing") { camera in
                camera.label == .recorded ? camera.recorder.clip != nil : camera.label != .idle || !camera.wantsMedia
            },
            always("S13 no label hides one that comes before it") { camera in
                let intent = camera.intent
                let isLate = intent.draining || !intent.enabled || intent.isBlocked || intent.policy.mode == .off
                return switch camera.label {
                case .linkLost: !isLate && intent.storage != .lost
                case .blind, .idle: !isLate && intent.storage != .lost && !camera.wantsMedia
                case .storage: !isLate
                default: true
                }
            },
            always("L1 a link that is wanted is made, waits, or waits for its hang-up") { camera in
                camera.link.state != .off || camera.link.hangingUp != nil
                    || !camera.wantsLink(holding: camera.recorder.clip != nil)
            },
            always("L1 a link that is not wanted is not open") { camera in
                camera.link.current == nil || camera.wantsLink(holding: camera.recorder.clip != nil)
            },
            always("L1 failures are counted up to their cap") {
                $0.link.failures <= $0.timing.failureCap && $0.recorder.failures <= $0.timing.failureCap
            },
            always("L3 whatever waits has a bound") { camera in
                let bounds = [
                    camera.link.deadline, camera.link.patience, camera.link.steady, camera.link.hangingUp?.deadline,
                    camera.recorder.deadline,
                    camera.trigger.window?.ends, camera.trigger.blindUntil, camera.trigger.sources.first?.staleAt,
                ]
                return bounds.allSatisfy { !$0.isDue } && camera.recorder.closing.allSatisfy { $0.deadline.ms > 0 }
                    && (camera.link.deadline == nil) == (camera.link.state == .off)
                    && (camera.recorder.deadline != nil || camera.recorder.state == .idle)
            },
        ]
    }

    /// What each part comes to, given the source, the fact and the other parts.
    static func parts(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        [
            every(view, restating: "S9 what does not fit is ignored with its reason") { step in
                let ignored = step.effects.filter { if case .ignored = $0 { true } else { false } }
                return ignored == (step.refusal.map { [.ignored($0)] } ?? [])
            },
            every(view, restating: "S9 what does not fit changes nothing") { step in
                step.isFirst || step.refusal == nil || step.after == step.before && step.effects.count == 1
            },
            every(view, "S8 what has stopped does nothing") { step in
                !step.before.stopped || step.after == step.before && (step.fact != .tick || step.effects.isEmpty)
            },
            every(view, restating: "S6 the intent is what it was told") { $0.after.intent == $0.intentByRule },
            every(view, restating: "S3 an event is over only by its window or for a named cause") { step in
                let rule = TriggerRule.following(step), actual = TriggerRule(step.after.trigger)
                return rule.state != .quiet && actual.state != .quiet || rule.state == actual.state
            },
            every(view, restating: "S4 a window begins, is prolonged and lifted by T1, T2, T5 and T7") { step in
                let rule = TriggerRule.following(step), actual = TriggerRule(step.after.trigger)
                return !rule.hasWindow && !actual.hasWindow || rule.state == actual.state
            },
            every(view, restating: "S5 blind time follows T4") { step in
                let rule = TriggerRule.following(step), actual = TriggerRule(step.after.trigger)
                return !rule.isBlind && !actual.isBlind || rule.state == actual.state
            },
            every(view, restating: "L6 a source holds until it is cleared or stale") { step in
                TriggerRule.following(step).source == TriggerRule(step.after.trigger).source
            },
            every(view, restating: "S11 it is known of a source whether it has been told as suppressed") { step in
                TriggerRule.following(step).isSuppressed == TriggerRule(step.after.trigger).isSuppressed
            },
            // S16 too: the wait after each failure is in that table.
            every(view, restating: "L1 the link follows its table") { step in
                let actual = LinkRule(step.after)
                return LinkRule.following(step).contains {
                    $0.phase == actual.phase && $0.failures == actual.failures && $0.deadline == actual.deadline
                        && $0.steady == actual.steady && $0.worked == actual.worked && $0.other == actual.other
                }
            },
            every(view, restating: "L2 a missing key frame is waited for with growing patience") { step in
                let actual = LinkRule(step.after)
                return LinkRule.following(step).contains {
                    $0.patience == actual.patience && $0.warned == actual.warned
                }
            },
            every(view, restating: "S10 a hang-up is owed until it is answered or overdue") { step in
                LinkRule.following(step).contains { $0.hangUp == step.after.link.hangingUp?.deadline }
            },
            every(view, restating: "S1 the recorder follows its table") { step in
                let rule = RecorderRule.following(step), actual = RecorderRule(step.after)
                return rule.phase == actual.phase && rule.owner == actual.owner && rule.why == actual.why
            },
            // S16 too: the wait after each failure is such a bound.
            every(view, restating: "L3 what the recorder waits for has its bound") { step in
                let rule = RecorderRule.following(step), actual = RecorderRule(step.after)
                return rule.deadline == actual.deadline && rule.graces == actual.graces
            },
            every(view, restating: "S1 a clip is owed until it is closed or overdue") { step in
                RecorderRule.following(step).closing == RecorderRule(step.after).closing
            },
            every(view, restating: "L5 failures of the recorder are counted, and forgotten with a whole clip") { step in
                RecorderRule.following(step).failures == RecorderRule(step.after).failures
            },
            every(view, restating: "S2 only the first clip of an event asks for pre-roll") { step in
                RecorderRule.following(step).first == RecorderRule(step.after).first
            },
        ]
    }
}

extension TriggerRule {
    fileprivate var hasWindow: Bool {
        switch state {
        case .active, .silent: true
        case .quiet, .settling, .blind: false
        }
    }

    fileprivate var isBlind: Bool {
        switch state {
        case .settling, .blind: true
        case .quiet, .active, .silent: false
        }
    }
}

extension CameraStep {
    /// The intent is changed by its own events alone.
    fileprivate var intentByRule: Intent {
        var intent = aged.intent
        guard fits else { return intent }
        switch fact {
        case .drain: intent.draining = true
        case .enabled(let on): intent.enabled = on
        case .hard(let on): intent.privacy.hard = on
        case .soft(let on): intent.privacy.softRecording = on
        case .softLive(let on): intent.privacy.softLive = on
        case .viewers(let count): intent.viewers = count
        case .storage(let storage): intent.storage = storage
        case .policy(let name):
            intent.policy = view.policy(name)
            intent.policyUntil = name.until
        default: break
        }
        if after.stopped { intent.policyUntil = nil }
        return intent
    }
}
