public import Explorer
internal import Machines

extension CameraProperties {
    /// What may be assumed of a calm world, and by which mechanism of the daemon. Nothing is assumed about bad events.
    public static var fairness: [Fairness<CalmCamera.Action>] {
        [
            Fairness(
                .weak, "F-time: time passes",
                because: """
                    the shell steps each machine at its nextDeadline; the watchdog of the service manager restarts a process that stops \
                    doing so
                    """
            ) { $0.event == .fact(.tick) },
            Fairness(
                .weak, "F-answer: what is owed is answered",
                because: """
                    every blocking call has an interrupt with a deadline, so an answer comes; that it is a good one is what the benign \
                    worlds are
                    """
            ) { label in
                if case .fact(let fact) = label.event { fact != .tick } else { false }
            },
        ]
    }

    /// What must come sooner or later after any history of this view.
    public static func calm(_ view: CameraConfiguration) -> [Property<CalmCamera>] {
        var all = recording
        if view.dial != CameraConfiguration.never { all += redial + drain }
        switch view.kind {
        case .link: all += storage
        case .linkView: break
        case .trigger, .triggerView: all += storage + source + blind
        case .recorderView, .diskView, .timetableView: all += cuts + blind
        case .keyframeView: all += cuts
        case .recorder, .small: all += storage + cuts + blind
        case .product: all += storage + cuts + source + blind
        }
        return all
    }

    /// `from` leads to `to`, and it can come to `from`.
    private static func leads(
        _ name: String, _ from: @escaping @Sendable (CalmCamera.State) -> Bool,
        to: @escaping @Sendable (CalmCamera.State) -> Bool
    ) -> [Property<CalmCamera>] {
        [
            Property(name, .leadsTo(from, to, fairness: { _ in fairness })),
            Property(name + ": it comes to that", .sometimes { from($0) && !to($0) }),
        ]
    }

    private static var recording: [Property<CalmCamera>] {
        leads("R every obstacle taken away leads to recording", { $0.calm == .help && !$0.camera.intent.draining }) {
            $0.camera.isWriting
        }
            + leads(
                "L1 wanted, reachable and writable leads to recording",
                {
                    $0.calm != nil && $0.calm != .dead && $0.camera.wantsMedia
                        && $0.camera.intent.policy.mode == .continuous
                }
            ) { $0.camera.isWriting }
    }

    private static var storage: [Property<CalmCamera>] {
        leads(
            "L5 storage regained leads to recording",
            { $0.calm == .help && $0.camera.intent.storage == .lost && !$0.camera.intent.draining }
        ) { $0.camera.isWriting }
    }

    private static var cuts: [Property<CalmCamera>] {
        leads("L3 a cut that is due is made", { $0.calm != nil && $0.camera.recorder.word == "cutting" }) {
            $0.camera.recorder.word != "cutting"
        }
            + leads("L3 a clip does not go on for ever", { $0.isKind && $0.camera.isWriting }) { !$0.camera.isWriting }
            + [linkIsKept, Property("L3 a missing key frame keeps the link: it comes to that", .sometimes(isPatient))]
    }

    private static let isPatient: @Sendable (CalmCamera.State) -> Bool = {
        $0.calm == .nokey && $0.camera.recorder.word == "cutting"
            && ($0.camera.recorder.graces ?? 0) < ($0.camera.timing.moreGraces ?? 0)
    }

    /// A cut that no key frame comes for costs the connection only when it has waited as often as it may.
    private static let linkIsKept = Property<CalmCamera>(
        "L3 a missing key frame keeps the link",
        .steps { before, _, after in
            !isPatient(before) || after.camera.link.phase == .streaming
                || !before.camera.wantsLink(holding: before.camera.recorder.clip != nil)
                || !after.camera.wantsLink(holding: after.camera.recorder.clip != nil)
        })

    private static var redial: [Property<CalmCamera>] {
        leads(
            "L2 silence leads to the next dial",
            { $0.calm == .dead && $0.camera.wantsLink(holding: $0.camera.recorder.clip != nil) }
        ) { $0.camera.link.phase == .dialing || !$0.camera.wantsLink(holding: $0.camera.recorder.clip != nil) }
    }

    private static var drain: [Property<CalmCamera>] {
        leads("L4 a drain stops, whatever camera and disk do", { $0.calm == .dead && $0.camera.intent.draining }) {
            $0.camera.stopped
        }
    }

    private static var source: [Property<CalmCamera>] {
        leads("L6 a source that is not refreshed expires", { $0.calm == .dead }) { $0.camera.trigger.sources.isEmpty }
    }

    private static var blind: [Property<CalmCamera>] {
        leads("L7 blind time ends", { $0.calm == .dead }) {
            !["settling", "blind"].contains($0.camera.trigger.word) || !$0.camera.trigger.sources.isEmpty
        }
    }
}

extension CalmCamera.State {
    /// Everything is answered well.
    fileprivate var isKind: Bool { calm == .benign || calm == .nokey }
}
