/// The difference of two texts as a unified diff, for people and for `patch`.
public enum UnifiedDiff {
    /// Lines shown around a change.
    private static let context = 3
    /// Above this product of differing lines, the differing part is shown as one block: exactness would cost too much.
    private static let exactLimit = 4_000_000

    private enum Line {
        case same(Substring)
        case removed(Substring)
        case added(Substring)
    }

    /// The difference; empty when there is none.
    public static func diff(from old: String, to new: String, oldName: String, newName: String) -> String {
        guard old != new else { return "" }
        let script = script(lines(old), lines(new))
        var output = "--- \(oldName)\n+++ \(newName)\n"
        for hunk in hunks(script) { output += render(script, hunk) }
        return output
    }

    /// Lines with their line feeds, so that a missing one at the end counts.
    private static func lines(_ text: String) -> [Substring] {
        var result: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            // CR LF is one Character in Swift; the line feed is looked for among the bytes.
            let end = rest.utf8.firstIndex(of: 0x0A).map { rest.utf8.index(after: $0) } ?? rest.endIndex
            result.append(rest[..<end])
            rest = rest[end...]
        }
        return result
    }

    private static func script(_ old: [Substring], _ new: [Substring]) -> [Line] {
        var prefix = 0
        while prefix < old.count, prefix < new.count, old[prefix] == new[prefix] { prefix += 1 }
        var suffix = 0
        while suffix < old.count - prefix, suffix < new.count - prefix,
            old[old.count - 1 - suffix] == new[new.count - 1 - suffix]
        {
            suffix += 1
        }
        let a = Array(old[prefix..<(old.count - suffix)])
        let b = Array(new[prefix..<(new.count - suffix)])
        let middle = a.count * b.count <= exactLimit ? longestCommon(a, b) : a.map(Line.removed) + b.map(Line.added)
        return old[..<prefix].map(Line.same) + middle + old[(old.count - suffix)...].map(Line.same)
    }

    private static func longestCommon(_ a: [Substring], _ b: [Substring]) -> [Line] {
        var length = [[Int32]](repeating: [Int32](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in a.indices.reversed() {
            for j in b.indices.reversed() {
                length[i][j] = a[i] == b[j] ? length[i + 1][j + 1] + 1 : max(length[i + 1][j], length[i][j + 1])
            }
        }
        var result: [Line] = []
        var i = 0
        var j = 0
        while i < a.count || j < b.count {
            if i < a.count, j < b.count, a[i] == b[j] {
                result.append(.same(a[i]))
                i += 1
                j += 1
            } else if i < a.count, j == b.count || length[i + 1][j] >= length[i][j + 1] {
                result.append(.removed(a[i]))
                i += 1
            } else {
                result.append(.added(b[j]))
                j += 1
            }
        }
        return result
    }

    private static func isSame(_ line: Line) -> Bool {
        if case .same = line { true } else { false }
    }

    private static func hunks(_ script: [Line]) -> [Range<Int>] {
        var hunks: [Range<Int>] = []
        for index in script.indices where !isSame(script[index]) {
            let range = max(0, index - context)..<min(script.count, index + context + 1)
            if let last = hunks.last, range.lowerBound <= last.upperBound {
                hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
            } else {
                hunks.append(range)
            }
        }
        return hunks
    }

    private static func render(_ script: [Line], _ hunk: Range<Int>) -> String {
        let before = count(script[..<hunk.lowerBound])
        let size = count(script[hunk])
        // A side without lines is numbered by the line before it.
        let oldStart = size.old == 0 ? before.old : before.old + 1
        let newStart = size.new == 0 ? before.new : before.new + 1
        var output = "@@ -\(oldStart),\(size.old) +\(newStart),\(size.new) @@\n"
        for line in script[hunk] {
            switch line {
            case .same(let text): output += shown(" ", text)
            case .removed(let text): output += shown("-", text)
            case .added(let text): output += shown("+", text)
            }
        }
        return output
    }

    private static func shown(_ mark: String, _ line: Substring) -> String {
        line.utf8.last == 0x0A ? mark + line : mark + line + "\n\\ No newline at end of file\n"
    }

    private static func count(_ lines: ArraySlice<Line>) -> (old: Int, new: Int) {
        lines.reduce(into: (old: 0, new: 0)) { total, line in
            switch line {
            case .same:
                total.old += 1
                total.new += 1
            case .removed: total.old += 1
            case .added: total.new += 1
            }
        }
    }
}
