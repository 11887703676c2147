internal import Machines

/// What the rules say of any fact, told without the machine's tables: what does not fit is ignored by its number, what fits is not
/// swallowed, what is owed is told once, and a tick before every deadline is nothing but time.
extension CameraProperties {
    static func facts(_ view: CameraConfiguration) -> [Property<CameraWorld>] {
        [
            every(view, "S9 a late, unknown or repeated fact is ignored as what it is") { step in
                guard !step.isFirst, let why = step.plainRefusal else { return true }
                return step.effects == [.ignored(why)] && step.after == step.before
            },
            every(view, "S6 the intent changes by what is said of it, and by nothing else") { step in
                step.fieldsThatChange.isSubset(of: step.fieldsItSpeaksOf)
            },
            every(view, "T8 a detection in none of the policy's zones is not noted for an event") { step in
                guard case .detected(_, inZone: false) = step.fact else { return true }
                return step.effects.allSatisfy { if case .noteDetection = $0 { false } else { true } }
            },
            every(view, "S9 what is ignored changes nothing") { step in
                !step.effects.contains { if case .ignored = $0 { true } else { false } }
                    || step.isFirst || step.after == step.before && step.effects.count == 1
            },
            every(view, "S9 a tick before every deadline is nothing but time") { step in
                guard step.fact == .tick, !step.isFirst, !step.before.stopped else { return true }
                let isDue = step.before.nextDeadline.map { $0.ms <= CameraConfiguration.ms(1) } ?? false
                return isDue || step.effects.isEmpty && step.after == step.aged
            },
            every(view, "S9 a deadline that has come changes something") { step in
                guard step.fact == .tick, !step.isFirst, let deadline = step.before.nextDeadline else { return true }
                return deadline.ms > CameraConfiguration.ms(1) || step.after != step.before
            },
            every(view, "S9 what is said of what is open, or owed, is not ignored") { step in
                step.before.stopped || !step.fitsWhatIsOpen
                    || !step.effects.contains { if case .ignored = $0 { true } else { false } }
            },
            every(view, "S9 only a clip that was never open fails to open") { step in
                switch step.fact {
                case .openFailed(let number), .keyframeMissing(let number):
                    guard let index = number.closing, index < step.before.recorder.closing.count,
                        step.before.recorder.closing[index].opened
                    else { return true }
                    return step.after == step.before
                default: return true
                }
            },
            every(view, "S9 what is said again of the intent, or of a source that is off, is ignored") { step in
                step.isFirst || !step.isOfIntent || step.after != step.before || !step.effects.isEmpty
            },
            every(view, "S11 a detection is noted, once, for an event or as suppressed") { step in
                guard case .detected = step.fact, !step.before.stopped else { return true }
                return step.notes.count == 1
            },
            every(view, "S11 what comes and is not ignored is told or followed") { $0.isFollowed },
            every(view, "S11 each clip that is closed, or is waited for no longer, is told once") { step in
                func count(_ kind: (Camera.Report) -> Bool) -> Int {
                    step.effects.count { if case .report(let report) = $0 { kind(report) } else { false } }
                }
                let ended = count { if case .clipEnded = $0 { true } else { false } }
                let closed = count { if case .clipClosed = $0 { true } else { false } }
                let overdue = count { if case .clipOverdue = $0 { true } else { false } }
                let failed = step.fact.isOfGivenUp ? count { if case .clipFailed = $0 { true } else { false } } : 0
                return step.after.recorder.closing.count
                    == step.before.recorder.closing.count + ended - closed - overdue - failed
            },
            every(view, "S11 each hang-up that is owed is answered or told as overdue, once") { step in
                let ordered = step.effects.count { if case .hangUp = $0 { true } else { false } }
                let overdue = step.effects.count { if case .report(.hangUpOverdue) = $0 { true } else { false } }
                let owed = step.before.link.hangingUp == nil ? 0 : 1
                return (step.after.link.hangingUp == nil ? 0 : 1)
                    == owed + ordered - overdue - (step.answersHangUp ? 1 : 0)
            },
            every(view, "S6 a clip that does not end by itself is ordered closed, for the reason that is told") {
                step in
                step.effects.enumerated().allSatisfy { place, effect in
                    guard case .report(.clipEnded(let number, let why)) = effect, !step.endsClip else { return true }
                    return step.effects[..<place].contains(.closeClip(number, .now, why))
                }
            },
            every(view, "S10 a connection that does not end by itself is hung up") { step in
                guard let number = step.before.link.current, !step.endsLink else { return true }
                let isKept = step.after.link.current != nil && !step.effects.contains { $0.isDial }
                return isKept || step.effects.contains(.hangUp(number))
            },
            every(view, "S16 a clip that failed is waited for, and a link that failed too") { step in
                step.effects.allSatisfy { effect in
                    switch effect {
                    case .report(.clipFailed(_, let wait)):
                        step.fact.isOfGivenUp || (wait ?? 0) > 0 && step.after.recorder.clip == nil
                    case .report(.link(_, to: .waiting, _, let wait)):
                        (wait ?? 0) > 0 && step.after.link.current == nil
                    default: true
                    }
                }
            },
        ]
    }
}

