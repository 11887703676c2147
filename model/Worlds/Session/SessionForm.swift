import Machines

/// A session modulo numbers and the translation of time: the fields of model/README.md "Session".
struct SessionForm: Hashable, Sendable {
    var phase: Session.Phase
    var up: Bool
    var day: Session.Day?
    /// The outstanding order, its start numbered 0.
    var order: Session.Order?
    /// Milliseconds until its answer is no longer waited for.
    var boundMs: Int64?
    /// Milliseconds until the session expires.
    var leftMs: Int64?
    var definition: Session.Definition?
    var sound: Bool
    var talk: Bool
    var record: Bool
    var speed: Session.Speed?
    var reach: Session.Reach?
    var privacy: Bool

    init(_ session: Session, at now: Instant) {
        phase = session.phase
        up = session.up
        day = session.day
        order = session.ask.map { Self.unnumbered($0.order) }
        boundMs = session.ask.map { Self.left(until: $0.until, from: now) }
        leftMs = session.left.map { Self.left(until: $0, from: now) }
        definition = session.definition
        sound = session.sound
        talk = session.talk
        record = session.record
        speed = session.speed
        reach = session.reach
        privacy = session.privacy
    }

    /// What never comes is no nearer for the time that passes.
    private static func left(until end: Instant, from now: Instant) -> Int64 { end.ms == .max ? .max : end - now }

    static func unnumbered(_ order: Session.Order) -> Session.Order {
        guard case .startPlayback(_, let day, let position) = order else { return order }
        return .startPlayback(Session.StartNumber(0), day, position)
    }
}
