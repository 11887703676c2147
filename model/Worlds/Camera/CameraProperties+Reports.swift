internal import Explorer
internal import Machines

extension CameraProperties {
    /// The duties of orders, and their order (S7, S10).
    static func orders(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        [
            every(view, "S7 media is kept before a clip is opened, and purged after it is closed") { step in
                var keeps = step.before.keepsMedia, holds = step.before.recorder.clip != nil
                for effect in step.effects {
                    switch effect {
                    case .keepMedia(let keep):
                        if keep == keeps || !keep && holds { return false }
                        keeps = keep
                    case .openClip:
                        if !keeps { return false }
                        holds = true
                    case .report(.clipEnded): holds = false
                    default: break
                    }
                }
                return keeps == step.after.keepsMedia
            },
            every(view, "S10 a hang-up comes before the next dial, and a dial only when none is open") { step in
                var open = step.before.link.current != nil
                for effect in step.effects {
                    switch effect {
                    case .hangUp:
                        if !open { return false }
                        open = false
                    case .report(.link(_, to: .waiting, failure: _?, _)): open = false
                    case .dial:
                        if open { return false }
                        open = true
                    default: break
                    }
                }
                return open == (step.after.link.current != nil)
            },
            every(view, "S10 orders name what is open, and new numbers are new") { $0.numbersAreTrue },
            every(view, "S10 an event is entered before anything names it, and its end once") { $0.entriesAreInOrder },
            every(view, "S8 stopped is told once, and last") { step in
                let stops = step.after.stopped && !step.before.stopped
                return step.effects.count { $0 == .stopped } == (stops ? 1 : 0)
                    && (!stops || step.effects.last == .stopped)
            },
            every(view, "L2 the machine asks to be woken before anything is due") { step in
                guard step.fact == .tick, !step.effects.isEmpty else { return true }
                return step.before.nextDeadline.map { $0.ms <= CameraConfiguration.ms(1) } ?? false
            },
        ]
    }

    /// Every report is one transition, and every transition is reported (S11).
    static func reports(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        [
            every(view, "S11 link reports are the way of the link") { step in
                var at = step.before.link.phase
                for effect in step.effects {
                    guard case .report(.link(let from, let to, let failure, let wait)) = effect else { continue }
                    if from != at || to == from || (failure != nil) != (to == .waiting) { return false }
                    if (wait != nil) != (to == .waiting) { return false }
                    at = to
                }
                return at == step.after.link.phase
            },
            every(view, "S11 event reports are the way of the event") { step in
                var active = step.before.isActive
                for effect in step.effects {
                    switch effect {
                    case .report(.eventBegan):
                        if active { return false }
                        active = true
                    case .report(.eventProlonged): if !active { return false }
                    case .report(.eventEnded):
                        if !active { return false }
                        active = false
                    default: break
                    }
                }
                return active == step.after.isActive
            },
            every(view, "S11 clip orders and reports are the way of the clip") { $0.clipWay == $0.after.recorder.word },
            every(view, "S11 labels are the way of the coverage") { step in
                var label = step.before.label
                for effect in step.effects {
                    guard case .report(.coverage(let from, let to)) = effect else { continue }
                    if from != label ?? .recorderDown || to == label { return false }
                    label = to
                }
                return label == step.after.label && label != nil
            },
            every(view, "S11 what is entered is told, and what is told is entered") { $0.entriesAreTold },
            every(view, restating: "S11 each detection is noted once, and nothing else is") {
                $0.notes == $0.notesByRule
            },
            every(view, "S13 the label that holds is entered when it changes") { step in
                var label = step.before.label
                for case .label(let to) in step.effects {
                    if to == label { return false }
                    label = to
                }
                return label == step.after.label
            },
            every(view, restating: "S11 changes of the intent are told") { step in
                step.told(\.isOfIntent) == (step.fits ? step.intentTold : [])
            },
            every(
                view,
                "S11 each change of toggle, privacy, storage and mode is told as what it came to, and else nothing is"
            ) {
                $0.changesAreTold
            },
            every(view, restating: "S11 what the trigger does is told") { step in
                step.told(\.isOfTrigger) == TriggerRule.following(step).told
            },
            every(view, restating: "S11 what the link does is told and ordered") { step in
                let told = step.told(\.isOfLink)
                return LinkRule.following(step).contains { $0.told == told }
            },
            every(view, restating: "S11 what the recorder does is told and ordered") { step in
                step.told(\.isOfRecorder) == RecorderRule.following(step).told
            },
            every(view, "S11 a moment has one label") { step in
                let labels = step.effects.filter { if case .report(.coverage) = $0 { true } else { false } }
                return step.isFirst || step.fact == .tick || labels.count <= 1
            },
        ]
    }
}

extension CameraStep {
    /// Where the orders and reports lead a clip; nil where no clip could go.
    fileprivate var clipWay: String? {
        var at = before.recorder.word
        for effect in effects {
            switch (effect, at) {
            case (.openClip, "idle"): at = "opening"
            case (.report(.clipOpened), "opening"): at = "writing"
            case (.closeClip(_, .keyframe, _), "writing"): at = "cutting"
            case (.report(.clipEnded), "opening"), (.report(.clipEnded), "writing"), (.report(.clipEnded), "cutting"):
                at = "idle"
            case (.closeClip(_, .now, _), "opening"), (.closeClip(_, .now, _), "writing"),
                (.closeClip(_, .now, _), "cutting"):
                break
            case (.report(.clipFailed), "opening") where fact == .openFailed(.cur): at = "idle"
            case (.report(.link(_, to: .synchronizing, _, _)), "opening") where fact == .keyframeMissing(.cur):
                at = "idle"
            case (.openClip, _), (.report(.clipOpened), _), (.closeClip, _), (.report(.clipEnded), _): return nil
            default: break
            }
        }
        return at
    }

