/// The difference of two texts, line by line, with three unchanged lines around each change.
struct LineDifference {
    /// ` ` kept, `-` removed, `+` added, `…` for kept lines that are left out.
    let lines: [String]

    private static let context = 3

    init(from old: String, to new: String) {
        let (old, new) = (Self.split(old), Self.split(new))
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var all: [(mark: String, text: Substring)] = []
        var (before, after) = (0, 0)
        while before < old.count || after < new.count {
            if before < old.count, removed.contains(before) {
                all.append(("-", old[before]))
                before += 1
            } else if after < new.count, added.contains(after) {
                all.append(("+", new[after]))
                after += 1
            } else {
                // Kept: the same line in both texts, so both go on.
                if before < old.count { all.append((" ", old[before])) }
                before += 1
                after += 1
            }
        }
        lines = Self.abridge(all)
    }

    private static func split(_ text: String) -> [Substring] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func abridge(_ all: [(mark: String, text: Substring)]) -> [String] {
        var near = [Bool](repeating: false, count: all.count)
        for index in all.indices where all[index].mark != " " {
            for other in max(0, index - context)...min(all.count - 1, index + context) { near[other] = true }
        }
        var lines: [String] = []
        for index in all.indices {
            if near[index] {
                lines.append("\(all[index].mark)\(all[index].text)")
            } else if index == 0 || near[index - 1] {
                lines.append("…")
            }
        }
        return lines
    }
}
