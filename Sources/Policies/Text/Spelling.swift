/// Finds the word that was probably meant, for "did you mean".
enum Spelling {
    /// The candidate nearest to `word`, where it is near enough: at most a third of its length in edits, at least 1.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        // Distances are quadratic in the length; no key is longer than this.
        guard word.count <= 64 else { return nil }
        let folded = word.lowercased()
        let scored = candidates.map { ($0, distance(folded, $0.lowercased())) }
        guard let best = scored.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) else { return nil }
        return best.1 <= max(1, best.0.count / 3) ? best.0 : nil
    }

    /// Edits (insert, delete, replace, swap of neighbours) from one word to the other.
    static func distance(_ left: String, _ right: String) -> Int {
        let a = Array(left)
        let b = Array(right)
        var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in 0...a.count { rows[i][0] = i }
        for j in 0...b.count { rows[0][j] = j }
        for i in a.indices {
            for j in b.indices {
                let replaced = rows[i][j] + (a[i] == b[j] ? 0 : 1)
                var best = min(replaced, rows[i][j + 1] + 1, rows[i + 1][j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
                rows[i + 1][j + 1] = best
            }
        }
        return rows[a.count][b.count]
    }
}
