import Foundation
import Hashing

/// The graphs that the TLA+ models printed.
enum Golden {
    /// The project's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// model/edges.
    static let folder = root.appending(path: "model/edges")

    /// The lines of `NAME.edges`.
    static func lines(_ name: String) throws -> [String] {
        let text = try String(contentsOf: folder.appending(path: "\(name).edges"), encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }

    /// The lines of `NAME.digest`, which stands for a graph that would be too long to read.
    static func digest(_ name: String) throws -> [String] {
        let text = try String(contentsOf: folder.appending(path: "\(name).digest"), encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }

    /// The digest of a graph given by its sorted lines, as `model/run` writes it: a line per region, which is the first
    /// word of a line.
    static func digest(of lines: [String]) -> [String] {
        let regions = Dictionary(grouping: lines) { String($0.prefix { $0 != " " }) }
        return regions.keys.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }.map { region in
            let part = regions[region] ?? []
            let sum = SHA256.hex(part.map { $0 + "\n" }.joined().utf8)
            return "\(region) lines=\(part.count) sha256=\(sum)"
        }
    }

    /// What differs, in words: the first lines that only one side has. Empty if the graphs are equal.
    static func differences(_ ours: [String], _ golden: [String], showing limit: Int = 12) -> String {
        let (left, right) = (Set(ours), Set(golden))
        let only = left.subtracting(right).sorted(), missing = right.subtracting(left).sorted()
        if only.isEmpty, missing.isEmpty { return ours.count == golden.count ? "" : "a line is there twice" }
        let shown = only.prefix(limit).map { "+ \($0)" } + missing.prefix(limit).map { "- \($0)" }
        return "\(only.count) lines only here (+), \(missing.count) only in the model (-)\n"
            + shown.joined(separator: "\n")
    }
}
