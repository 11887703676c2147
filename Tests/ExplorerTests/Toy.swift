import Explorer
import Foundation

/// A small system that is a trap for hand-written checkers, written twice: here as a graph, in model/toys as a TLA+ module of the
/// same name, whose questions TLC has answered.
struct Toy {
    enum Ask {
        case always((String) -> Bool)
        case steps((String, String, String) -> Bool)
        /// Every state has a step to another one.
        case moves
        case leadsTo((String) -> Bool, (String) -> Bool)
    }

    let name: String
    let model: Digraph
    /// Each with its name in the module (`Fair_`), the empty one first.
    let fairness: KeyValuePairs<String, [Fairness<String>]>
    /// What no assumption matters for (`Always_`).
    var always: KeyValuePairs<String, Ask> = [:]
    /// What is asked under each assumption (`Ask_`).
    let asks: KeyValuePairs<String, Ask>

    /// The lines of model/toys/expected.txt about it.
    static func expected(_ name: String) throws -> [String] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "model/toys/expected.txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { $0.split(separator: " ").first.map(String.init) == name }
    }

    /// A violation of one question, if the explorer finds one.
    static func violation(of ask: Ask, in graph: Graph<Digraph>, _ fairness: [Fairness<String>]) -> Path<Digraph>? {
        switch ask {
        case .always(let holds): graph.always(holds)
        case .steps(let holds): graph.alwaysSteps(holds)
        case .moves: graph.deadlock { _ in false }
        case .leadsTo(let p, let q): graph.leadsTo(p, q, fairness: fairness)
        }
    }
}

extension Toy.Ask {
    /// From one state to another.
    static func leads(_ from: String, _ to: String...) -> Toy.Ask { .leadsTo({ $0 == from }, { to.contains($0) }) }
    /// Out of a state.
    static func leaves(_ from: String) -> Toy.Ask { .leadsTo({ $0 == from }, { $0 != from }) }
    /// Again and again, for ever.
    static func again(_ to: String...) -> Toy.Ask { .leadsTo({ _ in true }, { to.contains($0) }) }
}
