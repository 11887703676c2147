// Answers and facts.
extension Session {
    mutating func did(_ number: OrderNumber, at now: Instant, _ effects: inout [Effect]) {
        guard let ask, ask.number == number else { return ignore(number, &effects) }
        self.ask = nil
        switch ask.order {
        case .connect:
            up = true
            effects.append(.report(.connected))
        case .startPreview(let definition):
            phase = .previewing
            left = now + bounds.durationMs
            effects.append(.report(.previewing(definition)))
        case .startPlayback, .resume:
            phase = .playing
            left = nil
            effects.append(.report(.playing))
        case .pause:
            phase = .paused
            left = now + bounds.durationMs
            effects.append(.report(.paused))
        case .setDefinition(let definition):
            self.definition = definition
            effects.append(.report(.definition(definition)))
        case .unmute:
            sound = true
            effects.append(.report(.soundOn))
        case .talkOn:
            talk = true
            effects.append(.report(.talkOn))
        case .recordOn:
            record = true
            effects.append(.report(.recordOn))
        case .listDays: effects.append(.report(.days))
        case .listClips(let day):
            self.day = day
            effects.append(.report(.clips(day)))
        }
    }

    mutating func failed(_ number: OrderNumber, _ failure: Failure, at now: Instant, _ effects: inout [Effect]) {
        guard ask?.number == number else { return ignore(number, &effects) }
        fail(failure, at: now, &effects)
    }

    /// The bound of the outstanding answer has passed.
    mutating func timeOut(at now: Instant, _ effects: inout [Effect]) {
        if let ask { effects.append(.abandon(ask.number)) }
        fail(.timeout, at: now, &effects)
    }

    /// All is as before the request, except that a start leaves nothing: what it replaced is gone.
    private mutating func fail(_ failure: Failure, at now: Instant, _ effects: inout [Effect]) {
        guard let step = ask?.order.step else { return }
        ask = nil
        if phase == .startingPreview || phase == .startingPlayback { becomeIdle(at: now) }
        effects.append(.report(.failed(step, failure)))
    }

    mutating func clipEnded(_ number: StartNumber, _ next: Next, at now: Instant, _ effects: inout [Effect]) {
        guard phase == .playing || phase == .paused, number.rawValue == starts else {
            return effects.append(.ignored(number.rawValue > starts ? .unknown : .late))
        }
        switch next {
        case .follows: effects.append(.playOn(number))
        case .hole where reach == .overHoles: effects.append(.playOn(number))
        case .hole(let next): finish(.hole(next: next), at: now, &effects)
        case .end: finish(.end, at: now, &effects)
        }
    }

    private mutating func finish(_ finish: Finish, at now: Instant, _ effects: inout [Effect]) {
        callOffClip(&effects)
        becomeIdle(at: now)
        effects.append(.report(.finished(finish)))
    }

    /// The session goes on, and may connect again within its time; but the clips must be listed anew.
    mutating func connectionLost(at now: Instant, _ effects: inout [Effect]) {
        guard up else {
            // Not connected, only `connect` can be outstanding.
            return ask == nil ? effects.append(.ignored(.notConnected)) : fail(.lost, at: now, &effects)
        }
        giveBack(&effects)
        if phase != .idle { becomeIdle(at: now) }
        up = false
        day = nil
        effects.append(.report(.lost))
    }

    /// Live privacy ends what is live; recorded clips stay playable.
    mutating func changed(_ privacy: Bool, _ effects: inout [Effect]) {
        if privacy == self.privacy { return effects.append(.ignored(.duplicate)) }
        self.privacy = privacy
        if privacy, isLive { end(.privacy, &effects) }
    }

    private func ignore(_ number: OrderNumber, _ effects: inout [Effect]) {
        effects.append(.ignored(number.rawValue > orders ? .unknown : .late))
    }
}
