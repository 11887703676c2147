// The link: dialling, hanging up, back-off.
extension Camera {
    // MARK: Events

    mutating func dialed(_ number: DialNumber, at now: Instant, _ effects: inout [Effect]) {
        guard case .dialing(number, let endpoint, _) = link.state else {
            return ignore(number, early: false, &effects)
        }
        move(
            to: .synchronizing(
                number, endpoint, silence: now + timing.silenceMs, patience: now + timing.keyframeMs, warned: false),
            &effects)
    }

    mutating func dialFailed(
        _ number: DialNumber, _ failure: LinkFailure, at now: Instant, _ effects: inout [Effect]
    ) {
        if case .dialing(number, _, _) = link.state { return fail(failure, at: now, &effects) }
        freed(number, early: false, &effects)
    }

    mutating func keyframe(_ number: DialNumber, at now: Instant, _ effects: inout [Effect]) {
        switch link.state {
        case .synchronizing(number, let endpoint, let silence, _, _):
            var steady: Instant?
            if let steadyMs = timing.steadyMs {
                if link.failures > 0 { steady = now + steadyMs }
            } else {
                link.failures = 0
            }
            move(
                to: .streaming(number, endpoint, silence: max(silence, now + timing.silenceMs), steady: steady),
                &effects)
        case .streaming(number, let endpoint, let silence, let steady):
            link.state = .streaming(number, endpoint, silence: max(silence, now + timing.silenceMs), steady: steady)
        default: ignore(number, early: link.phase == .dialing, &effects)
        }
    }

    /// Nothing has come that a clip could begin with: the link waits for a key frame as after its dial.
    mutating func synchronizeAnew(at now: Instant, _ effects: inout [Effect]) {
        guard case .streaming(let number, let endpoint, let silence, let steady) = link.state else { return }
        move(
            to: .synchronizing(
                number, endpoint, silence: silence, patience: now + timing.keyframeMs, warned: false), &effects)
        if steady == nil { link.worked = true }
    }

    mutating func packets(_ number: DialNumber, last: Instant, at now: Instant, _ effects: inout [Effect]) {
        let bound = min(last, now) + timing.silenceMs
        switch link.state {
        case .synchronizing(number, let endpoint, let silence, let patience, let warned):
            link.state = .synchronizing(
                number, endpoint, silence: max(silence, bound), patience: patience, warned: warned)
        case .streaming(number, let endpoint, let silence, let steady):
            link.state = .streaming(number, endpoint, silence: max(silence, bound), steady: steady)
        default: ignore(number, early: link.phase == .dialing, &effects)
        }
    }

    mutating func lost(_ number: DialNumber, _ failure: LinkFailure, at now: Instant, _ effects: inout [Effect]) {
        switch link.state {
        case .dialing(number, _, _), .synchronizing(number, _, _, _, _), .streaming(number, _, _, _):
            fail(failure, at: now, &effects)
        default: freed(number, early: false, &effects)
        }
    }

    mutating func hungUp(_ number: DialNumber, _ effects: inout [Effect]) {
        freed(number, early: true, &effects)
    }

    /// What was being hung up is gone.
    private mutating func freed(_ number: DialNumber, early: Bool, _ effects: inout [Effect]) {
        guard link.hangingUp?.number == number else { return ignore(number, early: early, &effects) }
        link.hangingUp = nil
    }

    /// New settings: whatever the link was doing is over, and the next dial comes at once.
    mutating func reconnect(_ connect: DialOrder, at now: Instant, _ effects: inout [Effect]) {
        intent.connect = connect
        link.failures = 0
        hangUp(at: now, &effects)
        link.other = nil
        move(to: .off, &effects)
    }

    // MARK: Deadlines

    mutating func linkDeadline(at now: Instant, _ effects: inout [Effect]) {
        if let hangUp = link.hangingUp, hangUp.deadline <= now {
            link.hangingUp = nil
            return effects.append(.report(.hangUpOverdue(hangUp.number)))
        }
        switch link.state {
        case .off: break
        case .waiting where linkWanted && link.hangingUp == nil: dial(at: now, &effects)
        case .waiting: move(to: .off, &effects)
        case .dialing: give(up: .timeout, at: now, &effects)
        case .synchronizing(let number, let endpoint, let silence, _, let warned):
            if silence <= now { return give(up: .silence, at: now, &effects) }
            if warned { return give(up: .noKeyFrame, at: now, &effects) }
            effects.append(.report(.noKeyFrame(number)))
            let factor = Int64(1) << min(link.failures, timing.patienceDoublings)
            link.state = .synchronizing(
                number, endpoint, silence: silence, patience: now + timing.patienceMs * factor, warned: true)
        case .streaming(let number, let endpoint, let silence, _):
            if silence <= now { return give(up: .silence, at: now, &effects) }
            link.failures = 0
            link.state = .streaming(number, endpoint, silence: silence, steady: nil)
        }
    }

