import Machines

extension SessionWorld {
    static let days = [Session.Day(1), Session.Day(2)]
    /// The first moment of a clip.
    static let inside = Session.Position(clip: 1, startMs: 100, stopMs: 200, playTimeMs: 100)
    /// The first moment after it.
    static let outside = Session.Position(clip: 1, startMs: 100, stopMs: 200, playTimeMs: 200)
    static let hole = Session.Next.hole(next: 300)

    /// What can come in, in a fixed order.
    func events(in session: Session) -> [Event] {
        var events: [Event] = session.ask == nil ? [] : [.did(.current), .failed(.current)]
        if Self.showsClip(session) {
            events += [.clipEnded(.current, .follows), .clipEnded(.current, Self.hole), .clipEnded(.current, .end)]
        }
        switch alphabet {
        case .all: return events + Self.common + live + playback(Self.days) + [.request(.extend)]
        case .withoutExtension: return events + Self.common + live + playback(Self.days)
        case .preview:
            let others: [Session.Request] = [
                .startPlayback(Self.days[0], Self.inside), .listClips(Self.days[0]), .listDays, .extend,
            ]
            return events + Self.common + live + others.map(Event.request)
        case .playback:
            let others: [Session.Request] = [.startPreview(.hd, others: 0), .stopPreview, .extend]
            return events + Self.common + playback([Self.days[0]]) + others.map(Event.request)
        case .calm: return events + [.tick, .connectionLost, .privacy(true), .did(.late)]
        }
    }

    private static let common: [Event] = [
        .tick, .connectionLost, .close, .drain, .did(.late), .did(.unknown), .failed(.late), .failed(.unknown),
        .request(.connect), .request(.record(true)), .request(.record(false)),
    ]

    private var live: [Event] {
        let requests: [Session.Request] = [
            .startPreview(.hd, others: bounds.liveMax - 1), .startPreview(.sd, others: bounds.liveMax - 1),
            .startPreview(.hd, others: bounds.liveMax), .definition(.hd), .definition(.sd), .mute(true), .mute(false),
            .talk(true), .talk(false), .stopPreview,
        ]
        return requests.map(Event.request) + [.privacy(true), .privacy(false)]
    }

    private func playback(_ days: [Session.Day]) -> [Event] {
        let requests: [Session.Request] =
            days.map { .startPlayback($0, Self.inside) } + days.map { .listClips($0) } + [
                .startPlayback(Self.days[0], Self.outside), .startPlayback(Self.days[0], Self.inside, .overHoles),
                .pause,
                .resume, .speed(hundredths: 100), .speed(hundredths: 200), .speed(hundredths: 300), .listDays,
                .stopPlayback,
            ]
        return requests.map(Event.request) + [.clipEnded(.late, .end), .clipEnded(.unknown, .end)]
    }
}
