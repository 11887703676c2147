import Explorer
import RandomSource

/// A random graph of at most six states, random assumptions, and a random question.
struct RandomCase {
    let steps: [String]
    let model: Digraph
    let fairness: [Fairness<String>]
    let p: Set<String>
    let q: Set<String>

    init(_ random: inout SeededGenerator) {
        let names = Array("abcdef".prefix(Int.random(in: 2...6, using: &random))).map(String.init)
        var steps: [String] = []
        for name in names {
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let action = ["x", "y", "z"].randomElement(using: &random) ?? "x"
                steps.append("\(name) \(action) \(names.randomElement(using: &random) ?? "a")")
            }
        }
        self.steps = steps
        model = Digraph("a", steps: steps)
        fairness = ["x", "y", "z"].compactMap { action in
            switch Int.random(in: 0...3, using: &random) {
            case 0: nil
            case 1: weak(action)
            default: strong(action)
            }
        }
        p = Set(names.filter { _ in Bool.random(using: &random) })
        q = Set(names.filter { _ in Int.random(in: 0...3, using: &random) == 0 })
    }

    /// The definition, tried out: some set of states without `q`, reached from `p` without `q`, all of which a behaviour can visit again
    /// and again, satisfies every assumption.
    func isViolated(in graph: Graph<Digraph>) -> Bool {
        let nodes = graph.states.indices.filter { !q.contains(graph.states[$0]) }
        let reached = reachable(from: nodes.filter { p.contains(graph.states[$0]) }, inside: Set(nodes), graph)
        return (1..<(1 << nodes.count)).contains { bits in
            let set = Set(nodes.indices.filter { bits >> $0 & 1 == 1 }.map { nodes[$0] })
            return set.isSubset(of: reached) && set.allSatisfy { reachable(from: [$0], inside: set, graph) == set }
                && fairness.allSatisfy { assumption in
                    let out = set.map { node in
                        graph.edges[node].filter { $0.target != node && assumption.includes($0.action) }
                    }
                    if out.contains(where: { $0.contains { set.contains($0.target) } }) { return true }
                    return assumption.strength == .weak ? out.contains(where: \.isEmpty) : out.allSatisfy(\.isEmpty)
                }
        }
    }

    private func reachable(from begins: [Int], inside: Set<Int>, _ graph: Graph<Digraph>) -> Set<Int> {
        var found = Set(begins)
        var pending = begins
        while let node = pending.popLast() {
            for edge in graph.edges[node] where inside.contains(edge.target) && found.insert(edge.target).inserted {
                pending.append(edge.target)
            }
        }
        return found
    }
}
