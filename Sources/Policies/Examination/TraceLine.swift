/// One line of the story that shows what a finding means.
public struct TraceLine: Hashable, Sendable, Codable {
    /// When: seconds from the beginning, a date and time in the site's zone, or nothing for a sum.
    public let at: String
    /// What happens then, or what is added up.
    public let what: String

    /// A line.
    public init(_ at: String, _ what: String) {
        self.at = at
        self.what = what
    }
}

extension [TraceLine] {
    /// The lines with their times in one column, indented.
    var text: String {
        let width = map(\.at.count).max() ?? 0
        return map { line in
            let pad = String(repeating: " ", count: width - line.at.count)
            return "    " + (width == 0 ? "" : line.at + pad + "  ") + line.what
        }.joined(separator: "\n")
    }
}
