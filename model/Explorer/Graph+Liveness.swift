extension Graph {
    /// A fair behaviour in which `p` holds at some moment and `q` never does from then on; nil if `p` leads to `q`.
    ///
    /// Behaviours may stutter for ever in any state unless a fairness assumption forbids it. The search is the one for
    /// Streett conditions: within the states without `q` that are reachable from `p` without `q`, a strongly connected
    /// component carries a fair behaviour if each weakly fair action is disabled somewhere in it or taken in it, and each
    /// strongly fair action is disabled everywhere in it or taken in it. A component that fails a strong assumption may
    /// hold a smaller one that avoids the states where the action is enabled, so those are taken out and it is split again.
    public func leadsTo(
        _ p: (M.State) -> Bool, _ q: (M.State) -> Bool, fairness: [Fairness<M.Action>] = []
    ) -> Path<M>? {
        let without = states.map { !q($0) }
        let begins = states.indices.filter { without[$0] && p(states[$0]) }
        var inside = Array(repeating: false, count: states.count)
        var cameFrom: [Int: (source: Int, edge: Int)] = [:]
        var queue = begins
        for begin in begins { inside[begin] = true }
        var next = 0
        while next < queue.count {
            let source = queue[next]
            next += 1
            for (number, edge) in edges[source].enumerated() where without[edge.target] && !inside[edge.target] {
                inside[edge.target] = true
                cameFrom[edge.target] = (source, number)
                queue.append(edge.target)
            }
        }
        guard let fair = fairComponent(among: queue, fairness) else { return nil }
        return counterexample(fair, cameFrom, fairness)
    }

    /// A set of states that a fair behaviour can stay in and visit all of again and again, if there is one.
    private func fairComponent(among nodes: [Int], _ fairness: [Fairness<M.Action>]) -> [Int]? {
        var pending = [nodes]
        while let part = pending.popLast() {
            for component in components(of: part) {
                let members = Set(component)
                let taken = fairness.map { takes($0, in: component, members) }
                let weakHolds = fairness.indices.allSatisfy { index in
                    fairness[index].strength == .strong || taken[index]
                        || component.contains { !enables(fairness[index], at: $0) }
                }
                let broken = fairness.indices.filter { index in
                    fairness[index].strength == .strong && !taken[index]
                        && component.contains { enables(fairness[index], at: $0) }
                }
                if weakHolds, broken.isEmpty { return component }
                // A weak breach is a property of every state of the component, so no part of it is better. A strong one
                // may be avoided by a part.
                guard weakHolds else { continue }
                let rest = component.filter { node in !broken.contains { enables(fairness[$0], at: node) } }
                if !rest.isEmpty { pending.append(rest) }
            }
        }
        return nil
    }

    /// Whether the action has a step out of `node` that changes the state.
    private func enables(_ fairness: Fairness<M.Action>, at node: Int) -> Bool {
        edges[node].contains { $0.target != node && fairness.includes($0.action) }
    }

    /// Whether the action has such a step inside the component.
    private func takes(_ fairness: Fairness<M.Action>, in component: [Int], _ members: Set<Int>) -> Bool {
        component.contains { node in
            edges[node].contains { $0.target != node && members.contains($0.target) && fairness.includes($0.action) }
        }
    }

    /// The strongly connected components of the graph restricted to `nodes` (Tarjan, without recursion). A single state is
    /// a component: it can stutter.
    private func components(of nodes: [Int]) -> [[Int]] {
        var inside: Set<Int> = []
        for node in nodes { inside.insert(node) }
        var order: [Int: Int] = [:]
        var low: [Int: Int] = [:]
        var onStack: Set<Int> = []
        var stack: [Int] = []
        var result: [[Int]] = []
        for root in nodes where order[root] == nil {
            var work = [(node: root, edge: 0)]
            while let (node, edge) = work.last {
                if edge == 0 {
                    order[node] = order.count
                    low[node] = order[node]
                    stack.append(node)
                    onStack.insert(node)
                }
                if edge < edges[node].count {
                    work[work.count - 1].edge += 1
                    let target = edges[node][edge].target
                    guard inside.contains(target) else { continue }
                    if order[target] == nil {
                        work.append((target, 0))
                    } else if onStack.contains(target) {
                        low[node] = min(low[node] ?? 0, order[target] ?? 0)
                    }
                    continue
                }
                work.removeLast()
                if let parent = work.last?.node { low[parent] = min(low[parent] ?? 0, low[node] ?? 0) }
                guard low[node] == order[node] else { continue }
                var component: [Int] = []
                while let top = stack.popLast() {
                    onStack.remove(top)
                    component.append(top)
                    if top == node { break }
                }
                result.append(component.reversed())
            }
        }
        return result
    }

    /// The way to the component and a real cycle in it that visits what fairness demands.
    private func counterexample(
        _ component: [Int], _ cameFrom: [Int: (source: Int, edge: Int)], _ fairness: [Fairness<M.Action>]
    ) -> Path<M> {
        let members = Set(component)
        let entry = component[0]
        var prefix: [Path<M>.Step] = []
        var begin = entry
        while let (source, edge) = cameFrom[begin] {
            prefix.append(Path.Step(action: edges[source][edge].action, state: states[begin]))
            begin = source
        }
        let way = path(to: begin)
        var cycle: [Path<M>.Step] = []
        var at = entry
        func go(to goal: (Int) -> Bool) {
            guard let walk = walk(from: at, to: goal, members) else { return }
            cycle += walk.map { Path.Step(action: $0.edge.action, state: states[$0.edge.target]) }
            at = walk.last?.edge.target ?? at
        }
        for assumption in fairness {
            if takes(assumption, in: component, members) {
                go { source in
                    self.edges[source].contains {
                        $0.target != source && members.contains($0.target) && assumption.includes($0.action)
                    }
                }
                if let edge = edges[at].first(where: {
                    $0.target != at && members.contains($0.target) && assumption.includes($0.action)
                }) {
                    cycle.append(Path.Step(action: edge.action, state: states[edge.target]))
                    at = edge.target
                }
            } else {
                go { !self.enables(assumption, at: $0) }
            }
        }
        go { $0 == entry }
        return Path(start: way.start, steps: way.steps + prefix.reversed(), cycle: cycle)
    }

    /// A shortest walk inside `members` from `start` to the nearest node that satisfies `goal`; empty if `start` does.
    private func walk(from start: Int, to goal: (Int) -> Bool, _ members: Set<Int>) -> [(source: Int, edge: Edge)]? {
        if goal(start) { return [] }
        var from: [Int: (source: Int, edge: Edge)] = [:]
        var queue = [start]
        var next = 0
        while next < queue.count {
            let source = queue[next]
            next += 1
            for edge in edges[source]
            where members.contains(edge.target) && from[edge.target] == nil && edge.target != start {
                from[edge.target] = (source, edge)
                if goal(edge.target) {
                    var result: [(source: Int, edge: Edge)] = []
                    var at = edge.target
                    while at != start, let step = from[at] {
                        result.append(step)
                        at = step.source
                    }
                    return result.reversed()
                }
                queue.append(edge.target)
            }
        }
        return nil
    }
}
