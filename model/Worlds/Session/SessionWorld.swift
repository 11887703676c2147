public import Machines

/// The world of one session: a viewer, a camera, clips and a clock that do whatever their alphabet allows.
public struct SessionWorld: World {
    /// What can come in, as in the constant `Kind` of model/Session.tla.
    public enum Alphabet: Hashable, Sendable {
        /// Everything.
        case all
        /// What a viewer of the live picture does, and little else.
        case preview
        /// What a viewer of recorded clips does, and little else.
        case playback
        /// Everything but an extension.
        case withoutExtension
        /// No request any more: answers, time, and what happens to a session by itself.
        case calm
    }

    /// Which number an answer carries (model/README.md "Form").
    public enum Class: String, Hashable, Sendable {
        /// The one that is outstanding.
        case current = "cur"
        /// The last one that is over; 0 before there is one.
        case late
        /// One that was never given.
        case unknown
    }

    /// What comes in: an event of the machine, with a class in place of a number.
    public enum Event: Hashable, Sendable {
        case tick
        case request(Session.Request)
        case did(Class)
        case failed(Class)
        case clipEnded(Class, Session.Next)
        case connectionLost
        case privacy(Bool)
        case close
        case drain
    }

    /// A session at a moment. Two are equal if nothing but numbers and a translation of time sets them apart.
    public struct State: Hashable, Sendable {
        /// One session of this class, as it was reached first.
        public let session: Session
        /// The moment.
        public let now: Instant
        /// What all sessions of this class have in common.
        let form: SessionForm

        init(_ session: Session, at now: Instant) {
            self.session = session
            self.now = now
            form = SessionForm(session, at: now)
        }

        /// Nothing but numbers and time sets them apart.
        public static func == (lhs: State, rhs: State) -> Bool { lhs.form == rhs.form }

        /// As equality has it.
        public func hash(into hasher: inout Hasher) { hasher.combine(form) }
    }

    /// One tick, in milliseconds.
    public static let tickMs: Int64 = 1_000

    /// What can come in.
    public let alphabet: Alphabet
    /// The bounds of the sessions: a few ticks each.
    public let bounds: Session.Bounds
    /// Where behaviours begin.
    public let initial: [State]

    /// A world in which a new session begins, with live privacy off and on; bounds in ticks.
    public init(_ alphabet: Alphabet, answer: Int64 = 1, duration: Int64 = 2) {
        self.alphabet = alphabet
        let bounds = Session.Bounds(answerMs: answer * Self.tickMs, durationMs: duration * Self.tickMs)
        let begin = Instant(ms: 0)
        initial = [false, true].map { State(Session(privacy: $0, at: begin, bounds: bounds), at: begin) }
        self.bounds = bounds
    }

    /// A world that begins in any of `states`, which another one reached.
    public init(_ alphabet: Alphabet, from states: [State], of world: SessionWorld) {
        self.alphabet = alphabet
        bounds = world.bounds
        initial = states
    }

    /// One step for each event of the alphabet.
    public func successors(of state: State) -> [(action: Labelled<Event, Session.Effect>, next: State)] {
        events(in: state.session).map { event in
            let now = event == .tick ? state.now + Self.tickMs : state.now
            var session = state.session
            let effects = session.step(Self.concrete(event, for: state.session), at: now)
            return (Labelled(event, effects), State(session, at: now))
        }
    }

    /// The event with its class made a number that fits `session`.
    static func concrete(_ event: Event, for session: Session) -> Session.Event {
        switch event {
        case .tick: .tick
        case .request(let request): .request(request)
        case .did(let number): .did(order(number, session))
        case .failed(let number): .failed(order(number, session), .unreachable)
        case .clipEnded(let number, let next): .clipEnded(start(number, session), next)
        case .connectionLost: .connectionLost
        case .privacy(let privacy): .privacy(privacy)
        case .close: .close
        case .drain: .drain
        }
    }

    private static func order(_ number: Class, _ session: Session) -> Session.OrderNumber {
        let over = session.ask == nil ? session.orders : session.orders &- 1
        switch number {
        case .current: return session.ask?.number ?? Session.OrderNumber(over)
        case .late: return Session.OrderNumber(over)
        case .unknown: return Session.OrderNumber(session.orders &+ 1)
        }
    }

    private static func start(_ number: Class, _ session: Session) -> Session.StartNumber {
        switch number {
        case .current: Session.StartNumber(session.starts)
        // Before a start is answered, its own number is late too.
        case .late: Session.StartNumber(showsClip(session) ? session.starts &- 1 : session.starts)
        case .unknown: Session.StartNumber(session.starts &+ 1)
        }
    }

    /// A clip can come to its end.
    static func showsClip(_ session: Session) -> Bool { session.phase == .playing || session.phase == .paused }
}
