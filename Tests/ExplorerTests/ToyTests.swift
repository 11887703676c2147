import Explorer
import RandomSource
import Testing

@Suite("The explorer against TLC")
struct ToyTests {
    @Test(
        "Every question about a toy gets TLC's answer, and the graphs are of one size", arguments: Toy.all.map(\.name))
    func verdicts(name: String) throws {
        let toy = try #require(Toy.all.first { $0.name == name })
        let graph = try Graph(toy.model)
        let depth = (graph.depth.max() ?? 0) + 1
        var lines = ["\(toy.name) ok states=\(graph.states.count) transitions=\(graph.edgeCount) depth=\(depth)"]
        func ask(_ name: String, _ question: Toy.Ask, _ assumption: String, _ fairness: [Fairness<String>]) {
            let path = Toy.violation(of: question, in: graph, fairness)
            lines.append("\(toy.name) \(assumption) \(name) \(path == nil ? "holds" : "violated")")
            guard let path else { return }
            #expect(graph.unreal(path) == nil)
            if case .leadsTo(_, let q) = question {
                #expect(graph.unfair(path, fairness) == nil)
                #expect(!q(path.end) && !path.cycle.contains { q($0.state) })
            }
        }
        for (name, question) in toy.always { ask(name, question, "none", []) }
        for (assumption, fairness) in toy.fairness {
            for (name, question) in toy.asks { ask(name, question, assumption, fairness) }
        }
        #expect(try lines.sorted() == Toy.expected(toy.name).sorted())
    }

    @Test("A way from everywhere is the same as again and again with every step treated with strong fairness")
    func way() throws {
        let toy = try #require(Toy.all.first { $0.name == "Way" })
        let graph = try Graph(toy.model)
        let expected = try Toy.expected("Way")
        for (name, goals) in ["home": ["home"], "deep": ["deep"], "rim": ["out", "pit"]] {
            let holds = graph.reachableFromEverywhere { goals.contains($0) } == nil
            #expect(expected.contains("Way each \(name) \(holds ? "holds" : "violated")"))
        }
    }

    @Test("It agrees with trying every set of states, on random graphs with random fairness")
    func random() throws {
        var random = SeededGenerator(seed: 1)
        var violated = 0
        for number in 0..<4_000 {
            let case_ = RandomCase(&random)
            let graph = try Graph(case_.model)
            let path = graph.leadsTo({ case_.p.contains($0) }, { case_.q.contains($0) }, fairness: case_.fairness)
            #expect((path != nil) == case_.isViolated(in: graph), "case \(number): \(case_.steps)")
            guard let path else { continue }
            violated += 1
            #expect(graph.unreal(path) == nil && graph.unfair(path, case_.fairness) == nil, "case \(number)")
        }
        #expect((500..<3_500).contains(violated), "one verdict is hardly tried: \(violated)")
    }
}

extension Graph where M == Digraph {
    /// Why `path` is no behaviour of the graph; nil if it is one.
    func unreal(_ path: Path<M>) -> String? {
        guard depth[states.firstIndex(of: path.start) ?? 0] == 0 else { return "does not begin at the beginning" }
        var at = path.start
        for step in path.steps + path.cycle {
            guard let node = states.firstIndex(of: at),
                edges[node].contains(where: { $0.action == step.action && states[$0.target] == step.state })
            else { return "no step \(step.action) from \(at) to \(step.state)" }
            at = step.state
        }
        return at == path.end ? nil : "the cycle is not closed"
    }

    /// Which assumption the path breaks; nil if none.
    func unfair(_ path: Path<M>, _ fairness: [Fairness<String>]) -> String? {
        var visited = Set([path.end])
        var taken: [Fairness<String>] = []
        var at = path.end
        for step in path.cycle {
            if step.state != at { taken += fairness.filter { $0.includes(step.action) } }
            at = step.state
            visited.insert(at)
        }
        return fairness.first { assumption in
            if taken.contains(where: { $0.name == assumption.name && $0.strength == assumption.strength }) {
                return false
            }
            let enabled = visited.filter { state in
                states.firstIndex(of: state).map { node in
                    edges[node].contains { $0.target != node && assumption.includes($0.action) }
                } ?? false
            }
            return assumption.strength == .weak ? enabled.count == visited.count : !enabled.isEmpty
        }?.name
    }
}
