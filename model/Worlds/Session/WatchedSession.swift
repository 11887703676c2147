public import Machines

/// Somebody who looks at a session from outside: who hears what comes in, what is ordered and what is told, and sees nothing of the
/// machine. What such a bystander watches for is said without the machine's own terms, so it cannot be wrong in the same way.
public protocol SessionBystander: Hashable, Sendable {
    /// Somebody who has seen nothing yet.
    init()

    /// Sees one step; false if it broke what is watched for.
    mutating func sees(_ event: SessionWorld.Event, _ effects: [Session.Effect]) -> Bool
}

/// A session and who watches it.
public struct WatchedSession<Watcher: SessionBystander>: World {
    /// What can happen.
    public typealias Event = SessionWorld.Event
    /// What the machine orders.
    public typealias Effect = Session.Effect
    /// One labelled step.
    public typealias Action = Labelled<Event, Effect>

    /// The machine, what was seen of it, and whether the last step was as it should be.
    public struct State: Hashable, Sendable {
        /// The machine at a moment.
        public let session: SessionWorld.State
        /// Who watches.
        public let watcher: Watcher
        /// Nothing was broken in the step that led here.
        public let isGood: Bool
    }

    /// The world that is watched.
    public let world: SessionWorld

    /// A world, watched.
    public init(_ world: SessionWorld) { self.world = world }

    /// The machine before its first step.
    public var initial: [State] { world.initial.map { State(session: $0, watcher: Watcher(), isGood: true) } }

    /// Every event of the alphabet.
    public func successors(of state: State) -> [(action: Action, next: State)] {
        world.successors(of: state.session).map { label, next in
            var watcher = state.watcher
            let isGood = watcher.sees(label.event, label.effects)
            return (label, State(session: next, watcher: watcher, isGood: isGood))
        }
    }

    /// What is watched for, as a promise.
    static func promise(_ name: String) -> Property<Self> { Property(name, .always { $0.isGood }) }

    /// The state as model/README.md writes it, and what is watched.
    public func text(of state: State) -> String { world.text(of: state.session) + " & \(state.watcher)" }

    /// The event as model/README.md writes it.
    public func text(of event: Event) -> String { world.text(of: event) }

    /// The effect as model/README.md writes it.
    public func text(of effect: Effect) -> String? { world.text(of: effect) }
}

extension SessionWorld {
    /// What who listens to the sound watches for.
    public static let sounds = [
        WatchedSession<SoundWatcher>.promise(
            "Session what is started is silent until its viewer asks for sound, and silent again when it is over")
    ]

    /// What who looks at holes watches for.
    public static let holes = [
        WatchedSession<HoleWatcher>.promise("Session playback goes over a hole exactly if its start asked for it")
    ]

    /// What who waits for the end of the day watches for.
    public static let ends = [
        WatchedSession<EndWatcher>.promise("Session playback finishes once, and at the end of the day it must")
    ]
}
