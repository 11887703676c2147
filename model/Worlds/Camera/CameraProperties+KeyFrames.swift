internal import Machines

/// What the rules say of a clip that no key frame is there for ("Recorder"), told without the machine's tables.
extension CameraProperties {
    static func lackingKeyFrames(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        [
            every(view, "S16 a clip that no key frame is there for has not failed, nor has its link") { step in
                guard step.lacksKeyFrame else { return true }
                let isToldAsFailed = step.effects.contains { effect in
                    switch effect {
                    case .report(.clipFailed), .report(.link(_, _, failure: _?, _)): true
                    default: false
                    }
                }
                return !isToldAsFailed && step.after.recorder.retryAt == nil
                    && step.after.recorder.failures == step.before.recorder.failures
                    && step.after.link.failures == step.before.link.failures
            },
            every(view, "L1 a link that lacks the key frame of a clip is kept, and counts as synchronizing") { step in
                guard step.lacksKeyFrame, step.after.wantsLink(holding: false) else { return true }
                let told = step.effects.filter { if case .report(.link) = $0 { true } else { false } }
                return step.after.link.phase == .synchronizing && step.after.link.current != nil
                    && told == [.report(.link(from: .streaming, to: .synchronizing, failure: nil, retryMs: nil))]
            },
            every(view, "L2 that link has the bounds that it has after its dial, and that of silence as it was") {
                step in
                guard step.lacksKeyFrame, step.after.wantsLink(holding: false) else { return true }
                let link = step.after.link
                return link.patience == Instant(ms: step.before.timing.keyframeMs) && !link.warned
                    && link.deadline == step.before.link.deadline
            },
            every(view, "S2 a clip is ordered only where key frames come, or with the first of them") { step in
                if !step.ordersClip { return true }
                let isStreaming = step.before.link.phase == .streaming && !step.lacksKeyFrame
                return isStreaming || step.fact == .keyframe(.cur)
            },
            every(view, "L1 with the key frame that makes a link stream the clip is ordered that is wanted") { step in
                guard step.fact == .keyframe(.cur), step.before.link.phase == .synchronizing, step.after.wantsMedia,
                    step.before.recorder.retryAt == nil, step.before.recorder.closing.count < 2
                else { return true }
                return step.ordersClip && step.after.recorder.word == "opening"
            },
            every(view, "S13 where no key frame is there for a clip that is wanted the label is that of a lost link") {
                step in
                !step.lacksKeyFrame || !step.after.wantsMedia || step.after.label == .linkLost
            },
            Property(
                "S13 while a key frame is waited for nothing is labelled recorded, nor storage unless it is lost",
                .always { camera in
                    camera.link.phase != .synchronizing
                        || camera.label != .recorded && (camera.label != .storage || camera.intent.storage == .lost)
                }),
        ]
    }
}

extension CameraStep {
    fileprivate var ordersClip: Bool { effects.contains { if case .openClip = $0 { true } else { false } } }
}
