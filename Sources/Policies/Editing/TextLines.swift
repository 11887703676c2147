/// The lines of a file as Unicode scalars, which is how the parser counts places.
struct TextLines {
    /// The lines without their line feeds.
    var lines: [[Unicode.Scalar]]

    init(_ text: String) {
        lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    }

    /// The text again.
    var text: String {
        var scalars = String.UnicodeScalarView()
        for (index, line) in lines.enumerated() {
            if index > 0 { scalars.append("\n") }
            scalars.append(contentsOf: line)
        }
        return String(scalars)
    }

    /// The scalar at a place; nil past a line's end.
    subscript(place: Place) -> Unicode.Scalar? {
        guard lines.indices.contains(place.line - 1) else { return nil }
        let line = lines[place.line - 1]
        return line.indices.contains(place.column - 1) ? line[place.column - 1] : nil
    }

    /// Replaces from one place up to another on the same line; false when they are not in the text.
    mutating func replace(_ from: Place, _ to: Place, with new: String) -> Bool {
        guard from.line == to.line, from <= to, lines.indices.contains(from.line - 1),
            to.column - 1 <= lines[from.line - 1].count, from.column >= 1
        else { return false }
        lines[from.line - 1].replaceSubrange((from.column - 1)..<(to.column - 1), with: Array(new.unicodeScalars))
        return true
    }

    /// Puts a line after another one; keeps the file's kind of line end.
    mutating func insert(_ new: String, afterLine line: Int) {
        let windows = lines.first?.last == "\r"
        let at = min(max(0, line), lines.count)
        // The last line of a file with a line feed at its end is empty: what comes after it would have no line end.
        lines.insert(Array(new.unicodeScalars) + (windows ? ["\r"] : []), at: at)
        if at == lines.count - 1 { lines.append([]) }
    }

    /// Removes lines, from 1, both included.
    mutating func remove(_ range: ClosedRange<Int>) -> Bool {
        guard range.lowerBound >= 1, range.upperBound <= lines.count else { return false }
        lines.removeSubrange((range.lowerBound - 1)...(range.upperBound - 1))
        return true
    }

    /// Whether only blanks stand before a place on its line.
    func isFirst(_ place: Place) -> Bool {
        guard lines.indices.contains(place.line - 1) else { return false }
        return lines[place.line - 1].prefix(max(0, place.column - 1)).allSatisfy { $0 == " " }
    }

    /// Where a value that begins at a place ends on its line (the place after it); nil for a quote that stays open.
    func endOfValue(at place: Place, inFlow: Bool) -> Place? {
        guard lines.indices.contains(place.line - 1) else { return nil }
        let line = lines[place.line - 1]
        var index = place.column - 1
        guard line.indices.contains(index) else { return nil }
        if line[index] == "\"" || line[index] == "'" {
            return endOfQuote(line, index).map { Place(line: place.line, column: $0 + 1) }
        }
        let start = index
        while index < line.count {
            let scalar = line[index]
            if scalar == "#", index > start, line[index - 1] == " " || line[index - 1] == "\t" { break }
            if inFlow, [",", "[", "]", "{", "}"].contains(scalar) { break }
            index += 1
        }
        while index > start, [" ", "\t", "\r"].contains(line[index - 1]) { index -= 1 }
        return Place(line: place.line, column: index + 1)
    }

    private func endOfQuote(_ line: [Unicode.Scalar], _ start: Int) -> Int? {
        let quote = line[start]
        var index = start + 1
        while index < line.count {
            if quote == "\"", line[index] == "\\" {
                index += 1
            } else if line[index] == quote {
                // In single quotes, two of them stand for one.
                guard quote == "'", index + 1 < line.count, line[index + 1] == quote else { return index + 1 }
                index += 1
            }
            index += 1
        }
        return nil
    }

    /// The place of the bracket that closes the one at a place; nil when it is not closed, or a quote stays open.
    func closingBracket(from open: Place) -> Place? {
        var depth = 0
        var line = open.line
        var column = open.column
        while lines.indices.contains(line - 1) {
            let scalars = lines[line - 1]
            while scalars.indices.contains(column - 1) {
                switch scalars[column - 1] {
                case "[", "{": depth += 1
                case "]", "}":
                    depth -= 1
                    if depth == 0 { return Place(line: line, column: column) }
                case "\"", "'":
                    // Inside a plain value a quote is only a character; it opens a text at the beginning of a value.
                    if column == 1 || [" ", "[", "{", ",", ":"].contains(scalars[column - 2]) {
                        guard let end = endOfQuote(scalars, column - 1) else { return nil }
                        column = end
                    }
                case "#" where column == 1 || scalars[column - 2] == " ": column = scalars.count
                default: break
                }
                column += 1
            }
            line += 1
            column = 1
        }
        return nil
    }
}
