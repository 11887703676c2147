internal import Machines

/// What the recorder comes to, and what it orders and tells on the way.
struct RecorderRule: Equatable {
    struct Closing: Equatable {
        /// It is of the latest event.
        var current: Bool
        var opened: Bool
        var deadline: Instant
    }

    enum Owner: Equatable {
        case nobody, current, old
    }

    var phase: String
    var owner: Owner?
    /// Why a cut is due, or will be once it is open.
    var why: ClipEnd?
    /// Retry wait, opening bound, clip length or grace.
    var deadline: Instant?
    /// How often the grace has begun again.
    var graces: UInt8
    var failures: UInt8
    var closing: [Closing]
    var first: Bool
    var told: [String] = []

    /// What a state of the machine is in these terms.
    init(_ camera: Camera) {
        let recorder = camera.recorder
        phase = recorder.word
        owner = recorder.clip.map { $0.event == nil ? .nobody : $0.event == EventNumber(2) ? .current : .old }
        why = recorder.clip?.ended
        if case .cutting(_, let cut, _) = recorder.state { why = cut }
        deadline = recorder.deadline
        graces = recorder.graces ?? 0
        failures = recorder.failures
        closing = recorder.closing.map {
            Closing(current: $0.event != nil, opened: $0.opened, deadline: $0.deadline)
        }
        first = camera.asksForPreRoll
    }

    /// What the step must come to.
    static func following(_ step: CameraStep) -> RecorderRule {
        var rule = RecorderRule(step.aged)
        guard step.fits else { return rule }
        let timing = step.before.timing
        rule.follow(step)
        rule.take(step, timing)
        let streaming = step.before.link.phase == .streaming
        if step.fact == .tick {
            rule.settle(step, streaming: streaming, timing)
            if streaming, step.aged.link.deadline.isDue { rule.settle(step, streaming: false, timing) }
            rule.pass(step, timing)
        }
        rule.settle(step, streaming: step.streamsBeforeSettling, timing)
        if step.fact == .tick { rule.giveUp(step, timing) }
        if step.after.stopped {
            rule.failures = 0
            rule.deadline = nil
        }
        return rule
    }

    /// The events: the clip of one that ended is to be cut, and a new one makes those before it old.
    private mutating func follow(_ step: CameraStep) {
        for effect in step.effects {
            switch effect {
            case .report(.eventEnded(_, let end)):
                first = false
                guard owner == .current, phase == "opening" || phase == "writing" else { break }
                if end == .quiet { why = .quiet }
                if end == .limit { why = .limit }
            case .report(.eventBegan):
                first = true
                if owner == .current { owner = .old }
                for index in closing.indices { closing[index].current = false }
            default: break
            }
        }
    }

    private mutating func release(_ end: ClipEnd, _ timing: Timing) {
        told.append("report(clipEnded,\(end.rawValue))")
        closing.append(
            Closing(current: owner == .current, opened: phase != "opening", deadline: Instant(ms: timing.closeMs)))
        rest()
    }

    private mutating func rest() {
        phase = "idle"
        owner = nil
        why = nil
        deadline = nil
        graces = 0
    }

    private mutating func close(_ end: ClipEnd, _ timing: Timing) {
        told.append("closeClip(now,\(end.rawValue))")
        release(end, timing)
    }

    private mutating func cut(_ end: ClipEnd, _ timing: Timing) {
        told.append("closeClip(keyframe,\(end.rawValue))")
        phase = "cutting"
        why = end
        deadline = Instant(ms: timing.graceMs)
    }

    private mutating func fail(_ timing: Timing) {
        failures = failures < timing.failureCap ? failures + 1 : timing.failureCap - 1
        deadline = Instant(ms: timing.retryMs[min(Int(failures), timing.retryMs.count) - 1])
        told.append("report(clipFailed)")
    }

