internal import Machines

// What is ordered and told, as it is seen from outside.
extension CameraWatch {
    mutating func ofLink(
        _ effect: Camera.Effect, _ before: CameraWatch, _ view: CameraConfiguration, _ judgement: inout Judgement
    ) {
        switch effect {
        case .dial:
            judgement.demand(wait == 0, .dials)
            judgement.demand(hangUp == nil, .hangUp)
            dialing = 0
        case .hangUp:
            (hangUp, dialing, connected, warned, hasKey, streamed) = (0, nil, nil, nil, false, nil)
            lacksKey = false
        case .report(.hangUpOverdue):
            judgement.demand(hangUp.map { $0 >= view.hangBound } ?? false, .hangUp)
            hangUp = nil
        case .report(.noKeyFrame) where before.hasKey:
            judgement.demand(!isTold && cutting.map { $0 >= view.grace } ?? false, .graces)
            isTold = true
        case .report(.noKeyFrame):
            let isDue = before.connected.map { $0 >= view.keyWarn } ?? false
            judgement.demand(isDue && warned == nil, before.awaited)
            warned = 0
        case .report(.link(_, to: .waiting, failure: let why?, let told)):
            ended(why, told, before, view, &judgement)
        default: break
        }
    }

    private mutating func ended(
        _ why: LinkFailure, _ toldMs: Int64?, _ before: CameraWatch, _ view: CameraConfiguration,
        _ judgement: inout Judgement
    ) {
        switch why {
        case .silence: judgement.demand(before.connected != nil && before.heard >= view.silence, .silence)
        case .timeout: judgement.demand(before.dialing.map { $0 >= view.dial } ?? false, .dialBound)
        case .noKeyFrame where before.hasKey:
            judgement.demand(cutting.map { $0 >= view.grace * (1 + view.moreGraces) } ?? false, .grace)
        case .noKeyFrame: judgement.demand(before.warned.map { $0 >= patience(view) } ?? false, before.awaited)
        default: break
        }
        (dialing, connected, warned, hasKey, streamed, lacksKey) = (nil, nil, nil, false, nil, false)
        failures = min(failures + 1, view.failMax)
        wait = why == .unauthorized ? view.unauthorized : Self.wait(failures, view.waitCap)
        judgement.demand(toldMs == CameraConfiguration.ms(wait), .waits)
    }

    /// Which key frame is waited for: the one that a clip lacked, or the first after a dial.
    private var awaited: Finding { lacksKey ? .keyFrameAnew : .keyFrame }

    /// 1, 2, 4 and so on, up to a cap.
    private static func wait(_ failures: Int, _ cap: Int) -> Int { min(1 << (failures - 1), cap) }

    private func patience(_ view: CameraConfiguration) -> Int { view.keyLong << min(failures, view.keyShift) }

    mutating func ofRecorder(
        _ effect: Camera.Effect, _ fact: CameraFact, _ before: CameraWatch, _ view: CameraConfiguration,
        _ judgement: inout Judgement
    ) {
        switch effect {
        case .openClip(let order):
            judgement.demand(clipWait == 0 && storage != .lost, .opens)
            let event = view.start.policy.mode == .event
            judgement.demand((order.preRollMs > 0) == (event && asksPreRoll), .preRoll)
            (opening, isOfEvent) = (0, order.event != nil)
        case .report(.clipOpened):
            opening = nil
            if isOfEvent { asksPreRoll = false }
        case .closeClip(_, .keyframe, let why):
            if why == .length { judgement.demand(writing.map { $0 >= view.clipLength } ?? false, .length) }
            if let ended = judgement.ended, isOfEvent {
                judgement.demand(why.rawValue == ended.rawValue, .cutReason)
            }
            (writing, cutting, isTold) = (nil, 0, false)
        case .closeClip(_, .now, let why) where [.length, .quiet, .limit].contains(why):
            let isDue = cutting.map { $0 > 0 && $0 % view.grace == 0 } ?? false
            judgement.demand(isDue && !isWanted(view), .grace)
        case .report(.clipEnded):
            closing.append(Closing(isOfEvent: isOfEvent))
            (opening, writing, cutting, isOfEvent) = (nil, nil, nil, false)
        case .report(.clipFailed(_, let toldMs)):
            if fact.isOfGivenUp { return }
            if fact == .tick {
                judgement.demand(before.opening.map { $0 >= view.openBound } ?? false, .openBound)
            }
            clipFailures = min(clipFailures + 1, view.failMax)
            clipWait = Self.wait(clipFailures, view.retryCap)
            judgement.demand(toldMs == CameraConfiguration.ms(clipWait), .waits)
        case .report(.clipOverdue):
            judgement.demand(closing.first.map { $0.age >= view.closeBound } ?? false, .closing)
            if !closing.isEmpty { closing.removeFirst() }
        default: break
        }
    }

