/// A state diagram that is drawn from explored graphs, so that it cannot tell another story than the machine.
public struct Diagram: Sendable {
    /// `camera-link`.
    public let name: String
    /// The document that shows it, between `<!-- NAME -->` and `<!-- /NAME -->`.
    public let document: String
    /// Explores and draws: Mermaid.
    public let text: @Sendable () throws -> String

    /// All diagrams.
    public static let all: [Diagram] = CameraDiagram.all

    /// A part of a document as it must be.
    public func section() throws -> String { "<!-- \(name) -->\n```mermaid\n\(try text())\n```\n<!-- /\(name) -->" }
}

/// Collects transitions and draws them: one arrow between two states, with everything that can cause it.
struct Arrows {
    private var causes: [Arrow: Set<String>] = [:]

    private struct Arrow: Hashable {
        let from: String
        let to: String
    }

    mutating func add(_ from: String, _ to: String, _ cause: String) {
        if from != to { causes[Arrow(from: from, to: to), default: []].insert(cause) }
    }

    /// A Mermaid diagram; states and arrows in the order of `states`.
    func drawn(_ states: [String]) -> String {
        var lines = ["stateDiagram-v2", "    [*] --> \(states.first ?? "")"]
        for from in states {
            for to in states {
                guard let causes = causes[Arrow(from: from, to: to)] else { continue }
                lines.append("    \(from) --> \(to) : \(causes.sorted().joined(separator: ", "))")
            }
        }
        return lines.joined(separator: "\n")
    }
}
