public import Machines

/// Somebody who looks at a camera from outside: who hears what comes in, what is ordered and what is told, and sees nothing of the
/// machine. What such a bystander watches for is said without the machine's own terms, so it cannot be wrong in the same way.
public protocol Bystander: Hashable, Sendable {
    /// Somebody who has seen nothing yet, and who knows the bounds of the view.
    init(_ view: CameraConfiguration)

    /// Sees one step; false if it broke what is watched for.
    mutating func sees(_ fact: CameraFact, _ effects: [Camera.Effect]) -> Bool
}

/// A camera and who watches it.
public struct WatchedCamera<Watcher: Bystander>: World {
    /// What can happen.
    public typealias Event = CameraFact
    /// What the machine orders.
    public typealias Effect = Camera.Effect
    /// One labelled step.
    public typealias Action = Labelled<CameraFact, Camera.Effect>

    /// The machine, what was seen of it, and whether the last step was as it should be.
    public struct State: Hashable, Sendable {
        /// The machine.
        public let camera: Camera
        /// Who watches.
        public let watcher: Watcher
        /// Nothing was broken in the step that led here.
        public let isGood: Bool
    }

    /// The world that is watched.
    public let world: CameraWorld

    /// The world of a view, watched.
    public init(_ view: CameraConfiguration) { world = CameraWorld(view) }

    /// The machine before its first step.
    public var initial: [State] {
        world.initial.map { State(camera: $0, watcher: Watcher(world.view), isGood: true) }
    }

    /// Every event of the alphabet.
    public func successors(of state: State) -> [(action: Action, next: State)] {
        world.successors(of: state.camera).map { label, next in
            var watcher = state.watcher
            let isGood = watcher.sees(label.event, label.effects)
            return (label, State(camera: next, watcher: watcher, isGood: isGood))
        }
    }

    /// What is watched for, as a promise.
    static func promise(_ name: String) -> Property<Self> { Property(name, .always { $0.isGood }) }

    /// The state as model/README.md writes it, and what is watched.
    public func text(of state: State) -> String { world.text(of: state.camera) + " & \(state.watcher)" }

    /// The fact as model/README.md writes it.
    public func text(of fact: CameraFact) -> String { fact.text }

    /// The effect as model/README.md writes it.
    public func text(of effect: Camera.Effect) -> String? { effect.text }
}
