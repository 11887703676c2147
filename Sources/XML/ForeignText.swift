extension StringProtocol {
    /// Without blanks and line ends at either end.
    package var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
        var rest = self[...]
        while let first = rest.first, isBlank(first) { rest = rest.dropFirst() }
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return String(rest)
    }

    /// In one line of at most `max` scalars, as it may be shown; nil where nothing is left. Characters that end lines, control
    /// terminals or turn the direction of writing become blanks.
    package func line(max: Int) -> String? {
        var (line, count) = (String.UnicodeScalarView(), 0)
        for scalar in unicodeScalars where count < max {
            count += 1
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
                line.append(" ")
            default: line.append(scalar)
            }
        }
        let trimmed = String(line).trimmed
        return trimmed.isEmpty ? nil : trimmed
    }
}
