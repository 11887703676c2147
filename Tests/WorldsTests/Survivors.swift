import Explorer
import Foundation
import Worlds

/// What model/survivors.md says of one machine: how many mutants of its table are killed, and why the others survive.
struct Survivors {
    /// One of the two scores: its line, and why what it misses survives.
    struct Score {
        /// The line with the shares.
        var shares = ""
        /// Patterns of groups of survivors, each explained by the prose before it.
        var patterns: [String] = []
        /// Patterns without any prose before them.
        var unexplained: [String] = []
    }

    /// That of all properties.
    var all = Score()
    /// That of the properties which restate nothing; its line begins with `independently:`.
    var alone = Score()

    /// The section of this name: prose, and lines indented by four. The first has the shares of all properties, then come the
    /// patterns of its survivors; the same for those that restate nothing. Behind a comma the shares go on in the next line.
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
            let score = alone.shares.isEmpty && !words.hasPrefix("independently:") ? \Self.all : \Self.alone
            if self[keyPath: score].shares.isEmpty || self[keyPath: score].shares.hasSuffix(",") {
                self[keyPath: score].shares += (self[keyPath: score].shares.isEmpty ? "" : " ") + words
                explained = false
            } else {
                self[keyPath: score].patterns.append(words)
                if !explained { self[keyPath: score].unexplained.append(words) }
            }
        }
    }

    /// What is wrong with it, in words: survivors that no pattern explains, patterns that nothing matches, other shares. Empty if nothing is.
    func complaints<M: World>(about mutants: TableMutants<M>) -> [String] {
        let shares = TableMutants<M>.Kind.allCases.map { kind in
            let tally = mutants.tally(of: kind)
            let untried = tally.untried > 0 ? " (\(tally.untried) not asked everything)" : ""
            return "\(kind.rawValue) \(tally.killed)/\(tally.total)\(untried)"
        }
        let noticed = TableMutants<M>.Kind.allCases.map { "\($0.rawValue) \(mutants.tally(of: $0).independently)" }
        return Self.complaints(all, mutants.survivors, shares.joined(separator: ", "), mutants) { $0.killed }
            + Self.complaints(
                alone, mutants.unnoticedAlone, "independently: " + noticed.joined(separator: ", "), mutants
            ) { $0.independently }
    }

    private static func complaints<M: World>(
        _ score: Score, _ survivors: [TableMutants<M>.Group], _ shares: String, _ mutants: TableMutants<M>,
        _ killed: (TableMutants<M>.Tally) -> Int
    ) -> [String] {
        var complaints = score.shares == shares ? [] : [shares]
        for group in survivors where !score.patterns.contains(where: { matches("\(group)", $0) }) {
            guard let tally = mutants.groups[group] else { continue }
            complaints.append("\(group): \(tally.total - killed(tally)) of \(tally.total) survive")
        }
        for pattern in score.patterns where !survivors.contains(where: { matches("\($0)", pattern) }) {
            complaints.append("nothing matches \(pattern)")
        }
        return complaints + score.unexplained.map { "not explained: \($0)" }
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
