internal import Machines
internal import RandomSource

/// A viewer who asks for a clip from a moment that lies before, in or after it.
struct PositionCase: Sendable, CustomStringConvertible {
    let position: Session.Position
    let effects: [Session.Effect]
    /// What was answered to numbers that were never given.
    let strange: [[Session.Effect]]

    init(_ position: Session.Position) {
        self.position = position
        let now = Instant(ms: 0)
        var session = Session(privacy: false, at: now)
        for request in [Session.Request.connect, .listClips(Self.day)] {
            _ = session.step(.request(request), at: now)
            _ = session.step(.did(Session.OrderNumber(session.orders)), at: now)
        }
        effects = session.step(.request(.startPlayback(Self.day, position)), at: now)
        let order = Session.OrderNumber(rawValue: session.orders + 1)
        let start = Session.StartNumber(rawValue: session.starts + 1)
        strange = [Session.Event.did(order), .clipEnded(start, .end)].map { session.step($0, at: now) }
    }

    static let day = Session.Day(rawValue: 20_000)

    var isInside: Bool { (position.startMs..<max(position.startMs, position.stopMs)).contains(position.playTimeMs) }
    var description: String { "\(position): \(effects)" }
}

/// What docs/design/rules.md "A session" promises of the moment at which a clip begins. The world knows one inside and one after.
enum PositionClaims {
    static let walks = PlanWalks<PositionCase>(
        count: 20,
        walk: { random in
            (1...10).map { _ in
                PositionCase(
                    Session.Position(
                        clip: 1, startMs: random.number(0...10), stopMs: random.number(0...20),
                        playTimeMs: random.number(-5...25)))
            }
        },
        claims: [
            Claim("S9 a start before or after its clip is refused", when: { !$0.isInside }) {
                $0.effects == [.refused(.startPlayback, .outside)]
            },
            Claim("S10 a start within its clip is ordered from there", when: { $0.isInside }) { one in
                one.effects.contains {
                    if case .order(_, .startPlayback(_, PositionCase.day, one.position)) = $0 { true } else { false }
                }
            },
            Claim("S9 what has a number that no order and no start had is ignored as unknown") {
                $0.strange.allSatisfy { $0 == [.ignored(.unknown)] }
            },
        ])
}
