import Machines

extension SessionWorld {
    /// What must hold in any world, whatever comes in.
    public static let properties: [Property<SessionWorld>] =
        picture + refusals + answers + ending + bookkeeping + bounds

    /// What is shown, and what belongs to it.
    private static let picture: [Property<SessionWorld>] = [
        .states("Session preview and playback exclude each other") { session, _ in
            (session.definition != nil) == session.isLive && (session.speed != nil) == session.isPlayback
                && !(session.isLive && session.isPlayback)
        },
        .moves("Session a start of one stops the other first") { move in
            move.orders.allSatisfy { _, order in
                switch order {
                case .startPreview: move.before.phase == .idle
                case .startPlayback: !move.before.isLive
                default: true
                }
            }
        },
        .states("Session live and playing need the connection") { session, _ in
            session.up || !session.isLive && !session.isPlayback && session.day == nil
        },
        .states("Session a preview forgets the list") { session, _ in !session.isLive || session.day == nil },
        .moves("Session a list is fresh only by being listed") { move in
            guard let day = move.after.day, day != move.before.day else { return true }
            return move.event == .did(.current) && move.before.ask?.order == .listClips(day)
        },
        .moves("Session playback needs a fresh list and a playTime in [start, stop)") { move in
            move.orders.allSatisfy { _, order in
                guard case .startPlayback(_, let day, let position) = order else { return true }
                return move.before.up && move.before.day == day && position.startMs <= position.playTimeMs
                    && position.playTimeMs < position.stopMs
            }
        },
        .moves("Session pause only from playing, resume only from paused") { move in
            let orders = move.orders.map(\.order)
            return (!orders.contains(.pause) || move.before.phase == .playing)
                && (!orders.contains(.resume) || move.before.phase == .paused)
                && (move.after.phase != .paused || [.playing, .paused].contains(move.before.phase))
        },
        .states("Session talk only while previewing") { session, _ in
            !session.talk && session.ask?.order != .talkOn || session.phase == .previewing
        },
        .states("Session sound only of what is shown") { session, _ in
            let wanted = session.sound || session.ask?.order == .unmute
            return !wanted || [.previewing, .playing, .paused].contains(session.phase)
        },
        .moves("Session sound is off at each start") { move in
            move.orders.allSatisfy { _, order in
                [.startPreview, .startPlayback].contains(order.step) ? !move.after.sound : true
            }
        },
        .states("Session records only what is shown") { session, _ in
            !session.record || session.phase == .previewing || session.phase == .playing || session.phase == .paused
        },
        .states("Session a start is under way exactly while it is outstanding") { session, _ in
            (session.phase == .startingPreview) == (session.ask?.order.step == .startPreview)
                && (session.phase == .startingPlayback) == (session.ask?.order.step == .startPlayback)
        },
        .moves("Session at most five are live") { move in
            guard case .startPreview(_, let others)? = move.request else {
                return !move.after.isLive || move.before.isLive
            }
            return others < 5 || !move.isAccepted
        },
        .moves("Session a clip plays on that follows, or lies behind a hole that is to be played over") { move in
            let follows = move.event == .clipEnded(.current, .follows)
            let over = move.event == .clipEnded(.current, Self.hole) && move.before.reach == .overHoles
            return move.plays == (follows || over ? [Session.StartNumber(move.before.starts)] : [])
        },
        .moves("Session playback reaches as far as its start asked for") { move in
            guard move.after.isPlayback else { return move.after.reach == nil }
            guard case .startPlayback(_, _, let reach)? = move.request, move.isAccepted else {
                return move.after.reach == move.before.reach
            }
            return move.after.reach == reach
        },
        .states("S7 nothing is live while live privacy is on") { session, _ in
            !session.privacy || !session.isLive && !session.talk && (!session.sound || session.isPlayback)
        },
        .moves("S7 live privacy ends what is live, and nothing else") { move in
            guard move.event == .privacy(true), !move.before.hasEnded, !move.before.privacy else { return true }
            return move.before.isLive ? move.after.phase == .ended(.privacy) : move.effects.isEmpty
        },
    ]

