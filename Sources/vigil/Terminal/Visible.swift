/// Text that may hold anything (names, errors, what files and cameras say) made fit for a terminal: what would move the cursor,
/// change colours or turn the writing direction is shown as an escape. It is the escape of JSON, so that JSON stays JSON.
enum Visible {
    /// `text` with line ends and tabs as they are.
    static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.replacing("\r\n", with: "\n").unicodeScalars {
            if isHidden(scalar) {
                for unit in String(scalar).utf16 { result += escape(unit).unicodeScalars }
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The same on one line: for what stands in a sentence or a cell.
    static func line(_ text: String) -> String {
        Self.text(text.replacing("\r\n", with: "\n")).replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value == 0x7f || scalar.value < 0x20 && scalar != "\n" && scalar != "\t" }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
        default: return false
        }
    }
}
