extension Graph {
    /// The nearest state that breaks `holds`; nil if it holds everywhere.
    public func always(_ holds: (M.State) -> Bool) -> Path<M>? {
        states.firstIndex { !holds($0) }.map(path(to:))
    }

    /// The nearest step (source, action, target) that breaks `holds`; nil if it holds for all.
    public func alwaysSteps(_ holds: (M.State, M.Action, M.State) -> Bool) -> Path<M>? {
        for source in states.indices {
            for edge in edges[source] where !holds(states[source], edge.action, states[edge.target]) {
                let way = path(to: source)
                let last = Path<M>.Step(action: edge.action, state: states[edge.target])
                return Path(start: way.start, steps: way.steps + [last], cycle: [])
            }
        }
        return nil
    }

    /// A nearest example of a state that satisfies `holds`; nil if there is none, so that what is claimed about such states
    /// would be empty.
    public func sometimes(_ holds: (M.State) -> Bool) -> Path<M>? {
        states.firstIndex(where: holds).map(path(to:))
    }

    /// The nearest state from which no way leads to a state that satisfies `holds`; nil if there is a way from everywhere
    /// (CTL: AG EF).
    public func reachableFromEverywhere(_ holds: (M.State) -> Bool, except: (M.State) -> Bool = { _ in false })
        -> Path<M>?
    {
        var sources: [[Int]] = Array(repeating: [], count: states.count)
        for source in states.indices {
            for edge in edges[source] { sources[edge.target].append(source) }
        }
        var reaches = states.map(holds)
        var pending = states.indices.filter { reaches[$0] }
        while let target = pending.popLast() {
            for source in sources[target] where !reaches[source] {
                reaches[source] = true
                pending.append(source)
            }
        }
        return states.indices.first { !reaches[$0] && !except(states[$0]) }.map(path(to:))
    }

    /// The nearest state without a step to another state that is not allowed to be an end; nil if there is none.
    public func deadlock(except isEnd: (M.State) -> Bool) -> Path<M>? {
        states.indices.first { source in
            !edges[source].contains { $0.target != source } && !isEnd(states[source])
        }.map(path(to:))
    }
}
