public import Explorer
public import Machines

extension SessionWorld {
    /// What holds from any state on once no request comes any more: for a world with the alphabet `calm`.
    public static let calmProperties: [Property<SessionWorld>] = [
        Property(
            "L9 a session that is not extended ends",
            .leadsTo({ _ in true }, { $0.session.hasEnded }, fairness: { _ in [time, player] })),
        Property(
            "L9 an answer comes, or the order fails",
            .leadsTo({ $0.session.ask != nil }, { $0.session.ask == nil }, fairness: { _ in [time] })),
        Property(
            "L9 a held clip does not hold the camera",
            .leadsTo({ $0.session.phase == .paused }, { $0.session.phase != .paused }, fairness: { _ in [time] })),
    ]

    /// What holds whatever else is asked: for a world with the alphabet `withoutExtension`.
    public static let unextendedProperties: [Property<SessionWorld>] = [
        Property(
            "L9 a live session that is not extended does not stay live",
            .leadsTo({ $0.session.isLive }, { !$0.session.isLive }, fairness: { _ in [time] }))
    ]

    /// F-time: time passes.
    public static var time: Fairness<Labelled<Event, Session.Effect>> {
        Fairness(
            .weak, "F-time",
            because: "the timer of a machine's next deadline steps it; the watchdog is not fed while a deadline is late"
        ) { $0.event == .tick }
    }

    /// F-player: playback comes to the end of the day, if nothing ends it before.
    public static var player: Fairness<Labelled<Event, Session.Effect>> {
        Fairness(
            .weak, "F-player",
            because:
                "a day has finitely many clips, each a finite file; the player reports the last one's end, or the connection's"
        ) { $0.event == .clipEnded(.current, .end) }
    }
}
