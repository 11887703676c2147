public import Explorer

/// What the properties of a machine notice. Each mutant is the explored graph with one step changed; a property that fails for
/// it kills it. A mutant that survives shows something that no property speaks of, or a freedom that the rules leave.
///
/// Questions about steps are asked of the changed step alone, which decides them: all other steps are as before. Ways
/// (`reachable`) are decided exactly too. What leads to what is asked of the whole changed graph, at most `asking` times
/// for each property, spread evenly over the mutants that are left; `untried` counts the rest. Questions about states are
/// not asked: no mutant has a state that the graph does not have. Nor are witnesses.
///
/// Each mutant is judged twice: by all properties, and by those alone that do not restate the machine. The first score never keeps a
/// property from being asked for the second.
public struct TableMutants<M: World> {
    /// How a step is changed.
    public enum Kind: String, CaseIterable, Sendable {
        /// One of its effects is forgotten.
        case drop
        /// One of its effects comes twice, the second time at the end.
        case double
        /// The effects are those of another step from the same state.
        case swap
        /// The event changes nothing and orders nothing.
        case ignore
        /// It leads to another state: to the one that it comes from (`self`), where another step from there leads (`sibling`), or to
        /// one of two spread over the graph (`far`). The effects stay.
        case redirect
    }

    /// Mutants that are alike: `drop hangUp | enabled | streaming/quiet/idle`.
    public struct Group: Hashable, Comparable, Sendable, CustomStringConvertible {
        /// How the step is changed.
        public let kind: Kind
        /// The effect that is dropped or doubled, or where the step leads instead; else empty.
        public let what: String
        /// The name of the event.
        public let event: String
        /// The first word of the state from which the step comes.
        public let region: String

        /// In one line.
        public var description: String {
            "\(kind.rawValue)\(what.isEmpty ? "" : " ")\(what) | \(event) | \(region)"
        }

        /// In the order of their lines.
        public static func < (a: Group, b: Group) -> Bool { a.description < b.description }
    }

    /// How many there are, and what became of them.
    public struct Tally: Hashable, Sendable {
        /// All.
        public internal(set) var total = 0
        /// A property fails.
        public internal(set) var killed = 0
        /// A property fails that does not restate the machine; one that no step decides is asked of at most `asking` here too.
        public internal(set) var independently = 0
        /// Of those that survive, how many were not asked every question.
        public internal(set) var untried = 0
    }

    struct Mutant {
        let id: Int
        let group: Group
        let source: Int
        let number: Int
        let action: M.Action
        let target: Int
    }

    let graph: Graph<M>
    let machine: M
    let properties: [Property<M>]
    /// Those that no property killed.
    private(set) var left: [Mutant] = []
    /// Those that no property killed which restates nothing, whatever the others did.
    private var unnoticed: [Mutant] = []
    /// What became of each group.
    public private(set) var groups: [Group: Tally] = [:]
    /// How many mutants each property killed: asked in their order until one did, or all of those about steps if `each`.
    public private(set) var kills: [String: Int] = [:]

    /// Makes all mutants of every `stride`-th step and asks the properties, which must all hold for the graph itself.
    public init(
        of graph: Graph<M>, _ machine: M, _ properties: [Property<M>], stride: Int = 1, asking limit: Int = 200,
        each: Bool = false
    ) {
        self.graph = graph
        self.machine = machine
        self.properties = properties
        // Those that restate the machine come last: where one of them is the first to fail, no other does.
        let steps = (properties.filter { !$0.restates } + properties.filter(\.restates)).compactMap { property in
            if case .steps(let holds) = property.question { (property, holds) } else { nil }
        }
        var count = 0, id = 0
        for source in graph.states.indices {
            for number in graph.edges[source].indices {
                count += 1
                guard count % max(stride, 1) == 0 else { continue }
                for mutant in mutants(of: number, source, &id) {
                    groups[mutant.group, default: Tally()].total += 1
                    var killer: Property<M>?
                    for (property, holds) in steps
                    where !holds(graph.states[source], mutant.action, graph.states[mutant.target]) {
                        kills[property.name, default: 0] += 1
                        killer = killer ?? property
                        if !each { break }
                    }
                    file(mutant, killedBy: killer)
                }
            }
        }
        var untried: Set<Int> = []
        for property in properties { askWhole(property, limit, &untried) }
        for mutant in left where untried.contains(mutant.id) { groups[mutant.group, default: Tally()].untried += 1 }
    }