    /// Orders and answers carry the numbers of what they speak of.
    fileprivate var numbersAreTrue: Bool {
        var dial = before.link.current, dials = before.link.dials
        var clip = before.recorder.clip?.number, clips = before.recorder.clips
        var event = before.trigger.active?.number, events = before.trigger.events
        for effect in effects {
            switch effect {
            case .dial(let number, _):
                dials += 1
                if number.rawValue != dials { return false }
                dial = number
            case .hangUp(let number): if number != dial { return false }
            case .report(.noKeyFrame(let number)): if number != dial { return false }
            case .report(.hangUpOverdue(let number)): if number != before.link.hangingUp?.number { return false }
            case .openClip(let order):
                clips += 1
                if order.number.rawValue != clips || order.event != nil && order.event != event { return false }
                clip = order.number
            case .closeClip(let number, _, _), .report(.clipEnded(let number, _)),
                .report(.clipOpened(let number, _, _)):
                if number != clip { return false }
            case .report(.clipOverdue(let number)):
                if !before.recorder.closing.contains(where: { $0.number == number }) { return false }
            case .report(.clipClosed(let number, _)):
                guard case .closed(let named, _) = fact, number == before.clip(named) else { return false }
            case .report(.suppressed(let level, _)):
                let seen: Sensitivity? = if case .detected(let level, _) = fact { level } else { nil }
                if level != seen { return false }
            case .beginEvent(let number, _, _):
                events += 1
                if number.rawValue != events { return false }
                event = number
            case .report(.eventBegan(let number, _, _, let until)): if number != event || until.ms <= 0 { return false }
            case .noteDetection(let number, _): if number != event { return false }
            case .endEvent(let number, _): if number != event { return false }
            case .report(.eventProlonged(let number, let until)):
                if number != event || isActiveInTheEnd && until != after.trigger.active?.window.ends { return false }
            case .report(.eventEnded(let number, _)):
                if number != event { return false }
                event = nil
            default: break
            }
        }
        return true
    }

    /// The last word about the event is that it goes on.
    private var isActiveInTheEnd: Bool { fact != .tick && after.isActive }

    /// What is told of the intent is what changed in it, from what it was to what it is.
    fileprivate var changesAreTold: Bool {
        let (from, to) = (before.intent, after.intent)
        var told: [Camera.Report] = []
        for case .report(let report) in effects {
            switch report {
            case .enabled, .privacy, .mode, .storage: told.append(report)
            default: break
            }
        }
        var changed: [Camera.Report] = []
        if from.enabled != to.enabled { changed.append(.enabled(to.enabled)) }
        if from.privacy != to.privacy { changed.append(.privacy(to.privacy)) }
        if from.policy.mode != to.policy.mode { changed.append(.mode(from: from.policy.mode, to: to.policy.mode)) }
        if from.storage != to.storage { changed.append(.storage(from: from.storage, to: to.storage)) }
        return told == changed
    }

    /// What the change of the intent must tell.
    fileprivate var intentTold: [String] {
        switch fact {
        case .enabled(let on): ["report(enabled,\(on.digit))"]
        case .hard(let on): ["report(privacy,\(on.digit),\(before.intent.privacy.softRecording.digit))"]
        case .soft(let on): ["report(privacy,\(before.intent.privacy.hard.digit),\(on.digit))"]
        case .softLive:
            [
                "report(privacy,\(before.intent.privacy.hard.digit),\(before.intent.privacy.softRecording.digit))"
            ]
        case .storage(let storage): ["report(storage,\(before.intent.storage.rawValue),\(storage.rawValue))"]
        case .policy(let name):
            before.intent.policy.mode == name.policy.mode
                ? [] : ["report(mode,\(before.intent.policy.mode.rawValue),\(name.policy.mode.rawValue))"]
        default: []
        }
    }
}

extension Camera.Effect {
    fileprivate var isOfIntent: Bool {
        switch self {
        case .report(.enabled), .report(.privacy), .report(.mode), .report(.storage): true
        default: false
        }
    }

    fileprivate var isOfTrigger: Bool {
        switch self {
        case .beginEvent, .endEvent, .noteDetection, .noteSuppressed, .report(.eventBegan), .report(.eventProlonged),
            .report(.eventEnded), .report(.suppressed), .report(.refused), .report(.sourceExpired):
            true
        default: false
        }
    }

    fileprivate var isOfLink: Bool {
        switch self {
        case .dial, .hangUp, .report(.link), .report(.noKeyFrame), .report(.hangUpOverdue): true
        default: false
        }
    }

    fileprivate var isOfRecorder: Bool {
        switch self {
        case .openClip, .closeClip, .report(.clipOpened), .report(.clipFailed), .report(.clipEnded),
            .report(.clipClosed), .report(.clipOverdue):
            true
        default: false
        }
    }
}
