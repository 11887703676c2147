/// Columns for people: aligned by the widest cell, two blanks between, no blanks at the end of a line.
struct Table {
    /// On which side a column's cells stand.
    enum Side { case left, right }

    private let columns: [(title: String, side: Side)]
    private var rows: [[String]] = []

    init(_ columns: [(title: String, side: Side)]) { self.columns = columns }

    /// A table whose columns all stand left.
    init(_ titles: String...) { columns = titles.map { ($0, .left) } }

    /// Adds a row; missing cells are empty.
    mutating func add(_ cells: String...) { rows.append(cells) }

    /// The lines, the title line first.
    var lines: [String] {
        let all = [columns.map(\.title)] + rows
        let widths = columns.indices.map { column in all.map { cell($0, column).count }.max() ?? 0 }
        return all.map { row in
            let cells = columns.indices.map { column -> String in
                let text = cell(row, column)
                let fill = String(repeating: " ", count: widths[column] - text.count)
                return columns[column].side == .left ? text + fill : fill + text
            }
            return cells.joined(separator: "  ").trimmedAtEnd
        }
    }

    /// Writes the lines; `nothing` where there is no row.
    func write(orSay nothing: String) throws {
        guard !rows.isEmpty else { return Output.note(nothing) }
        try Output.line(lines.joined(separator: "\n"))
    }

    private func cell(_ row: [String], _ column: Int) -> String { row.indices.contains(column) ? row[column] : "" }
}

extension String {
    /// Without blanks at its end.
    var trimmedAtEnd: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }
}
