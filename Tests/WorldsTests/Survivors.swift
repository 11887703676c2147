import Explorer
import Foundation
import Worlds

/// What model/survivors.md says of one machine: how many mutants of its table are killed, and why the others survive.
struct Survivors {
    /// The line with the shares.
    var killed = ""
    /// Patterns of groups of survivors, each explained by the prose before it.
    var patterns: [String] = []
    /// Patterns without any prose before them.
    var unexplained: [String] = []

    /// The section of this name: prose, and lines indented by four, the first of which has the shares; behind a comma they go on
    /// in the next.
    init(of name: String) throws {
        let file = Golden.folder.deletingLastPathComponent().appending(path: "survivors.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        guard let begin = text.range(of: "\n## \(name)\n") else { return }
        let section = text[begin.upperBound...]
        let lines = section[..<(section.range(of: "\n## ")?.lowerBound ?? section.endIndex)].split(separator: "\n")
        var explained = false
        for line in lines {
            guard line.hasPrefix("    ") else {
                explained = true
                continue
            }
            let words = String(line.dropFirst(4))
            if killed.isEmpty || killed.hasSuffix(",") {
                killed += (killed.isEmpty ? "" : " ") + words
                explained = false
            } else {
                patterns.append(words)
                if !explained { unexplained.append(words) }
            }
        }
    }

    /// What is wrong with it, in words: survivors that no pattern explains, patterns that nothing matches, other shares. Empty if nothing is.
    func complaints<M: World>(about mutants: TableMutants<M>) -> [String] {
        let survivors: [(group: String, line: String)] = mutants.survivors.compactMap { group in
            mutants.groups[group].map {
                ("\(group)", "\(group): \($0.total - $0.killed) of \($0.total) survive")
            }
        }
        let shares = TableMutants<M>.Kind.allCases.map { kind in
            let tally = mutants.tally(of: kind)
            let untried = tally.untried > 0 ? " (\(tally.untried) not asked everything)" : ""
            return "\(kind.rawValue) \(tally.killed)/\(tally.total)\(untried)"
        }
        var complaints: [String] = []
        if killed != shares.joined(separator: ", ") { complaints.append("killed: \(shares.joined(separator: ", "))") }
        complaints += survivors.filter { survivor in !patterns.contains { Self.matches(survivor.group, $0) } }
            .map(\.line)
        complaints += patterns.filter { pattern in !survivors.contains { Self.matches($0.group, pattern) } }
            .map { "nothing matches \($0)" }
        return complaints + unexplained.map { "not explained: \($0)" }
    }

    /// Whether `line` is `pattern`, in which `*` stands for anything.
    static func matches(_ line: String, _ pattern: String) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, let last = parts.last, line.hasPrefix(first) else { return false }
        if parts.count == 1 { return line == pattern }
        var rest = line.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
