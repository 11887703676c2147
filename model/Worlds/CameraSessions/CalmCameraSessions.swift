public import Explorer
internal import Machines

/// The product after any history, in a world in which nobody asks for anything any more.
public struct CalmCameraSessions: World {
    /// An event, or the moment at which the world becomes calm.
    public enum Event: Hashable, Sendable {
        case event(CameraSessionsWorld.Event)
        case calm
    }

    /// The product, and whether the world is calm.
    public struct State: Hashable, Sendable {
        let all: CameraSessions
        let isCalm: Bool
    }

    /// What the machines order.
    public typealias Effect = CameraSessionsWorld.Effect
    /// One labelled step.
    public typealias Action = Labelled<Event, Effect>

    let world: CameraSessionsWorld

    /// After any history in the world of this view.
    public init(_ view: CameraSessionsView) { world = CameraSessionsWorld(view) }

    /// The camera has taken its first step.
    public var initial: [State] { world.initial.map { State(all: $0, isCalm: false) } }

    /// Any event, or calm; then what is left.
    public func successors(of state: State) -> [(action: Action, next: State)] {
        let steps = world.successors(of: state.all).map { action, next in
            (
                action: Labelled(Event.event(action.event), action.effects),
                next: State(all: next, isCalm: state.isCalm)
            )
        }
        if !state.isCalm { return steps + [(Labelled(.calm, []), State(all: state.all, isCalm: true))] }
        // What is owed between the machines arrives before time passes; answers may come or not.
        let owed = steps.filter { Self.isOwed($0.action.event) }
        return owed.isEmpty ? steps.filter { Self.isAnswer($0.action.event) } : owed
    }

    private static func isOwed(_ event: Event) -> Bool {
        switch event {
        case .event(.mail), .event(.camera(.viewers)), .event(.camera(.hungUp)), .event(.commanded),
            .event(.answered):
            true
        default: false
        }
    }

    private static func isAnswer(_ event: Event) -> Bool {
        switch event {
        case .event(.camera(.tick)), .event(.camera(.dialed)), .event(.camera(.keyframe)),
            .event(.session(_, .did)), .event(.session(_, .failed)):
            true
        default: false
        }
    }

    /// The state as model/README.md writes it, and the world.
    public func text(of state: State) -> String { world.text(of: state.all) + (state.isCalm ? " calm=1" : "") }

    /// The event, or the beginning of calm.
    public func text(of event: Event) -> String {
        if case .event(let event) = event { world.text(of: event) } else { "calm" }
    }

    /// The effect as model/README.md writes it.
    public func text(of effect: Effect) -> String? { world.text(of: effect) }

    /// F-time: time passes.
    public static var time: Fairness<Action> {
        Fairness(
            .strong, "F-time",
            because: "the timer of a machine's next deadline steps it; the watchdog is not fed while a deadline is late"
        ) { $0.event == .event(.camera(.tick)) }
    }

    /// What arrives: no queue between the machines keeps a message for ever.
    public static var mail: Fairness<Action> {
        Fairness(.strong, "F-mail", because: "each message is a turn of a serial queue") { isOwed($0.event) }
    }

    /// What comes sooner or later once nobody asks for anything.
    public static let properties: [Property<CalmCameraSessions>] = [
        Property(
            "L9 all sessions of a camera end",
            .leadsTo(
                { $0.isCalm }, { $0.all.machines.allSatisfy(\.hasEnded) }, fairness: { _ in [time, mail] })),
        Property(
            "L9 a camera that nobody asks for is let go",
            .leadsTo(
                { $0.isCalm }, { $0.all.camera.stopped || $0.all.looking == 0 && $0.all.camera.isLetGo },
                fairness: { _ in [time, mail] })),
    ]
}

extension Camera {
    /// Nobody looks, as far as it knows, and no connection is held.
    fileprivate var isLetGo: Bool { intent.viewers == 0 && link.current == nil }
}