    private mutating func file(_ mutant: Mutant, killedBy killer: Property<M>?) {
        guard let killer else {
            left.append(mutant)
            return unnoticed.append(mutant)
        }
        groups[mutant.group, default: Tally()].killed += 1
        if killer.restates {
            unnoticed.append(mutant)
        } else {
            groups[mutant.group, default: Tally()].independently += 1
        }
    }

    /// The share killed of one kind.
    public func tally(of kind: Kind) -> Tally {
        groups.reduce(into: Tally()) { sum, group in
            guard group.key.kind == kind else { return }
            sum.total += group.value.total
            sum.killed += group.value.killed
            sum.independently += group.value.independently
            sum.untried += group.value.untried
        }
    }

    /// The groups of which not all are killed, in order.
    public var survivors: [Group] { groups.filter { $0.value.killed < $0.value.total }.keys.sorted() }

    /// The groups of which not all are killed by properties that restate nothing, in order: the survivors of the second score.
    public var unnoticedAlone: [Group] { groups.filter { $0.value.independently < $0.value.total }.keys.sorted() }

    private mutating func askWhole(_ property: Property<M>, _ limit: Int, _ untried: inout Set<Int>) {
        let asked = ask(property, left, limit)
        untried.formUnion(asked.untried.map { left[$0].id })
        var killed = Set(asked.killed.map { left[$0].id })
        if !property.restates {
            killed.formUnion(ask(property, unnoticed, limit).killed.map { unnoticed[$0].id })
            for mutant in unnoticed where killed.contains(mutant.id) {
                groups[mutant.group, default: Tally()].independently += 1
            }
            unnoticed.removeAll { killed.contains($0.id) }
        }
        for mutant in left where killed.contains(mutant.id) {
            groups[mutant.group, default: Tally()].killed += 1
            kills[property.name, default: 0] += 1
        }
        left.removeAll { killed.contains($0.id) }
    }

    private func ask(_ property: Property<M>, _ mutants: [Mutant], _ limit: Int) -> Asked {
        switch property.question {
        case .always, .steps, .sometimes, .sometimesStep: Asked()
        case .reachable(let holds, let except): reachable(holds, except, mutants)
        case .leadsTo(let p, let q, let fairness): leadsTo(p, q, fairness(machine), mutants, limit)
        }
    }

    /// The mutants of one step, without those that change nothing or are there twice.
    func mutants(of number: Int, _ source: Int, _ id: inout Int) -> [Mutant] {
        let edge = graph.edges[source][number]
        let region = machine.text(of: graph.states[source]).head
        let event = machine.text(of: edge.action.event).name
        var result: [Mutant] = []
        func add(_ kind: Kind, _ what: String, _ effects: [M.Effect], _ target: Int) {
            let action = Labelled(edge.action.event, effects)
            guard action != edge.action || target != edge.target,
                !result.contains(where: { $0.action == action && $0.target == target })
            else { return }
            let group = Group(kind: kind, what: what, event: event, region: region)
            id += 1
            result.append(
                Mutant(id: id, group: group, source: source, number: number, action: action, target: target))
        }
        let effects = edge.action.effects
        for index in effects.indices {
            var rest = effects
            rest.remove(at: index)
            let name = machine.text(of: effects[index])?.brief ?? "unwritten"
            add(.drop, name, rest, edge.target)
            add(.double, name, effects + [effects[index]], edge.target)
        }
        let others = graph.edges[source].rotated(by: number)
        if let other = others.first(where: { $0.action.effects != effects }) {
            add(.swap, "", other.action.effects, edge.target)
        }
        add(.ignore, "", [], source)
        add(.redirect, "self", effects, source)
        if let sibling = others.first(where: { $0.target != edge.target }) {
            add(.redirect, "sibling", effects, sibling.target)
        }
        let all = graph.states.count
        add(.redirect, "far", effects, (source + all / 3 + number % 7) % all)
        add(.redirect, "far", effects, (source + all * 2 / 3 + number % 11) % all)
        return result
    }
}

extension String {
    /// `hangUp` of `hangUp(a,b)`.
    fileprivate var name: String { String(prefix { $0 != "(" }) }
    /// `closeClip(forced)` of `closeClip(forced,x)`.
    fileprivate var brief: String { contains(",") ? prefix { $0 != "," } + ")" : self }
    /// The first word.
    fileprivate var head: String { String(prefix { $0 != " " }) }
}

extension Array {
    /// The elements after `index`, then those before it.
    fileprivate func rotated(by index: Int) -> [Element] { Array(self[(index + 1)...]) + self[..<index] }
}
