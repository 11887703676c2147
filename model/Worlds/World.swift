public import Explorer

/// One labelled step: what came in, and what the machine answered.
public struct Labelled<Event: Hashable & Sendable, Effect: Hashable & Sendable>: Hashable, Sendable {
    /// What came in.
    public let event: Event
    /// What the machine ordered, in order.
    public let effects: [Effect]

    /// A label.
    public init(_ event: Event, _ effects: [Effect]) {
        self.event = event
        self.effects = effects
    }
}

/// A machine in the strongest world that an alphabet allows: any of its events in any reachable state. So late, repeated,
/// lost and crossing answers, failures, toggles and drains need no model of the world.
///
/// A state is kept modulo translation of time and modulo numbering, and an answer names the class of its number (model/README.md
/// "Form"), so that the graph is finite.
public protocol World: Model, Sendable where Action == Labelled<Event, Effect>, State: Sendable {
    /// What can come in.
    associatedtype Event: Hashable & Sendable
    /// What the machine can order.
    associatedtype Effect: Hashable & Sendable

    /// The state in the notation of model/README.md "Lines".
    func text(of state: State) -> String
    /// The event in the same notation.
    func text(of event: Event) -> String
    /// The effect in the same notation; nil for one that the notation leaves out.
    func text(of effect: Effect) -> String?
}

extension Graph where M: World {
    /// The whole graph, one line a step, sorted by code point: what the TLA+ model prints for the same configuration.
    public func lines(of world: M) -> [String] {
        let texts = states.map(world.text(of:))
        var lines: [String] = []
        lines.reserveCapacity(edgeCount)
        for source in states.indices {
            for edge in edges[source] {
                let effects = edge.action.effects.compactMap(world.text(of:))
                let answer = effects.isEmpty ? "-" : effects.joined(separator: "; ")
                let event = world.text(of: edge.action.event)
                lines.append("\(texts[source]) | \(event) -> \(texts[edge.target]) | \(answer)")
            }
        }
        return lines.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
    }
}
