/// The reachable states of a model, all of them, with whole states (no fingerprints, so no argument about collisions).
///
/// Breadth first: node numbers grow with the distance from the initial states, so the first violation found is a nearest one.
public struct Graph<M: Model> {
    /// One step.
    public struct Edge {
        /// Its label.
        public let action: M.Action
        /// Where it leads: an index into `states`.
        public let target: Int
    }

    /// Exploration went over its bound: something unbounded leaked into the state.
    public struct TooLarge: Error, CustomStringConvertible {
        /// The bound, in states.
        public let limit: Int
        /// In words, with what to look for.
        public var description: String {
            "more than \(limit) states: something unbounded is in the state, or the bound is too low"
        }
    }

    /// The states, nearest first.
    public private(set) var states: [M.State] = []
    /// The steps out of each state, in the model's order.
    public private(set) var edges: [[Edge]] = []
    /// The number of steps from an initial state, for each state.
    public private(set) var depth: [Int] = []
    /// The step by which each state was found first: (source, edge), or nil for an initial state.
    private(set) var parents: [(source: Int, edge: Int)?] = []

    /// Explores `model` completely; throws `TooLarge` beyond `limit` states.
    public init(_ model: M, limit: Int = 2_000_000) throws(TooLarge) {
        var index: [M.State: Int] = [:]
        func number(of state: M.State, from parent: (source: Int, edge: Int)?) throws(TooLarge) -> Int {
            if let known = index[state] { return known }
            guard states.count < limit else { throw TooLarge(limit: limit) }
            index[state] = states.count
            states.append(state)
            edges.append([])
            parents.append(parent)
            depth.append(parent.map { depth[$0.source] + 1 } ?? 0)
            return states.count - 1
        }
        for state in model.initial { _ = try number(of: state, from: nil) }
        var next = 0
        while next < states.count {
            for (action, target) in model.successors(of: states[next]) {
                let target = try number(of: target, from: (next, edges[next].count))
                edges[next].append(Edge(action: action, target: target))
            }
            next += 1
        }
    }

    /// The number of steps between all states.
    public var edgeCount: Int { edges.reduce(0) { $0 + $1.count } }

    /// A shortest way from an initial state to `state`.
    public func path(to state: Int) -> Path<M> {
        var steps: [Path<M>.Step] = []
        var at = state
        while let parent = parents[at] {
            steps.append(Path.Step(action: edges[parent.source][parent.edge].action, state: states[at]))
            at = parent.source
        }
        return Path(start: states[at], steps: steps.reversed(), cycle: [])
    }

    private init() {}

    /// What can still be reached if the step `number` of `source` were labelled `action` and led to `target`.
    public func changing(_ number: Int, of source: Int, action: M.Action, target: Int) -> Graph {
        var table = edges
        table[source][number] = Edge(action: action, target: target)
        var changed = Graph()
        var index = [Int?](repeating: nil, count: states.count)
        var order: [Int] = []
        func visit(_ state: Int, from parent: (source: Int, edge: Int)?) -> Int {
            if let known = index[state] { return known }
            index[state] = order.count
            order.append(state)
            changed.states.append(states[state])
            changed.edges.append([])
            changed.parents.append(parent)
            changed.depth.append(parent.map { changed.depth[$0.source] + 1 } ?? 0)
            return order.count - 1
        }
        for state in states.indices where parents[state] == nil { _ = visit(state, from: nil) }
        var next = 0
        while next < order.count {
            for edge in table[order[next]] {
                let target = visit(edge.target, from: (next, changed.edges[next].count))
                changed.edges[next].append(Edge(action: edge.action, target: target))
            }
            next += 1
        }
        return changed
    }
}