extension CameraStep {
    /// Why a fact does not fit, as far as its number and what was said before tell.
    fileprivate var plainRefusal: Camera.Ignored? {
        if before.stopped { return fact == .tick ? nil : .stopped }
        switch fact {
        case .drain: return before.intent.draining ? .duplicate : nil
        case .enabled(let on): return before.intent.enabled == on ? .duplicate : nil
        case .hard(let on): return before.intent.privacy.hard == on ? .duplicate : nil
        case .soft(let on): return before.intent.privacy.softRecording == on ? .duplicate : nil
        case .softLive(let on): return before.intent.privacy.softLive == on ? .duplicate : nil
        case .viewers(let count): return before.intent.viewers == count ? .duplicate : nil
        case .storage(let storage): return before.intent.storage == storage ? .duplicate : nil
        case .dialed(let number), .dialFailed(let number, _), .lost(let number), .hungUp(let number),
            .packets(let number, _), .keyframe(let number), .opened(let number, _), .openFailed(let number),
            .keyframeMissing(let number), .cut(let number), .writeFailed(let number), .streamChanged(let number),
            .closed(let number, _):
            return number == .late ? .late : number == .unknown ? .unknown : nil
        default: return nil
        }
    }

    /// The fact speaks of the connection or the clip that is open, or of one whose end is awaited, and can be true of it.
    fileprivate var fitsWhatIsOpen: Bool {
        let isConnected = before.link.phase == .synchronizing || before.link.phase == .streaming
        let isWritten = before.recorder.word == "writing" || before.recorder.word == "cutting"
        switch fact {
        case .dialed(.cur), .dialFailed(.cur, _): return before.link.phase == .dialing
        case .lost(.cur): return before.link.current != nil
        case .keyframe(.cur), .packets(.cur, _): return isConnected
        case .hungUp(.hung), .lost(.hung), .dialFailed(.hung, _): return before.link.hangingUp != nil
        case .opened(.cur, _), .openFailed(.cur), .keyframeMissing(.cur): return before.recorder.word == "opening"
        case .cut(.cur): return before.recorder.word == "cutting"
        case .writeFailed(.cur), .streamChanged(.cur): return isWritten
        case .closed(let number, _): return number.closing.map { $0 < before.recorder.closing.count } ?? false
        default: return false
        }
    }

    /// The fact says what others ask of the camera, or that a source is off.
    fileprivate var isOfIntent: Bool {
        switch fact {
        case .drain, .enabled, .hard, .soft, .softLive, .viewers, .storage, .policy, .cleared: true
        default: false
        }
    }

