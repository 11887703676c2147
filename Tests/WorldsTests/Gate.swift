import Explorer
import Worlds

/// A machine that one can read at a glance: a gate that opens when it is pushed and shuts two ticks later; a lock keeps it shut.
struct Gate: World {
    enum Event: String, CaseIterable { case push, tick, lock, unlock }
    enum Effect: String { case up, down, light, refused }

    struct State: Hashable {
        var left = 0
        var locked = false
    }

    var initial: [State] { [State()] }

    func successors(of state: State) -> [(action: Labelled<Event, Effect>, next: State)] {
        Event.allCases.map { event in
            var next = state
            let effects = Self.step(&next, event)
            return (Labelled(event, effects), next)
        }
    }

    static func step(_ state: inout State, _ event: Event) -> [Effect] {
        switch event {
        case .push:
            if state.locked || state.left > 0 { return [.refused] }
            state.left = 2
            return [.up, .light]
        case .tick:
            guard state.left > 0 else { return [] }
            state.left -= 1
            return state.left == 0 ? [.down] : []
        case .lock:
            let shuts = state.left > 0
            state = State(left: 0, locked: true)
            return shuts ? [.down] : []
        case .unlock:
            state.locked = false
            return []
        }
    }

    func text(of state: State) -> String {
        "\(state.left > 0 ? "open" : state.locked ? "locked" : "shut") left=\(state.left)"
    }
    func text(of event: Event) -> String { event.rawValue }
    func text(of effect: Effect) -> String? { effect.rawValue }

    static let properties: [Property<Gate>] = [
        Property(
            "the motor moves the gate",
            .steps { before, step, after in
                let moves = (before.left > 0) != (after.left > 0)
                return moves == step.effects.contains { $0 == .up || $0 == .down }
            }),
        Property("a lock locks", .steps { _, step, after in step.event != .lock || after.locked }),
        Property("locked means shut", .always { !$0.locked || $0.left == 0 }),
        Property(
            "a push that does nothing says so",
            .steps { before, step, after in
                step.event != .push || before != after || step.effects == [.refused]
            }),
        Property(
            "the gate shuts",
            .leadsTo(
                { $0.left > 0 }, { $0.left == 0 },
                fairness: { _ in
                    [Fairness(.weak, "ticks", because: "a clock runs") { $0.event == .tick }]
                })),
        Property("it can be opened", .reachable({ $0.left > 0 }, except: { _ in false })),
        Property("it is locked sometimes", .sometimes { $0.locked }),
    ]
}
