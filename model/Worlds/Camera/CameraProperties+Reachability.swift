internal import Explorer
internal import Machines

/// That there are cases: every antecedent of a promise, and every end of a story, can be reached.
extension CameraProperties {
    /// The witnesses of a view.
    public static func witnesses(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        switch view.kind {
        case .link: link(view)
        case .trigger: trigger(view)
        case .recorder: recorder(view) + (view.policies == [.cont] ? [] : events(view))
        case .small: recorder(view)
        case .timetableView: timetable(view)
        case .keyframeView: keyless(view)
        case .product, .linkView, .triggerView, .recorderView, .diskView: []
        }
    }

    /// The ways on which a view can get from everywhere to recording.
    public static func ways(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        guard [.recorder, .recorderView, .keyframeView, .small].contains(view.kind) else { return [] }
        return [
            Property(
                "R from every state but those of a drain there is a way to recording",
                .reachable({ $0.isWriting }, except: { $0.intent.draining }))
        ]
    }

    private static func happens(
        _ view: CameraConfiguration, _ name: String, _ holds: @escaping @Sendable (CameraStep) -> Bool
    ) -> Property<CameraWorld> {
        Property("it happens: " + name, .sometimesStep { holds(CameraStep(view, $0, $1, $2)) })
    }

    /// What the rest of the intent leaves as it was, and that it comes to be.
    private static func timetable(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        [
            every(view, "S6 storage that is low records on like storage that has room") { step in
                guard !step.isFirst, step.before.intent.storage != .lost, case .storage(let storage) = step.fact,
                    storage != .lost
                else { return true }
                return step.after.isAsBefore(step.before) && step.orders.isEmpty
            },
            every(view, "S7 the switch for live pictures leaves what is recorded as it was") { step in
                guard !step.isFirst, !step.before.stopped, case .softLive(let on) = step.fact,
                    on != step.before.intent.privacy.softLive
                else { return true }
                return step.after.isAsBefore(step.before)
                    && step.effects == [.report(.privacy(step.after.intent.privacy))]
                    && step.after.intent.privacy.softLive == on
            },
            every(view, "S13 what the schedule has switched off is told apart from what the policy has") { step in
                !step.after.intent.policy.offBySchedule || step.after.label != .offByPolicy
            },
            happens(view, "the schedule switches recording off") { $0.tells("label(offBySchedule)") },
            happens(view, "the schedule ends a clip") { $0.tells("closeClip(now,policy)") },
            happens(view, "storage becomes low while a clip is written") {
                $0.fact == .storage(.low) && $0.before.intent.storage == .ok && $0.before.isWriting
            },
            happens(view, "no live pictures while a clip is written") {
                $0.fact == .softLive(true) && !$0.before.intent.privacy.softLive && $0.before.isWriting
            },
            happens(view, "a cut waits a third time") { $0.after.recorder.graces == 2 },
        ]
    }

    /// No key frame for a clip, and what is remembered then.
    private static func keyless(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        [
            happens(view, "a clip is ordered and no key frame is there for it") { $0.lacksKeyFrame },
            happens(view, "no key frame is there for a clip while failures of the link are remembered") {
                $0.lacksKeyFrame && $0.before.link.failures > 1
            },
            happens(view, "no key frame is there for a clip while failures of the recorder are remembered") {
                $0.lacksKeyFrame && $0.before.recorder.failures > 1
            },
            happens(view, "no key frame is there for a clip while the one before it is being closed") {
                $0.lacksKeyFrame && !$0.after.recorder.closing.isEmpty
            },
        ]
    }