    /// The parts of the intent that the step leaves other than they were.
    fileprivate var fieldsThatChange: Set<String> {
        let (from, to) = (aged.intent, after.intent)
        let fields = [
            "enabled": from.enabled != to.enabled, "draining": from.draining != to.draining,
            "hard": from.privacy.hard != to.privacy.hard,
            "softRecording": from.privacy.softRecording != to.privacy.softRecording,
            "softLive": from.privacy.softLive != to.privacy.softLive, "viewers": from.viewers != to.viewers,
            "storage": from.storage != to.storage, "connect": from.connect != to.connect,
            "policy": from.policy != to.policy,
            "policyUntil": from.policyUntil != to.policyUntil && !after.stopped,
        ]
        return Set(fields.filter(\.value).keys)
    }

    /// Those that the fact speaks of.
    fileprivate var fieldsItSpeaksOf: Set<String> {
        switch fact {
        case .enabled: ["enabled"]
        case .drain: ["draining"]
        case .hard: ["hard"]
        case .soft: ["softRecording"]
        case .softLive: ["softLive"]
        case .viewers: ["viewers"]
        case .storage: ["storage"]
        case .policy: ["policy", "policyUntil"]
        default: []
        }
    }

    private var isIgnored: Bool { effects.contains { if case .ignored = $0 { true } else { false } } }

    /// What must be seen of a fact that was not ignored.
    fileprivate var isFollowed: Bool {
        guard !isIgnored, !before.stopped else { return true }
        switch fact {
        case .dialed(.cur): return after.link.phase == .synchronizing || effects.contains { $0.isHangUp }
        case .dialFailed(.cur, _), .lost(.cur):
            return effects.contains {
                if case .report(.link(_, to: .waiting, failure: _?, _)) = $0 { true } else { false }
            }
        case .keyframe(.cur): return after.link.phase == .streaming || effects.contains { $0.isHangUp }
        case .connect:
            return before.link.current == nil && before.link.failures == 0 && before.link.phase != .waiting
                || after.link.failures == 0 && after.link.phase != .waiting
        case .opened(.cur, _): return effects.contains { if case .report(.clipOpened) = $0 { true } else { false } }
        case .keyframeMissing(.cur):
            return effects.contains {
                if case .report(.link(from: .streaming, to: .synchronizing, _, _)) = $0 { true } else { false }
            }
        case .openFailed, .keyframeMissing:
            return effects.contains { if case .report(.clipFailed) = $0 { true } else { false } }
        case .cut(.cur), .streamChanged(.cur):
            return effects.contains { if case .report(.clipEnded) = $0 { true } else { false } }
        case .writeFailed(.cur):
            return effects.contains { if case .report(.clipFailed) = $0 { true } else { false } }
                && effects.contains { if case .report(.clipEnded(_, .storage)) = $0 { true } else { false } }
        case .closed:
            return effects.count { if case .report(.clipClosed) = $0 { true } else { false } } == 1
        case .asserted: return !after.trigger.sources.isEmpty
        case .cleared: return after.trigger.sources.isEmpty
        // No report tells of these two.
        case .viewers(let count): return after.intent.viewers == count
        case .drain: return after.intent.draining
        default: return true
        }
    }

    /// A key frame, or another stream, ends the clip where it stands.
    fileprivate var endsClip: Bool { fact == .cut(.cur) || fact == .streamChanged(.cur) }

    /// The fact says that the connection is over.
    fileprivate var endsLink: Bool {
        switch fact {
        case .lost(.cur), .dialFailed(.cur, _), .hungUp(.cur): true
        default: false
        }
    }

    /// The fact ends what was hung up.
    fileprivate var answersHangUp: Bool {
        guard before.link.hangingUp != nil, !isIgnored else { return false }
        switch fact {
        case .hungUp(.hung), .lost(.hung), .dialFailed(.hung, _): return true
        default: return false
        }
    }
}

extension Camera.Effect {
    fileprivate var isDial: Bool { if case .dial = self { true } else { false } }
    fileprivate var isHangUp: Bool { if case .hangUp = self { true } else { false } }
}