    private mutating func take(_ step: CameraStep, _ timing: Timing) {
        switch step.fact {
        case .opened(_, let back):
            told.append("report(clipOpened)")
            phase = "writing"
            deadline = Instant(ms: step.after.intent.policy.clipLengthMs - CameraConfiguration.ms(back))
            if owner == .current { first = false }
        case .openFailed(.cur):
            rest()
            fail(timing)
        case .keyframeMissing(.cur): rest()
        case .openFailed(let number), .keyframeMissing(let number):
            if let index = number.closing { closing.remove(at: index) }
            told.append("report(clipFailed)")
        case .cut: if let why { release(why, timing) }
        case .streamChanged: release(.streamChanged, timing)
        case .writeFailed:
            close(.storage, timing)
            fail(timing)
        case .closed(let number, let complete):
            if let index = number.closing { closing.remove(at: index) }
            if complete { failures = 0 }
            told.append("report(clipClosed,\(complete ? "complete" : "incomplete"))")
        case .storage: if step.before.intent.storage == .lost, phase == "idle" { deadline = nil }
        default: break
        }
    }

    /// A tick: what the recorder's own bound brings.
    private mutating func pass(_ step: CameraStep, _ timing: Timing) {
        guard deadline.isDue else { return }
        switch phase {
        case "opening":
            close(.storage, timing)
            fail(timing)
        case "writing":
            let intent = step.after.intent
            let event = intent.policy.mode == .event ? step.after.trigger.active?.window.ends.ms : nil
            var ends = [event].compactMap { $0 }.filter { $0 > 0 && $0 < timing.restMs }
            if let change = intent.policyUntil?.ms, change > 0, change - timing.restMs < timing.graceMs {
                ends.append(change)
            }
            if let end = ends.min() { deadline = Instant(ms: end) } else { cut(.length, timing) }
        case "cutting":
            switch step.wantedAfterGrace {
            case .waits:
                graces += 1
                deadline = Instant(ms: timing.graceMs)
            case .dials: break
            case nil: close(why ?? .length, timing)
            }
        default: deadline = nil
        }
    }

    /// A tick: clips whose closing is not waited for any longer.
    private mutating func giveUp(_ step: CameraStep, _ timing: Timing) {
        while let index = closing.firstIndex(where: { Optional($0.deadline).isDue }) {
            closing.remove(at: index)
            told.append("report(closeOverdue)")
            settle(step, streaming: step.streamsBeforeSettling, timing)
        }
    }

    private mutating func settle(_ step: CameraStep, streaming: Bool, _ timing: Timing) {
        let intent = step.after.intent
        if phase != "idle", let end = intent.whyCloseNow ?? (streaming ? nil : .linkLost) {
            close(end, timing)
        } else if phase == "writing",
            let end = why
                ?? (step.after.wantsMedia && (owner != .nobody || intent.policy.mode != .event) ? nil : .policy)
        {
            cut(end, timing)
        }
        guard phase == "idle", deadline == nil, step.after.wantsMedia, streaming, closing.count < 2 else { return }
        let event = intent.policy.mode == .event
        phase = "opening"
        owner = event ? .current : .nobody
        deadline = Instant(ms: timing.openMs)
        told.append("openClip(\(event ? "event" : "continuous"),\(event && first ? "preroll" : "-"))")
    }
}

extension Intent {
    /// Why an open clip must be closed without waiting for a key frame.
    fileprivate var whyCloseNow: ClipEnd? {
        if draining { return .draining }
        if isBlocked { return .privacy }
        if !enabled { return .disabled }
        if policy.mode == .off { return .policy }
        return storage == .lost ? .storage : nil
    }
}

extension CameraStep {
    /// What the end of a grace comes to where what the camera sends is wanted.
    enum WantedAfterGrace { case waits, dials }

    /// The grace of a cut ends, and what the camera sends is wanted: the clip goes on, or a new dial is to bring a key frame. nil:
    /// no grace ends, or nobody wants what comes.
    var wantedAfterGrace: WantedAfterGrace? {
        let recorder = aged.recorder
        guard fact == .tick, recorder.word == "cutting", recorder.deadline.isDue, before.link.phase == .streaming,
            !aged.link.deadline.isDue, after.wantsMedia
        else { return nil }
        return (recorder.graces ?? 0) < (before.timing.moreGraces ?? 0) ? .waits : .dials
    }

    /// The link streams after the fact itself, before anything is hung up because of it.
    fileprivate var streamsBeforeSettling: Bool {
        switch fact {
        case .tick:
            before.link.phase == .streaming && !aged.link.deadline.isDue && wantedAfterGrace != .dials
        case .lost(.cur), .connect, .keyframeMissing(.cur): false
        case .keyframe(.cur): true
        default: before.link.phase == .streaming
        }
    }
}