    private static func link(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        [
            happens(view, "streaming") { $0.after.link.phase == .streaming },
            happens(view, "the other endpoint") { $0.tells("dial(internet)") },
            happens(view, "a hang-up is overdue") { $0.tells("report(hangUpOverdue)") },
            happens(view, "a missing key frame is reported") { $0.tells("report(noKeyFrameYet)") },
            happens(view, "a missing key frame ends a link") { $0.failed(.noKeyFrame) },
            happens(view, "silence ends a link") { $0.failed(.silence) },
            happens(view, "a dial is overdue") { $0.failed(.timeout) },
            happens(view, "a dial waits for a hang-up") {
                $0.fact == .hungUp(.hung) && $0.after.link.phase == .dialing
            },
            happens(view, "failures alternate at the cap") {
                $0.before.link.failures == $0.before.timing.failureCap && $0.after.link.failures != 0
                    && $0.after.link.failures < $0.before.link.failures
            },
            happens(view, "a login is refused") { $0.failed(.unauthorized) },
            happens(view, "new settings while streaming") {
                $0.fact == .connect && $0.before.link.phase == .streaming
            },
            happens(view, "too early") { $0.tells("ignored(early)") },
            happens(view, "stopped") { $0.tells("stopped") },
        ]
    }

    private static func trigger(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        [
            happens(view, "the limit ends an event") { $0.tells("report(eventEnded,limit)") },
            happens(view, "quiet ends an event") { $0.tells("report(eventEnded,quiet)") },
            happens(view, "privacy ends an event") { $0.tells("report(eventEnded,privacy)") },
            happens(view, "the policy ends an event") { $0.tells("report(eventEnded,policy)") },
            happens(view, "the toggle ends an event") { $0.tells("report(eventEnded,disabled)") },
            happens(view, "prolonged") { $0.tells("report(eventProlonged)") },
            happens(view, "prolonged again") {
                $0.before.trigger.active?.window.previousEnd != nil && $0.tells("report(eventProlonged)")
                    && $0.fact == .detected(.low, inZone: true)
            },
            happens(view, "a silent window becomes an event") {
                $0.before.trigger.word == "silent" && $0.fact == .enabled(true) && $0.after.isActive
            },
            happens(view, "a mode that is off forgets a silent window") {
                $0.before.trigger.word == "silent" && $0.fact == .policy(.off)
            },
            happens(view, "a detection is noted for the event that it begins") {
                $0.tells("beginEvent") && $0.tells("noteDetection")
            },
            happens(view, "a detection is noted for an event that runs") {
                $0.before.isActive && $0.tells("noteDetection")
            },
            happens(view, "a detection is noted under the event after which it is blind") {
                $0.before.trigger.word == "blind" && $0.tells("noteSuppressed(blind)")
            },
            happens(view, "a detection is noted under no event") { $0.tells("noteSuppressed(disabled)") },
            happens(view, "blind time suppresses") { $0.tells("report(suppressed,blind)") },
            happens(view, "sensitivity suppresses") { $0.tells("report(suppressed,sensitivity)") },
            happens(view, "a zone suppresses") { $0.tells("report(suppressed,zone)") },
            happens(view, "privacy suppresses") { $0.tells("report(suppressed,privacy)") },
            happens(view, "a source is suppressed") { $0.fact == .asserted && $0.tells("report(suppressed,off)") },
            happens(view, "a source is suppressed in blind time") {
                $0.fact == .asserted && $0.before.trigger.word == "blind" && $0.tells("report(suppressed,blind)")
            },
            happens(view, "a source that counted is suppressed") {
                $0.fact == .tick && $0.before.isActive && $0.tells("report(suppressed,blind)")
            },
            happens(view, "a command in blind time") {
                $0.before.trigger.word == "blind" && $0.fact == .command && $0.after.isActive
            },
            happens(view, "a command lifts") { $0.fact == .command && $0.tells("report(eventProlonged)") },
            happens(view, "a command begins an event that is chained to the one it came in") {
                $0.fact == .tick && $0.before.trigger.active?.window.chained != nil && $0.after.isActive
                    && $0.tells("report(eventEnded,limit)")
            },
            happens(view, "no blind time after a command") {
                $0.fact == .tick && $0.before.trigger.active?.window.commanded == true
                    && $0.after.trigger.state == .quiet
            },
            happens(view, "a source chains events") {
                $0.fact == .tick && $0.tells("report(eventEnded,limit)") && $0.tells("report(eventBegan)")
            },
            happens(view, "a source expires") { $0.tells("report(sourceExpired)") },
        ]
    }

    /// What can happen to any clip.
    private static func recorder(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        let modes = Set(view.policies.map(\.policy.mode))
        return clips(view) + (modes.contains(.event) ? forcedCuts(view) : [])
            + (modes.contains(.continuous) ? lateCuts(view) : [])
    }

