import Machines

extension SessionWorld {
    /// What the effects owe to each other and to the state.
    static let bookkeeping: [Property<SessionWorld>] = [
        .moves("S11 who hears the effects knows the state") { move in
            var listener = SessionListener(move.source.form)
            for effect in move.effects { listener.hear(effect) }
            var told = listener.form
            told.boundMs = move.target.form.boundMs
            told.leftMs = move.target.form.leftMs
            told.privacy = move.target.form.privacy
            told.reach = move.target.form.reach
            return told == move.target.form
        },
        .moves("S11 one step, one report") { move in
            // A tick may bring the bound of an answer and the end of the session.
            move.reports.count <= (move.isTimeout && move.isExpiry ? 2 : 1)
        },
        .moves("S11 privacy is what it was last said to be") { move in
            let said: Bool? = if case .privacy(let on) = move.event, !move.before.hasEnded { on } else { nil }
            return move.after.privacy == said ?? move.before.privacy
        },
        .states("S10 the outstanding order is the last one") { session, _ in
            guard let ask = session.ask else { return true }
            guard case .startPlayback(let start, _, _) = ask.order else { return ask.number.rawValue == session.orders }
            return ask.number.rawValue == session.orders && start.rawValue == session.starts
        },
        .moves("S10 an order follows from a request, has a new number, and one is outstanding at a time") { move in
            move.orders.count <= 1
                && move.orders.allSatisfy { number, _ in number.rawValue == move.before.orders + 1 }
                && (move.orders.isEmpty || move.before.ask == nil || !move.abandoned.isEmpty)
                && (move.orders.isEmpty || move.request != nil)
        },
        .moves("S10 an answer that is no longer waited for is abandoned") { move in
            guard let ask = move.before.ask else { return move.abandoned.isEmpty }
            let dropped = move.after.ask == nil || !move.orders.isEmpty
            let lostWhileConnecting = move.event == .connectionLost && !move.before.up
            return move.abandoned == (dropped && !move.isAnswer && !lostWhileConnecting ? [ask.number] : [])
        },
        .moves("S10 an order is given up only by its bound, an end, or a request that makes it void") { move in
            guard let ask = move.before.ask, !move.abandoned.isEmpty, let request = move.request else { return true }
            switch request {
            case .mute(true): return ask.order == .unmute
            case .talk(false): return ask.order == .talkOn
            case .record(false): return ask.order == .recordOn
            case .startPlayback, .stopPlayback, .stopPreview: return true
            default: return false
            }
        },
        .moves("S10 what is on is turned off, and nothing else") { move in
            let request = move.isAccepted ? move.request : nil
            let (before, after) = (move.before, move.after)
            return move.has(.recordOff, exactlyIf: before.record && !after.record || request == .record(false))
                && move.has(.talkOff, exactlyIf: before.talk && !after.talk || request == .talk(false))
                && move.has(.mute, exactlyIf: before.sound && !after.sound || request == .mute(true))
        },
        .moves("S10 what is shown is stopped when it is left") { move in
            let (before, after) = (move.before, move.after)
            // A start that fails has left nothing; a clip that has ended is over.
            let startFails = move.event == .failed(.current) || move.isTimeout
            let preview = before.isLive && !after.isLive && !(startFails && before.phase == .startingPreview)
            let clipEnds = if case .clipEnded(.current, _) = move.event { true } else { false }
            let playback =
                before.isPlayback && !after.isPlayback && !(startFails && before.phase == .startingPlayback)
                && !clipEnds
            return move.has(.stopPreview, exactlyIf: preview) && move.has(.stopPlayback, exactlyIf: playback)
        },
        .moves("S10 an ended session is disconnected") { move in
            let connected = move.before.up || move.before.ask?.order == .connect
            // A connect that was given up by its bound in the same tick is over already.
            let ends = move.after.hasEnded && !move.before.hasEnded && !(move.isTimeout && !move.before.up)
            return move.has(.disconnect, exactlyIf: ends && connected)
        },
        .moves("S10 effects come in their order") { move in
            let ranks = move.effects.map(rank)
            // After the bound of an answer in the same tick, the end of the session gives back anew.
            let split = move.isTimeout ? min(2, ranks.count) : 0
            return increase(ranks[..<split]) && increase(ranks[split...])
        },
    ]

    private static func increase(_ ranks: ArraySlice<Int>) -> Bool {
        zip(ranks, ranks.dropFirst()).allSatisfy { $0 < $1 }
    }

    /// The place of an effect in a step.
    private static func rank(_ effect: Session.Effect) -> Int {
        switch effect {
        case .abandon: 0
        case .recordOff: 1
        case .talkOff: 2
        case .mute: 3
        case .stopPreview: 4
        case .stopPlayback: 5
        case .disconnect: 6
        case .order, .setSpeed, .playOn: 7
        case .report: 8
        case .refused, .ignored: 9
        }
    }

    /// That time does what it must, and nothing else.
    static let bounds: [Property<SessionWorld>] = [
        .states("Bounds the next deadline is the earliest") { session, _ in
            session.nextDeadline == [session.ask?.until, session.left].compactMap { $0 }.min()
        },
        .states("Bounds none is overdue, none is longer than it may be") { session, now in
            [(session.ask?.until, session.bounds.answerMs), (session.left, session.bounds.durationMs)].allSatisfy {
                until, most in until.map { 0 < $0 - now && $0 - now <= most } ?? true
            }
        },
        .states("Bounds a time is set exactly while idle, previewing or paused") { session, _ in
            (session.left != nil) == [.idle, .previewing, .paused].contains(session.phase)
        },
        .moves("Bounds an answer is due from its order on, and time runs") { move in
            guard let left = move.target.form.boundMs else { return true }
            if !move.orders.isEmpty { return left == move.before.bounds.answerMs }
            return move.source.form.boundMs == (move.event == .tick ? left + tickMs : left)
        },
        .moves("Bounds no answer is waited for beyond its bound") { move in
            guard move.isTimeout, let ask = move.before.ask else { return true }
            return Array(move.effects.prefix(2)) == [
                .abandon(ask.number), .report(.failed(ask.order.step, .timeout)),
            ]
        },
        .moves(
            restating: "L9 time is renewed by entering, by a request while idle or paused, and by an extension from now"
        ) {
            move in
            let (before, after) = (move.before, move.after)
            guard let left = move.target.form.leftMs else { return true }
            let entered = before.phase != after.phase
            let asked = !move.orders.isEmpty && before.phase != .previewing
            let extended = move.event == .request(.extend)
            if entered || asked || extended { return left == before.bounds.durationMs }
            return move.source.form.leftMs == (move.event == .tick ? left + tickMs : left)
        },
    ]
}
