public import Machines

/// A transport and who watches it.
public struct WatchedTransport<Watcher: TransportBystander>: World {
    /// What can come in.
    public typealias Event = TransportWorld.Event
    /// What the machine orders.
    public typealias Effect = PushTransport.Effect
    /// One labelled step.
    public typealias Action = Labelled<Event, Effect>

    /// The machine, what was seen of it, and whether the last step was as it should be.
    public struct State: Hashable, Sendable {
        /// The machine at a moment.
        public let transport: PushTransport
        /// Who watches.
        public let watcher: Watcher
        /// Nothing was broken in the step that led here.
        public let isGood: Bool
    }

    /// The world that is watched.
    public let world: TransportWorld

    /// A world, watched.
    public init(_ world: TransportWorld) { self.world = world }

    /// The machine before its first step.
    public var initial: [State] {
        world.initial.map { State(transport: $0, watcher: Watcher(world, $0), isGood: true) }
    }

    /// Every event of the alphabet.
    public func successors(of state: State) -> [(action: Action, next: State)] {
        world.successors(of: state.transport).map { label, next in
            var watcher = state.watcher
            let isGood = watcher.sees(label.event, label.effects)
            return (label, State(transport: next, watcher: watcher, isGood: isGood))
        }
    }

    /// What is watched for, as a promise.
    static func promise(_ name: String) -> Property<Self> { Property(name, .always { $0.isGood }) }

    /// The state as model/README.md writes it, and what is watched.
    public func text(of state: State) -> String { world.text(of: state.transport) + " & \(state.watcher)" }

    /// The event as model/README.md writes it.
    public func text(of event: Event) -> String { world.text(of: event) }

    /// The effect as model/README.md writes it.
    public func text(of effect: Effect) -> String? { world.text(of: effect) }
}

extension TransportWorld {
    /// What who times the recordings watches for.
    public static let lengths = [
        WatchedTransport<LengthWatcher>.promise(
            "S4 a recording ends when the times of all that took part are over, and not before")
    ]

    /// What who waits for blind time watches for.
    public static let blinds = [
        WatchedTransport<QuietWatcher>.promise(
            "S5 after a recording of motion alone motion counts for nothing until B has passed, and then it counts")
    ]

    /// What who knows what was told watches for.
    public static let grounds = [
        WatchedTransport<GroundWatcher>.promise(
            "S6 it records only while it may, always then where it is continuous, and by what its options name")
    ]
}