    /// What can happen to a cut while nobody wants what comes.
    private static func forcedCuts(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        [
            happens(view, "a cut is forced") {
                guard case .cutting(let clip, let why, _) = $0.before.recorder.state else { return false }
                return $0.fact == .tick && $0.effects.contains(.closeClip(clip.number, .now, why))
            }
        ]
    }

    /// What can happen to a cut while media is wanted.
    private static func lateCuts(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        [
            happens(view, "a cut waits again") { $0.after.recorder.graces != nil },
            happens(view, "a cut has waited as often as it may") {
                $0.before.recorder.graces != nil && $0.fact == .tick && $0.tells("closeClip(now,linkLost)")
                    && $0.failed(.noKeyFrame)
            },
        ]
    }

    private static func clips(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        [
            happens(view, "writing") { $0.after.isWriting },
            happens(view, "a clip is ordered and no key frame is there for it") { $0.lacksKeyFrame },
            happens(view, "a cut is due") { $0.after.recorder.word == "cutting" },
            happens(view, "two clips are being closed") { $0.after.recorder.closing.count == 2 },
            happens(view, "a lost link ends a clip") { $0.tells("closeClip(now,linkLost)") },
            happens(view, "the toggle ends a clip") { $0.tells("closeClip(now,disabled)") },
            happens(view, "lost storage ends a clip") {
                $0.fact == .storage(.lost) && $0.tells("closeClip(now,storage)")
            },
            happens(view, "regained storage dials") { $0.fact == .storage(.ok) && $0.after.link.phase == .dialing },
            happens(view, "a closing is overdue") { $0.tells("report(closeOverdue)") },
            happens(view, "a drain ends a clip") { $0.before.isWriting && $0.fact == .drain },
            happens(view, "an opening is overdue") {
                $0.before.recorder.word == "opening" && $0.fact == .tick && $0.tells("closeClip(now,storage)")
            },
            happens(view, "stopped") { $0.tells("stopped") },
        ]
    }

    /// What can happen to the clips of events, and to all answers.
    private static func events(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        [
            happens(view, "blind time waits for a clip") { $0.after.trigger.word == "settling" },
            happens(view, "and begins when it is closed") {
                $0.before.trigger.word == "settling" && $0.fact == .closed(.c1, complete: true)
                    && $0.after.trigger.word == "blind"
            },
            happens(view, "a second clip of an event") { $0.tells("openClip(event,-)") },
            happens(view, "an event is entered in the step that opens its clip") {
                $0.tells("beginEvent") && $0.tells("openClip(event,preroll)")
            },
            happens(view, "pre-roll is asked for again after an opening failed") {
                $0.before.recorder.failures > 0 && $0.tells("openClip(event,preroll)")
            },
            happens(view, "an opening that was given up fails") { $0.fact == .openFailed(.c1) && $0.fits },
            happens(view, "no key frame is there for an opening that was given up") {
                $0.fact == .keyframeMissing(.c1) && $0.fits
            },
            happens(view, "no key frame is there for a clip whose event is over, so the blind time begins") {
                $0.lacksKeyFrame && $0.before.trigger.word == "settling" && $0.after.trigger.word == "blind"
            },
        ]
    }
}

extension CameraStep {
    fileprivate func tells(_ text: String) -> Bool { effects.contains { $0.text == text } }

    fileprivate func failed(_ why: LinkFailure) -> Bool {
        effects.contains { if case .report(.link(_, _, why, _)) = $0 { true } else { false } }
    }
}

extension Camera {
    /// Link, trigger, recorder and label are what they were in another state.
    fileprivate func isAsBefore(_ before: Camera) -> Bool {
        link == before.link && trigger == before.trigger && recorder == before.recorder && label == before.label
            && keepsMedia == before.keepsMedia
    }
}

extension CameraStep {
    /// What the shell has to do, beside what it only tells.
    fileprivate var orders: [Camera.Effect] {
        effects.filter {
            switch $0 {
            case .report, .ignored: false
            default: true
            }
        }
    }
}