    // MARK: What follows

    mutating func settleLink(at now: Instant, _ effects: inout [Effect]) {
        if linkWanted {
            guard link.state == .off, link.hangingUp == nil else { return }
            dial(at: now, &effects)
        } else if link.current != nil {
            hangUp(at: now, &effects)
            move(to: .off, &effects)
        } else if intent.draining, link.state != .off {
            move(to: .off, &effects)
        }
    }

    private mutating func dial(at now: Instant, _ effects: inout [Effect]) {
        link.dials &+= 1
        let number = DialNumber(link.dials)
        move(to: .dialing(number, endpoint, deadline: now + timing.dialMs), &effects)
        effects.append(.dial(number, endpoint))
    }

    /// Which endpoint is dialled, or will be next.
    private var endpoint: Endpoint { link.other ?? firstEndpoint }

    private var firstEndpoint: Endpoint {
        switch intent.connect {
        case .auto, .lan, .lanFirst: .lan
        case .internet, .internetFirst: .internet
        }
    }

    /// Chooses the endpoint of the next dial when a link is over. Where it worked, the next one begins with what the order says;
    /// otherwise the other endpoint has its turn, if there is one.
    private mutating func choose(worked: Bool) {
        let next: Endpoint
        switch intent.connect {
        case .lan, .internet: next = firstEndpoint
        case .auto where worked: next = endpoint
        case .lanFirst where worked, .internetFirst where worked: next = firstEndpoint
        case .auto, .lanFirst, .internetFirst: next = endpoint == .lan ? .internet : .lan
        }
        link.other = next == firstEndpoint ? nil : next
    }

    /// Gives up a dial that is still open: hangs up, then backs off.
    mutating func give(up failure: LinkFailure, at now: Instant, _ effects: inout [Effect]) {
        hangUp(at: now, &effects)
        fail(failure, at: now, &effects)
    }

    private mutating func hangUp(at now: Instant, _ effects: inout [Effect]) {
        guard let number = link.current else { return }
        if link.phase == .streaming || link.worked == true, !linkWanted { choose(worked: true) }
        link.hangingUp = Link.HangUp(number: number, deadline: now + timing.hangUpMs)
        effects.append(.hangUp(number))
    }

    /// Backs off; the level falls only when the link has streamed for long enough, or with new settings.
    private mutating func fail(_ failure: LinkFailure, at now: Instant, _ effects: inout [Effect]) {
        // One that breaks off while its failures are not forgotten yet did not work.
        if case .streaming(_, _, _, steady: nil) = link.state { link.worked = true }
        choose(worked: link.worked == true)
        link.failures = timing.counting(link.failures)
        var waitMs = timing.waitMs(timing.redialMs, failures: link.failures)
        if failure == .unauthorized || failure == .budget { waitMs = max(waitMs, timing.unauthorizedMs) }
        // Its own old session may be the one too many, until that has timed out.
        if failure == .busy, let longest = timing.redialMs.last { waitMs = max(waitMs, longest) }
        move(to: .waiting(until: now + waitMs), failure: failure, retryMs: waitMs, &effects)
    }

    private mutating func move(
        to state: Link.State, failure: LinkFailure? = nil, retryMs: Int64? = nil, _ effects: inout [Effect]
    ) {
        let from = link.phase
        link.state = state
        link.worked = nil
        guard link.phase != from else { return }
        effects.append(.report(.link(from: from, to: link.phase, failure: failure, retryMs: retryMs)))
    }

    /// `early`: what is said of the current dial cannot be true yet, rather than having been said before.
    private func ignore(_ number: DialNumber, early: Bool, _ effects: inout [Effect]) {
        let known = number.rawValue > 0 && number.rawValue <= link.dials
        guard known, number == link.current else { return effects.append(.ignored(known ? .late : .unknown)) }
        effects.append(.ignored(early ? .early : .duplicate))
    }
}
