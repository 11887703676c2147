internal import Machines

/// One step of the camera, as the rules look at it.
///
/// The rules are written a third time here, from the prose, part by part: what each part does follows from the source, the fact, and
/// what the other parts came to. So a missing order, an ignored fact or another target breaks the rule that demands it.
struct CameraStep {
    let view: CameraConfiguration
    let before: Camera
    let fact: CameraFact
    let effects: [Camera.Effect]
    let after: Camera
    /// The source, older by the time that passed; nothing that came due is applied yet.
    let aged: Camera

    init(_ view: CameraConfiguration, _ before: Camera, _ label: CameraWorld.Action, _ after: Camera) {
        self.view = view
        self.before = before
        fact = label.event
        effects = label.effects
        self.after = after
        aged = fact == .tick && !before.stopped ? before.canonical(at: Instant(ms: CameraConfiguration.ms(1))) : before
    }

    /// Why the fact must be ignored; nil if it fits.
    var refusal: Camera.Ignored? {
        if before.stopped { return fact == .tick ? nil : .stopped }
        let intent = before.intent
        switch fact {
        case .tick, .connect, .command, .detected, .asserted: return nil
        case .drain: return intent.draining ? .duplicate : nil
        case .enabled(let on): return intent.enabled == on ? .duplicate : nil
        case .hard(let on): return intent.privacy.hard == on ? .duplicate : nil
        case .soft(let on): return intent.privacy.softRecording == on ? .duplicate : nil
        case .softLive(let on): return intent.privacy.softLive == on ? .duplicate : nil
        case .viewers(let count): return intent.viewers == count ? .duplicate : nil
        case .storage(let storage): return intent.storage == storage ? .duplicate : nil
        case .policy(let name):
            return intent.policy == view.policy(name) && intent.policyUntil == name.until ? .duplicate : nil
        case .cleared: return before.trigger.sources.isEmpty ? .duplicate : nil
        case .dialed(let number): return dial(number, before.link.phase == .dialing ? nil : .duplicate, hung: .late)
        case .dialFailed(let number, _):
            return dial(number, before.link.phase == .dialing ? nil : .duplicate, hung: nil)
        case .lost(let number): return dial(number, nil, hung: nil)
        case .hungUp(let number): return dial(number, .early, hung: nil)
        case .packets(let number, _), .keyframe(let number):
            return dial(number, before.link.phase == .dialing ? .early : nil, hung: .late)
        case .opened(let number, _): return clip(number, before.recorder.word == "opening" ? nil : .duplicate, .late)
        case .openFailed(let number), .keyframeMissing(let number):
            return clip(
                number, before.recorder.word == "opening" ? nil : .duplicate,
                closing(number)?.opened == false ? nil : .duplicate)
        case .cut(let number): return clip(number, before.recorder.word == "cutting" ? nil : .early, .late)
        case .writeFailed(let number), .streamChanged(let number):
            return clip(number, before.recorder.word == "opening" ? .early : nil, .late)
        case .closed(let number, _): return clip(number, .early, nil)
        }
    }

    private func dial(_ number: CameraFact.Number, _ current: Camera.Ignored?, hung: Camera.Ignored?)
        -> Camera.Ignored?
    {
        switch number {
        case .cur: current
        case .hung: hung
        case .late, .c1, .c2: .late
        case .unknown: .unknown
        }
    }

    private func clip(_ number: CameraFact.Number, _ current: Camera.Ignored?, _ closing: Camera.Ignored?)
        -> Camera.Ignored?
    {
        switch number {
        case .cur: current
        case .c1, .c2: closing
        case .late, .hung: .late
        case .unknown: .unknown
        }
    }

    /// The clip being closed that this class names.
    private func closing(_ number: CameraFact.Number) -> Recorder.Closing? {
        guard let index = number.closing, index < before.recorder.closing.count else { return nil }
        return before.recorder.closing[index]
    }

    /// The first step also settles what was there before it.
    var isFirst: Bool { before.label == nil }

    /// The fact is taken.
    var fits: Bool { refusal == nil && !before.stopped }

    /// No key frame is there for the clip that is being opened.
    var lacksKeyFrame: Bool { fact == .keyframeMissing(.cur) && before.recorder.word == "opening" && !before.stopped }

    /// The effects of one part, as texts, in their order.
    func told(_ belongs: (Camera.Effect) -> Bool) -> [String] { effects.filter(belongs).map(\.text) }
}

extension CameraFact.Number {
    /// Which of the clips being closed it is.
    var closing: Int? { self == .c1 ? 0 : self == .c2 ? 1 : nil }
}

extension CameraPolicy {
    /// When the schedule changes it, if it comes into force now.
    var until: Instant? { next.map { Instant(ms: CameraConfiguration.ms($0)) } }
}

extension Optional where Wrapped == Instant {
    /// It has come.
    var isDue: Bool { map { $0.ms <= 0 } ?? false }
}

extension Trigger.Window {
    /// When it ends as things stand.
    var ends: Instant { min(end, limit) }
}

// docs/design/rules.md "Intent", word by word.
extension Intent {
    var isBlocked: Bool { privacy.hard || privacy.softRecording }
    var allowsEvents: Bool { enabled && policy.mode != .off && !isBlocked && !draining }
    var wantsRecording: Bool { allowsEvents && storage != .lost }

    /// Why no detection counts, not even silently.
    var forbids: Camera.Suppression? { draining ? .draining : isBlocked ? .privacy : policy.mode == .off ? .off : nil }
}

extension Camera {
    var isActive: Bool { trigger.active != nil }
    var wantsMedia: Bool { intent.wantsRecording && (intent.policy.mode == .continuous || isActive) }

    /// A clip that is open keeps the link.
    func wantsLink(holding: Bool) -> Bool {
        let needed = intent.policy.connection == .always || wantsMedia || holding
        return !intent.draining && !intent.privacy.hard && (intent.viewers > 0 || intent.wantsRecording && needed)
    }

    /// The label of the present moment: the first that applies.
    var labelByRule: Coverage {
        let holds = recorder.word
        if holds == "writing" || holds == "cutting" { return .recorded }
        if intent.draining { return .recorderDown }
        if !intent.enabled { return .disabled }
        if intent.isBlocked { return .privacy }
        if intent.policy.mode == .off { return intent.policy.offBySchedule ? .offBySchedule : .offByPolicy }
        if intent.storage == .lost { return .storage }
        if wantsLink(holding: holds != "idle"), link.phase != .streaming { return .linkLost }
        if wantsMedia { return holds == "opening" ? .recorded : .storage }
        return trigger.word == "settling" || trigger.word == "blind" ? .blind : .idle
    }
}
