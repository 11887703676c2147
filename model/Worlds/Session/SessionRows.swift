import Machines

/// The rows of docs/design/session.md "Requests": what may speak against a request, in its order, and what each word means.
enum SessionRows {
    /// What may speak against the request of a session that has not ended, the first that holds is the answer.
    static func objections(to request: Session.Request) -> [Session.Effect] {
        func refused(_ reasons: Session.Refusal...) -> [Session.Effect] { reasons.map { .refused(request.step, $0) } }
        let turnOn: [Session.Effect] = refused(.notConnected, .notPreviewing) + [.ignored(.duplicate)] + refused(.busy)
        let turnOff: [Session.Effect] = refused(.notConnected) + [.ignored(.duplicate)]
        switch request {
        case .connect: return refused(.already)
        case .startPreview: return refused(.notConnected, .already, .playbackRunning, .privacy, .full, .busy)
        case .startPlayback: return refused(.notConnected, .previewRunning, .notListed, .outside, .busy)
        case .pause: return refused(.notConnected, .notPlaying, .busy)
        case .resume: return refused(.notConnected, .notPaused, .busy)
        case .speed: return refused(.notConnected, .notPlaying, .outside) + [.ignored(.duplicate)]
        case .definition, .talk(true): return turnOn
        case .mute(false): return refused(.notConnected, .notShowing) + [.ignored(.duplicate)] + refused(.busy)
        case .mute(true), .talk(false), .record(false): return turnOff
        case .record(true): return refused(.notConnected, .notShowing) + [.ignored(.duplicate)] + refused(.busy)
        case .listDays: return refused(.notConnected, .busy)
        case .listClips: return refused(.notConnected, .previewRunning, .busy)
        case .stopPreview: return refused(.notConnected, .notPreviewing)
        case .stopPlayback: return refused(.notConnected, .notPlaying)
        case .extend: return [.ignored(.notLimited)]
        }
    }

    /// The answer that turns the request down; nil if it must be met.
    static func answer(to request: Session.Request, in session: Session) -> Session.Effect? {
        if session.hasEnded { return .refused(request.step, .ended) }
        return objections(to: request).first { objection in
            switch objection {
            case .refused(_, let why): holds(why, request, session)
            case .ignored(.notLimited): session.left == nil
            default: isSo(request, session)
            }
        }
    }

    /// What the word means.
    private static func holds(_ why: Session.Refusal, _ request: Session.Request, _ session: Session) -> Bool {
        switch why {
        case .ended: return session.hasEnded
        case .notConnected: return !session.up
        case .already: return request == .connect ? session.up || session.ask?.order == .connect : session.isLive
        case .playbackRunning: return session.isPlayback
        case .previewRunning: return session.isLive
        case .privacy: return session.privacy
        case .full: if case .startPreview(_, let others) = request { return others >= 5 } else { return false }
        case .notListed:
            if case .startPlayback(let day, _, _) = request { return session.day != day } else { return false }
        case .outside:
            switch request {
            case .startPlayback(_, let position, _):
                return !(position.startMs..<position.stopMs).contains(position.playTimeMs)
            case .speed(let hundredths): return ![25, 50, 100, 200, 400, 800, 1_600].contains(hundredths)
            default: return false
            }
        case .notPlaying:
            switch request.step {
            case .pause: return session.phase != .playing
            case .speed: return session.phase != .playing && session.phase != .paused
            default: return !session.isPlayback
            }
        case .notPaused: return session.phase != .paused
        case .notPreviewing: return request == .stopPreview ? !session.isLive : session.phase != .previewing
        case .notShowing:
            let shows = session.phase == .previewing || session.phase == .playing
            return !shows && !(request.step == .mute && session.phase == .paused)
        case .busy:
            guard let step = session.ask?.order.step else { return false }
            return request.step != .startPlayback || ![.startPlayback, .pause, .resume].contains(step)
        }
    }

    /// What is asked for is so, or, of turning something off, it is neither on nor being turned on.
    private static func isSo(_ request: Session.Request, _ session: Session) -> Bool {
        switch request {
        case .speed(let hundredths): session.speed?.rawValue == hundredths
        case .definition(let definition): session.definition == definition
        case .mute(false): session.sound
        case .mute(true): !session.sound && session.ask?.order != .unmute
        case .talk(true): session.talk
        case .talk(false): !session.talk && session.ask?.order != .talkOn
        case .record(true): session.record
        case .record(false): !session.record && session.ask?.order != .recordOn
        case .connect, .startPreview, .startPlayback, .pause, .resume, .listDays, .listClips, .stopPreview,
            .stopPlayback, .extend:
            false
        }
    }

    /// What meeting the request orders or tells: the last effect. A start is numbered after those before it.
    static func meets(_ request: Session.Request, with effect: Session.Effect?, in session: Session) -> Bool {
        func orders(_ order: Session.Order) -> Bool {
            effect == .order(Session.OrderNumber(session.orders + 1), order)
        }
        return switch request {
        case .connect: orders(.connect)
        case .startPreview(let definition, _): orders(.startPreview(definition))
        case .startPlayback(let day, let position, _):
            orders(.startPlayback(Session.StartNumber(session.starts + 1), day, position))
        case .pause: orders(.pause)
        case .resume: orders(.resume)
        case .speed(let hundredths): effect == Session.Speed(rawValue: hundredths).map(Session.Effect.setSpeed)
        case .definition(let definition): orders(.setDefinition(definition))
        case .mute(let muted): muted ? effect == .mute : orders(.unmute)
        case .talk(let on): on ? orders(.talkOn) : effect == .talkOff
        case .record(let on): on ? orders(.recordOn) : effect == .recordOff
        case .listDays: orders(.listDays)
        case .listClips(let day): orders(.listClips(day))
        case .stopPreview, .stopPlayback: effect == .report(.stopped)
        case .extend: effect == .report(.extended)
        }
    }
}
