// Requests: what speaks against one, and what follows from it if nothing does.
extension Session {
    mutating func take(_ request: Request, at now: Instant, _ effects: inout [Effect]) {
        switch objection(to: request) {
        case .refuse(let refusal)?: effects.append(.refused(request.step, refusal))
        case .ignore(let ignored)?: effects.append(.ignored(ignored))
        case nil: accept(request, at: now, &effects)
        }
    }

    // MARK: What speaks against it

    private enum Objection {
        case refuse(Refusal)
        case ignore(Ignored)
    }

    /// The first thing that speaks against the request, in the order of docs/design/session.md.
    private func objection(to request: Request) -> Objection? {
        if hasEnded { return .refuse(.ended) }
        let needsConnection = request != .connect && request != .extend
        if needsConnection, !up { return .refuse(.notConnected) }
        let busy = ask != nil
        switch request {
        case .connect: return first((up || ask?.order == .connect, .refuse(.already)))
        case .startPreview(_, let others):
            return first(
                (isLive, .refuse(.already)), (isPlayback, .refuse(.playbackRunning)), (privacy, .refuse(.privacy)),
                (others >= bounds.liveMax, .refuse(.full)), (busy, .refuse(.busy)))
        case .startPlayback(let day, let position, _):
            return first(
                (isLive, .refuse(.previewRunning)), (day != self.day, .refuse(.notListed)),
                (!position.isInside, .refuse(.outside)), (busy && !isReplaceable, .refuse(.busy)))
        case .pause: return first((phase != .playing, .refuse(.notPlaying)), (busy, .refuse(.busy)))
        case .resume: return first((phase != .paused, .refuse(.notPaused)), (busy, .refuse(.busy)))
        case .speed(let hundredths):
            let speed = Speed(rawValue: hundredths)
            return first(
                (phase != .playing && phase != .paused, .refuse(.notPlaying)), (speed == nil, .refuse(.outside)),
                (speed == self.speed, .ignore(.duplicate)))
        case .definition(let definition): return objection(isOn: definition == self.definition, busy: busy)
        case .mute(let muted):
            if muted { return objection(isOn: sound, or: .unmute) }
            return first((!isShowing, .refuse(.notShowing)), (sound, .ignore(.duplicate)), (busy, .refuse(.busy)))
        case .talk(let on):
            return on ? objection(isOn: talk, busy: busy) : objection(isOn: talk, or: .talkOn)
        case .record(true):
            return first(
                (phase != .previewing && phase != .playing, .refuse(.notShowing)), (record, .ignore(.duplicate)),
                (busy, .refuse(.busy)))
        case .record(false): return objection(isOn: record, or: .recordOn)
        case .listDays: return first((busy, .refuse(.busy)))
        case .listClips: return first((isLive, .refuse(.previewRunning)), (busy, .refuse(.busy)))
        case .stopPreview: return first((!isLive, .refuse(.notPreviewing)))
        case .stopPlayback: return first((!isPlayback, .refuse(.notPlaying)))
        case .extend: return first((left == nil, .ignore(.notLimited)))
        }
    }

    /// There is something whose sound could be heard.
    private var isShowing: Bool { phase == .previewing || phase == .playing || phase == .paused }

    private func first(_ objections: (holds: Bool, objection: Objection)...) -> Objection? {
        objections.first { $0.holds }?.objection
    }

    /// Turning on what belongs to the live picture.
    private func objection(isOn: Bool, busy: Bool) -> Objection? {
        first((phase != .previewing, .refuse(.notPreviewing)), (isOn, .ignore(.duplicate)), (busy, .refuse(.busy)))
    }

    /// Turning off what is on, or being turned on by `order`.
    private func objection(isOn: Bool, or order: Order) -> Objection? {
        first((!isOn && ask?.order != order, .ignore(.duplicate)))
    }

    /// The outstanding order is one that a new start of playback makes void.
    private var isReplaceable: Bool {
        switch ask?.order {
        case .startPlayback, .pause, .resume: true
        case .connect, .startPreview, .setDefinition, .unmute, .talkOn, .recordOn, .listDays, .listClips, nil: false
        }
    }

    // MARK: What follows from it

    private mutating func accept(_ request: Request, at now: Instant, _ effects: inout [Effect]) {
        switch request {
        case .connect: order(.connect, at: now, &effects)
        case .startPreview(let definition, _):
            phase = .startingPreview
            left = nil
            day = nil
            self.definition = definition
            order(.startPreview(definition), at: now, &effects)
        case .startPlayback(let day, let position, let reach):
            callOffClip(&effects)
            phase = .startingPlayback
            left = nil
            speed = .normal
            self.reach = reach
            starts &+= 1
            order(.startPlayback(StartNumber(starts), day, position), at: now, &effects)
        case .pause: order(.pause, at: now, &effects)
        case .resume: order(.resume, at: now, &effects)
        case .speed(let hundredths):
            guard let speed = Speed(rawValue: hundredths) else { return }
            self.speed = speed
            effects.append(.setSpeed(speed))
        case .definition(let definition): order(.setDefinition(definition), at: now, &effects)
        case .mute(false): order(.unmute, at: now, &effects)
        case .mute(true): turnOff(\.sound, .unmute, .mute, &effects)
        case .talk(true): order(.talkOn, at: now, &effects)
        case .talk(false): turnOff(\.talk, .talkOn, .talkOff, &effects)
        case .record(true): order(.recordOn, at: now, &effects)
        case .record(false): turnOff(\.record, .recordOn, .recordOff, &effects)
        case .listDays: order(.listDays, at: now, &effects)
        case .listClips(let day): order(.listClips(day), at: now, &effects)
        case .stopPreview, .stopPlayback:
            giveBack(&effects)
            becomeIdle(at: now)
            effects.append(.report(.stopped))
        case .extend:
            left = now + bounds.durationMs
            effects.append(.report(.extended))
        }
    }

    /// Gives an order that the world must answer. It renews the time of a session that is idle or paused; that of a live
    /// one is prolonged only by an extension.
    private mutating func order(_ order: Order, at now: Instant, _ effects: inout [Effect]) {
        orders &+= 1
        let number = OrderNumber(orders)
        ask = Ask(number: number, order: order, until: now + bounds.answerMs)
        if phase == .idle || phase == .paused { left = now + bounds.durationMs }
        effects.append(.order(number, order))
    }

    /// Turning off is done at once, and calls off an unanswered turning on.
    private mutating func turnOff(
        _ field: WritableKeyPath<Session, Bool>, _ on: Order, _ off: Effect, _ effects: inout [Effect]
    ) {
        if ask?.order == on { abandon(&effects) }
        self[keyPath: field] = false
        effects.append(off)
    }
}