    mutating func ofTrigger(
        _ effect: Camera.Effect, _ fact: CameraFact, _ view: CameraConfiguration, _ judgement: inout Judgement
    ) {
        let passed: Int64 = fact == .tick ? CameraConfiguration.ms(1) : 0
        func left(_ instant: Instant) -> Int { Int((instant.ms - passed) / CameraConfiguration.ms(1)) }
        let control = view.start.policy.timeControl
        switch effect {
        case .report(.eventBegan(_, let cause, _, let end)):
            (until, length) = (left(end), 0)
            commanded = cause == .command
            if fact == .tick, cause == .command { judgement.demand(asked > 0 && left(end) == asked, .chained) }
            if cause == .source { judgement.demand(source.map { $0 < view.stale } ?? false, .source) }
            limit = commanded ? view.commandM : Int(control.maxMs / CameraConfiguration.ms(1))
            (windowBefore, blindOwed, blind, asksPreRoll) = (nil, false, 0, true)
            (isOfEvent, isRest) = (false, fact == .enabled(true))
            for index in closing.indices { closing[index].isOfEvent = false }
        case .report(.eventProlonged(_, let end)):
            let old = until ?? 0
            until = left(end)
            judgement.demand(left(end) > old, .endsAsTold)
            guard fact != .command else { return }
            let most = Int(control.augmentationMs / CameraConfiguration.ms(1))
            judgement.demand((windowBefore ?? 0) == 0 && left(end) <= old + most, .prolongs)
            windowBefore = old
        case .report(.eventEnded(_, let why)):
            if why == .quiet || why == .limit {
                judgement.ended = why
                judgement.demand(until == 0, .endsAsTold)
                blindOwed = control.blindMs > 0 && !commanded
                // An event that would not have gone on ends quietly, also where its limit comes at that moment.
                if why == .limit, !isRest { judgement.demand(limit == 0, .limitNamed) }
            }
            (until, windowBefore, commanded, isRest, asksPreRoll) = (nil, nil, false, false, false)
        case .report(.sourceExpired):
            judgement.demand(source.map { $0 >= view.stale } ?? false, .source)
            (source, isSuppressed) = (nil, false)
        case .report(.suppressed(nil, _)):
            judgement.demand(source.map { $0 < view.stale } ?? false && !isSuppressed, .suppressed)
            isSuppressed = true
        default: break
        }
    }

    /// Blind time begins when nothing of the event is owed any more.
    mutating func settle(_ view: CameraConfiguration) {
        let owes = isOfEvent || closing.contains { $0.isOfEvent }
        guard blindOwed, !owes else { return }
        blindOwed = false
        blind = Int(view.start.policy.timeControl.blindMs / CameraConfiguration.ms(1))
    }

    private func isWanted(_ view: CameraConfiguration) -> Bool {
        view.start.policy.mode == .continuous || until != nil
    }

    /// What a tick may leave: nothing that is past its bound.
    func bounds(_ view: CameraConfiguration, _ judgement: inout Judgement) {
        func below(_ age: Int?, _ bound: Int, _ finding: Finding) {
            if let age { judgement.demand(age < bound, finding) }
        }
        below(dialing, view.dial, .dialBound)
        below(connected.map { _ in heard }, view.silence, .silence)
        below(hangUp, view.hangBound, .hangUp)
        if !hasKey, warned == nil { below(connected, view.keyWarn, awaited) }
        below(warned, patience(view), awaited)
        below(opening, view.openBound, .openBound)
        below(writing, view.clipLength, .length)
        if let cutting, cutting > 0, cutting % view.grace == 0 {
            judgement.demand(isWanted(view) && cutting < view.grace * (1 + view.moreGraces), .grace)
            if isWanted(view) { judgement.demand(isTold, .graces) }
        }
        for one in closing { below(one.age, view.closeBound, .closing) }
        below(source, view.stale, .source)
        if let until {
            judgement.demand(until > 0, .endsAsTold)
            judgement.demand(limit > 0 && until <= limit, .longest)
        }
    }
}
