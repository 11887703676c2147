import Machines

/// One step of a session, with the words that the properties are written in.
struct SessionMove {
    let source: SessionWorld.State
    let event: SessionWorld.Event
    let effects: [Session.Effect]
    let target: SessionWorld.State

    /// The session before it.
    var before: Session { source.session }
    /// The session after it; of its class, so its numbers mean nothing here.
    var after: Session { target.session }

    /// What the viewer asks, if it is a request.
    var request: Session.Request? { if case .request(let request) = event { request } else { nil } }

    /// The reports among the effects.
    var reports: [Session.Report] {
        effects.compactMap { if case .report(let report) = $0 { report } else { nil } }
    }

    /// The orders among the effects, with their numbers.
    var orders: [(number: Session.OrderNumber, order: Session.Order)] {
        effects.compactMap { if case .order(let number, let order) = $0 { (number, order) } else { nil } }
    }

    /// The orders that are given up.
    var abandoned: [Session.OrderNumber] {
        effects.compactMap { if case .abandon(let number) = $0 { number } else { nil } }
    }

    /// The starts that are ordered to play on.
    var plays: [Session.StartNumber] {
        effects.compactMap { if case .playOn(let start) = $0 { start } else { nil } }
    }

    /// The answer is that the event does not fit or cannot be met.
    var isTurnedDown: Bool { effects.contains { Self.turnsDown($0) } }

    /// The viewer's request was met.
    var isAccepted: Bool { request != nil && !isTurnedDown }

    /// It answers what is outstanding.
    var isAnswer: Bool { event == .did(.current) || event == .failed(.current) }

    /// The last tick of the outstanding answer.
    var isTimeout: Bool { event == .tick && source.form.boundMs == SessionWorld.tickMs }

    /// The last tick of the session.
    var isExpiry: Bool { event == .tick && source.form.leftMs == SessionWorld.tickMs }

    /// The effects have this one, once.
    func has(_ effect: Session.Effect) -> Bool { effects.count { $0 == effect } == 1 }

    /// The effects have this one once if `condition`, and not at all otherwise.
    func has(_ effect: Session.Effect, exactlyIf condition: Bool) -> Bool {
        effects.count { $0 == effect } == (condition ? 1 : 0)
    }

    static func turnsDown(_ effect: Session.Effect) -> Bool {
        switch effect {
        case .refused, .ignored: true
        case .order, .abandon, .recordOff, .talkOff, .mute, .stopPreview, .stopPlayback, .disconnect, .setSpeed,
            .playOn, .report:
            false
        }
    }
}

extension Property where M == SessionWorld {
    /// Holds for every step.
    static func moves(_ name: String, _ holds: @escaping @Sendable (SessionMove) -> Bool) -> Property {
        Property(name, .steps { holds(SessionMove(source: $0, event: $1.event, effects: $1.effects, target: $2)) })
    }

    /// One that restates the machine.
    static func moves(restating name: String, _ holds: @escaping @Sendable (SessionMove) -> Bool) -> Property {
        Property(
            restating: name,
            .steps { holds(SessionMove(source: $0, event: $1.event, effects: $1.effects, target: $2)) })
    }

    /// Some step satisfies it.
    static func someMove(_ name: String, _ holds: @escaping @Sendable (SessionMove) -> Bool) -> Property {
        Property(
            name, .sometimesStep { holds(SessionMove(source: $0, event: $1.event, effects: $1.effects, target: $2)) })
    }

    /// Holds for every session at its moment.
    static func states(_ name: String, _ holds: @escaping @Sendable (Session, Instant) -> Bool) -> Property {
        Property(name, .always { holds($0.session, $0.now) })
    }
}
