internal import Machines

/// What the link comes to, and what it orders and tells on the way.
struct LinkRule: Equatable {
    var phase: Link.Phase
    var deadline: Instant?
    var patience: Instant?
    var warned: Bool
    var failures: UInt8
    var steady: Instant?
    /// It waits for a key frame anew, and worked before.
    var worked: Bool
    var other: Endpoint?
    let order: DialOrder
    var hangUp: Instant?
    var told: [String] = []

    /// What a state of the machine is in these terms.
    init(_ camera: Camera) {
        let link = camera.link
        order = camera.intent.connect
        other = link.other
        phase = link.phase
        deadline = link.deadline
        patience = link.patience
        warned = link.warned
        failures = link.failures
        steady = link.steady
        worked = link.worked == true
        hangUp = link.hangingUp?.deadline
    }

    /// What the step may come to. Where the link ceased to be wanted in the very tick in which a bound passed, either may
    /// have come first.
    static func following(_ step: CameraStep) -> [LinkRule] {
        var rule = LinkRule(step.aged)
        let timing = step.before.timing
        if step.isFirst { rule.settle(step.before.intent, wanted: step.before.wantsLink(holding: false), timing) }
        guard step.fits else { return [rule] }
        let intent = step.after.intent
        let wanted = step.after.wantsLink(holding: step.after.recorder.clip != nil)
        var left = rule
        rule.take(step, wanted: wanted, timing)
        rule.settle(intent, wanted: wanted, timing)
        left.settle(intent, wanted: wanted, timing)
        left.take(step, wanted: wanted, timing)
        left.settle(intent, wanted: wanted, timing)
        return (step.fact == .tick && !wanted ? [rule, left] : [rule]).map { $0.stopped(step.after.stopped) }
    }

    private var isOpen: Bool { phase == .dialing || phase == .synchronizing || phase == .streaming }

    private func stopped(_ stopped: Bool) -> LinkRule {
        var rule = self
        if stopped { (rule.failures, rule.other) = (0, nil) }
        return rule
    }

    private mutating func move(_ to: Link.Phase, _ why: LinkFailure? = nil) {
        if phase != to {
            told.append("report(link,\(phase.rawValue),\(to.rawValue)\(why.map { ",\($0.rawValue)" } ?? ""))")
        }
        phase = to
        deadline = nil
        patience = nil
        warned = false
        steady = nil
        worked = false
    }

    private mutating func hangsUp(_ timing: Timing) {
        guard isOpen else { return }
        hangUp = Instant(ms: timing.hangUpMs)
        told.append("hangUp")
    }

    private mutating func dial(_ timing: Timing) {
        move(.dialing)
        deadline = Instant(ms: timing.dialMs)
        told.append("dial(\(endpoint.rawValue))")
    }

    private var first: Endpoint { order == .internet || order == .internetFirst ? .internet : .lan }
    private var endpoint: Endpoint { other ?? first }

    /// It has streamed, and no failure was left to be forgotten.
    private var works: Bool { phase == .streaming && steady == nil || worked }

    /// The link is over: who comes next.
    private mutating func turn(worked: Bool) {
        if order == .lan || order == .internet { return }
        if worked, order == .auto { return }
        other = worked || endpoint != first ? nil : first == .lan ? .internet : .lan
    }

    /// Waits, longer each time; at least so long after a refused login.
    private mutating func fail(_ why: LinkFailure, _ timing: Timing) {
        turn(worked: works)
        failures = failures < timing.failureCap ? failures + 1 : timing.failureCap - 1
        move(.waiting, why)
        let wait = timing.redialMs[min(Int(failures), timing.redialMs.count) - 1]
        deadline = Instant(ms: why == .unauthorized ? max(wait, timing.unauthorizedMs) : wait)
    }

    private mutating func feed(_ timing: Timing, ago: Int64 = 0) {
        deadline = max(
            deadline ?? Instant(ms: 0), Instant(ms: timing.silenceMs) + (timing.silenceMs == .max ? 0 : -ago))
    }

    private mutating func take(_ step: CameraStep, wanted: Bool, _ timing: Timing) {
        switch step.fact {
        case .tick:
            pass(wanted: wanted, timing)
            switch step.wantedAfterGrace {
            case .waits: if step.before.recorder.graces == nil { told.append("report(noKeyFrameYet)") }
            case .dials: giveUp(.noKeyFrame, timing)
            case nil: break
            }
        case .dialed:
            move(.synchronizing)
            deadline = Instant(ms: timing.silenceMs)
            patience = Instant(ms: timing.keyframeMs)
        case .dialFailed(.cur, let why): fail(why, timing)
        case .lost(.cur): fail(.closed, timing)
        case .dialFailed, .lost, .hungUp: hangUp = nil
        case .packets(_, let ago): feed(timing, ago: CameraConfiguration.ms(ago))
        case .keyframe:
            if phase == .synchronizing {
                let silence = deadline
                move(.streaming)
                deadline = silence
                if let steadyMs = timing.steadyMs {
                    steady = failures > 0 ? Instant(ms: steadyMs) : nil
                } else {
                    failures = 0
                }
            }
            feed(timing)
        case .keyframeMissing(.cur):
            let (silence, hasWorked) = (deadline, works)
            move(.synchronizing)
            deadline = silence
            worked = hasWorked
            patience = Instant(ms: timing.keyframeMs)
        case .connect:
            hangsUp(timing)
            move(.off)
            failures = 0
            other = nil
        default: break
        }
    }

    /// A tick: an owed hang-up, then silence or the end of a wait, then a missing key frame.
    private mutating func pass(wanted: Bool, _ timing: Timing) {
        if hangUp.isDue {
            hangUp = nil
            told.append("report(hangUpOverdue)")
        }
        if deadline.isDue {
            switch phase {
            case .off: break
            case .waiting: if wanted, hangUp == nil { dial(timing) } else { move(.off) }
            case .dialing: giveUp(.timeout, timing)
            case .synchronizing, .streaming: giveUp(.silence, timing)
            }
        }
        if steady.isDue {
            steady = nil
            failures = 0
        }
        guard patience.isDue else { return }
        if warned { return giveUp(.noKeyFrame, timing) }
        warned = true
        patience = Instant(ms: timing.patienceMs << Int64(min(failures, timing.patienceDoublings)))
        told.append("report(noKeyFrameYet)")
    }

    private mutating func giveUp(_ why: LinkFailure, _ timing: Timing) {
        hangsUp(timing)
        fail(why, timing)
    }

    private mutating func settle(_ intent: Intent, wanted: Bool, _ timing: Timing) {
        if isOpen, !wanted {
            if phase == .streaming || worked { turn(worked: true) }
            hangsUp(timing)
            move(.off)
        } else if phase == .waiting, intent.draining {
            move(.off)
        } else if phase == .off, wanted, hangUp == nil {
            dial(timing)
        }
    }
}
