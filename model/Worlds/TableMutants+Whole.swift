internal import Explorer

// Questions that one step does not decide.
extension TableMutants {
    /// What came out for a list of mutants: indices into it.
    struct Asked {
        var killed: Set<Int> = []
        var untried: [Int] = []
    }

    /// A way is lost only by the state whose step is changed, and by states whose every way went through it: so it is enough
    /// to look for a way from there, unless that state needs none.
    func reachable(
        _ holds: (M.State) -> Bool, _ except: (M.State) -> Bool, _ mutants: [Mutant]
    ) -> Asked {
        let distance = distances(to: graph.states.map(holds))
        var asked = Asked()
        for (index, mutant) in mutants.enumerated() where mutant.changesTarget {
            guard let own = distance[mutant.source], own > 0 else { continue }
            let others = graph.edges[mutant.source].indices.filter { $0 != mutant.number }
            if others.contains(where: { (distance[graph.edges[mutant.source][$0].target] ?? own) < own }) { continue }
            if reaches(mutant, { distance[$0] == 0 }) { continue }
            if !except(graph.states[mutant.source])
                || changed(by: mutant).reachableFromEverywhere(holds, except: except) != nil
            {
                asked.killed.insert(index)
            }
        }
        return asked
    }

    /// Whether the state whose step is changed still has a way.
    private func reaches(_ mutant: Mutant, _ goal: (Int) -> Bool) -> Bool {
        var found: Set<Int> = [mutant.source]
        var pending = [mutant.source]
        while let state = pending.popLast() {
            if goal(state) { return true }
            for (number, edge) in graph.edges[state].enumerated() {
                let target = state == mutant.source && number == mutant.number ? mutant.target : edge.target
                if found.insert(target).inserted { pending.append(target) }
            }
        }
        return false
    }

    /// Only a step out of a state in which `q` is owed can matter.
    func leadsTo(
        _ p: (M.State) -> Bool, _ q: (M.State) -> Bool, _ fairness: [Fairness<M.Action>], _ mutants: [Mutant],
        _ limit: Int
    ) -> Asked {
        let owed = owing(p, q)
        let candidates = mutants.indices.filter { mutants[$0].changesTarget && owed[mutants[$0].source] }
        let every = candidates.count / max(limit, 1) + 1
        var asked = Asked()
        for (place, index) in candidates.enumerated() {
            guard place % every == 0 else {
                asked.untried.append(index)
                continue
            }
            if changed(by: mutants[index]).leadsTo(p, q, fairness: fairness) != nil { asked.killed.insert(index) }
        }
        return asked
    }

    private func changed(by mutant: Mutant) -> Graph<M> {
        graph.changing(mutant.number, of: mutant.source, action: mutant.action, target: mutant.target)
    }

    /// Where `q` is owed: reached from `p` without `q`.
    private func owing(_ p: (M.State) -> Bool, _ q: (M.State) -> Bool) -> [Bool] {
        let without = graph.states.map { !q($0) }
        var owed = graph.states.indices.map { without[$0] && p(graph.states[$0]) }
        var pending = graph.states.indices.filter { owed[$0] }
        while let state = pending.popLast() {
            for edge in graph.edges[state] where without[edge.target] && !owed[edge.target] {
                owed[edge.target] = true
                pending.append(edge.target)
            }
        }
        return owed
    }

    /// The steps to the nearest of `goals`; nil where there is no way.
    private func distances(to goals: [Bool]) -> [Int?] {
        var sources: [[Int]] = Array(repeating: [], count: goals.count)
        for source in goals.indices {
            for edge in graph.edges[source] { sources[edge.target].append(source) }
        }
        var distance: [Int?] = goals.map { $0 ? 0 : nil }
        var queue = goals.indices.filter { goals[$0] }
        var next = 0
        while next < queue.count {
            let target = queue[next]
            next += 1
            for source in sources[target] where distance[source] == nil {
                distance[source] = (distance[target] ?? 0) + 1
                queue.append(source)
            }
        }
        return distance
    }
}

extension TableMutants.Mutant {
    /// It is more than a change of what is ordered.
    fileprivate var changesTarget: Bool { group.kind == .ignore || group.kind == .redirect }
}
