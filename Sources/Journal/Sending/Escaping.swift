/// Makes foreign text fit for one line of a terminal: bounded, and without anything that moves the cursor, ends the line,
/// or turns the writing direction.
enum Escaping {
    /// The longest piece of foreign text inside a message, in Unicode scalars.
    static let scalarsMax = 240

    /// `text` with control, format and line-separating characters as escapes; longer text ends in `…`.
    static func visible(_ text: String, scalarsMax: Int = scalarsMax) -> String {
        var result = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            if count == scalarsMax {
                result.append("…")
                break
            }
            count += 1
            append(scalar, to: &result)
        }
        return String(result)
    }

    /// The beginning of `text` that takes at most `bytesMax` bytes of UTF-8, cut between two scalars.
    static func prefix(_ text: String, bytesMax: Int) -> Substring {
        guard text.utf8.count > bytesMax else { return text[...] }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: max(0, bytesMax))
        while end > text.utf8.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return text[..<end]
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout String.UnicodeScalarView) {
        switch scalar {
        case "\n": result.append(contentsOf: "\\n".unicodeScalars)
        case "\r": result.append(contentsOf: "\\r".unicodeScalars)
        case "\t": result.append(contentsOf: "\\t".unicodeScalars)
        case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
        default:
            if isVisible(scalar) {
                result.append(scalar)
            } else {
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            }
        }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7f }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return true
        }
    }
}
