import Foundation
import Testing

@testable import Catalog

/// Takes the catalog and its procedures through each transition of `model/Durability.tla`, and compares file, row, job, notice and store
/// after each step with the model's next state; what the model does not allow, the catalog refuses. So what the model was proved to keep,
/// the code keeps, for one clip.
@Suite struct DurabilityGraphTests {
    @Test func `each step of the model and each crash leads the catalog where the model says`() async throws {
        let graph = try DurabilityGraph("Durability-code")
        // Everything here blocks. What is thrown reaches the test; an issue of a thread of its own would belong to none.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try DurabilityWalk(graph).run() })
            }
        }
    }
}

/// Walks until each transition was taken once.
struct DurabilityWalk {
    /// Code and model do not agree.
    struct Difference: Error, CustomStringConvertible {
        let words: String
        var description: String { words }
    }

    private let graph: DurabilityGraph

    init(_ graph: DurabilityGraph) { self.graph = graph }

    /// - Throws: `Difference`, with the steps that lead to it.
    func run() throws {
        let root = try DurabilityRig.makeRoot()
        defer { root.remove() }
        var open = Set(graph.edges.values.joined())
        var asked: Set<String> = []
        var rig = try DurabilityRig(copying: root.root)
        var state = DurabilityGraph.start
        var steps: [String] = []
        while !open.isEmpty {
            guard let way = graph.way(from: state, to: open) else {
                if steps.isEmpty { throw Difference(words: "\(open.count) transitions cannot be reached") }
                (rig, state, steps) = (try DurabilityRig(copying: root.root), DurabilityGraph.start, [])
                continue
            }
            for edge in way {
                steps.append(edge.action)
                var seen: String
                do {
                    try rig.perform(edge.action, next: DurabilityState(edge.to))
                    seen = try rig.text
                    if seen == edge.to, asked.insert(edge.to).inserted {
                        let done = try rig.notRefused(possible: graph.actions(in: edge.to))
                        seen = try done.isEmpty ? rig.text : "not refused: \(done.joined(separator: ", "))"
                    }
                } catch { seen = "\(error)" }
                if seen != edge.to {
                    throw Difference(
                        words: """
                            after \(steps.joined(separator: ", "))
                              from  \(edge.from)
                              model \(edge.to)
                              seen  \(seen)
                            """)
                }
                open.remove(edge)
                state = edge.to
            }
        }
    }
}