    /// Requests that cannot be met, and those that must be.
    private static let refusals: [Property<SessionWorld>] = [
        .moves(restating: "S9 a request is turned down exactly for the first reason of its row, by its step") { move in
            guard let request = move.request else { return true }
            let answer = SessionRows.answer(to: request, in: move.before)
            return answer.map { move.effects == [$0] } ?? !move.isTurnedDown
        },
        .moves(restating: "Session a request that is met orders what it asks for") { move in
            guard move.isAccepted, let request = move.request else { return true }
            return SessionRows.meets(request, with: move.effects.last, in: move.before)
        },
        .moves("S11 every request is met, refused or ignored, and a refusal names its step") { move in
            guard let request = move.request else { return true }
            return !move.effects.isEmpty
                && move.effects.allSatisfy { if case .refused(let step, _) = $0 { step == request.step } else { true } }
        },
        .moves("Session only a request is refused, and speed changes only as asked") { move in
            move.effects.allSatisfy { effect in
                switch effect {
                case .refused: move.request != nil
                case .setSpeed: move.request?.step == .speed
                default: true
                }
            }
        },
        .moves("S9 what is refused or ignored changes nothing") { move in
            !move.isTurnedDown || move.effects.count == 1 && move.source == move.target
        },
        .moves("S9 a late or unknown number is ignored as such") { move in
            guard !move.before.hasEnded else { return true }
            switch move.event {
            case .did(.late), .failed(.late), .clipEnded(.late, _): return move.effects == [.ignored(.late)]
            case .did(.unknown), .failed(.unknown), .clipEnded(.unknown, _): return move.effects == [.ignored(.unknown)]
            default: return !move.effects.contains(.ignored(.late)) && !move.effects.contains(.ignored(.unknown))
            }
        },
        .moves("S9 facts are ignored only as what they are") { move in
            guard move.request == nil, !move.before.hasEnded else { return true }
            let duplicate = move.event == .privacy(move.before.privacy)
            let unconnected = move.event == .connectionLost && !move.before.up && move.before.ask == nil
            return move.has(.ignored(.duplicate), exactlyIf: duplicate)
                && move.has(.ignored(.notConnected), exactlyIf: unconnected) && !move.effects.contains(.ignored(.ended))
                && !move.effects.contains(.ignored(.notLimited))
        },
        .moves("S9 an ended session answers nothing") { move in
            guard move.before.hasEnded, move.request == nil else { return true }
            return move.effects == (move.event == .tick ? [] : [.ignored(.ended)])
        },
    ]

    /// What comes back from the world.
    private static let answers: [Property<SessionWorld>] = [
        .moves("S11 what was done is reported as what it was") { move in
            guard move.event == .did(.current), let order = move.before.ask?.order else { return true }
            return move.effects == [.report(done(order))]
        },
        .moves("S11 what failed is reported by its step and why") { move in
            guard let step = move.before.ask?.order.step else { return true }
            if move.event == .failed(.current) { return move.effects == [.report(.failed(step, .unreachable))] }
            let connecting = move.event == .connectionLost && !move.before.up
            return move.has(.report(.failed(step, .lost)), exactlyIf: connecting)
                && move.has(.report(.failed(step, .timeout)), exactlyIf: move.isTimeout)
        },
        .moves("S11 a report has its cause") { move in
            move.reports.allSatisfy { report in
                switch report {
                case .connected, .previewing, .playing, .paused, .definition, .soundOn, .talkOn, .recordOn, .days,
                    .clips:
                    move.event == .did(.current)
                case .failed(_, .timeout): move.isTimeout
                case .failed(_, .lost), .lost: move.event == .connectionLost
                case .failed: move.event == .failed(.current)
                case .finished(.hole): move.event == .clipEnded(.current, Self.hole)
                case .finished(.end): move.event == .clipEnded(.current, .end)
                case .stopped: move.request == .stopPreview || move.request == .stopPlayback
                case .extended: move.request == .extend
                case .ended: move.after.hasEnded
                }
            }
        },
        .moves("Session a lost connection is reported, and ends nothing") { move in
            move.has(.report(.lost), exactlyIf: move.event == .connectionLost && move.before.up)
        },
        .moves("Session finished at a hole that is not played over or at the end, and only then") { move in
            let hole = Session.Report.finished(.hole(next: 300))
            let stops = move.event == .clipEnded(.current, Self.hole) && move.before.reach == nil
            return move.has(.report(hole), exactlyIf: stops)
                && move.has(.report(.finished(.end)), exactlyIf: move.event == .clipEnded(.current, .end))
        },
    ]

    private static func done(_ order: Session.Order) -> Session.Report {
        switch order {
        case .connect: .connected
        case .startPreview(let definition): .previewing(definition)
        case .startPlayback, .resume: .playing
        case .pause: .paused
        case .setDefinition(let definition): .definition(definition)
        case .unmute: .soundOn
        case .talkOn: .talkOn
        case .recordOn: .recordOn
        case .listDays: .days
        case .listClips(let day): .clips(day)
        }
    }

    /// How a session ends, and that it need not.
    private static let ending: [Property<SessionWorld>] = [
        .moves("Session ends for a named cause, and then it must") { move in
            guard !move.before.hasEnded else { return move.source == move.target }
            let why: Session.Ending? =
                switch move.event {
                case .close: .closed
                case .drain: .draining
                case .privacy(true): move.before.isLive && !move.before.privacy ? .privacy : nil
                case .tick: move.isExpiry ? .expired : nil
                default: nil
                }
            return Session.Ending.allCases.allSatisfy { move.has(.report(.ended($0)), exactlyIf: $0 == why) }
        },
        .states("S8 an ended session owes nothing") { session, _ in
            !session.hasEnded
                || session.ask == nil && session.left == nil && session.nextDeadline == nil && !session.up
                    && session.day == nil && !session.sound && !session.talk && !session.record
        },
        .init(
            "R from every state but ended there is a way to the live picture",
            .reachable({ $0.session.phase == .previewing }, except: { $0.session.hasEnded })),
        .init(
            "R from every state but ended there is a way to a clip",
            .reachable({ $0.session.phase == .playing }, except: { $0.session.hasEnded })),
    ]
}
