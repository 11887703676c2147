/// Finds YAML anchors before the text reaches the parser.
///
/// Anchors are refused: no key of ours needs one, and a few nested aliases blow a small file up to billions of nodes
/// ("billion laughs"). The check must not miss an anchor; it may refuse a quoted text that looks like one, and the
/// remedy says how to write it. It therefore looks at characters and not at YAML's context: an anchor is `&` before a
/// word, after a blank, a bracket, a comma, a colon or a quote. A comment is let through where it surely is one, which is
/// on a line without a quote up to the `&`, since only a quote could end a text that began on an earlier line.
enum AnchorGuard {
    /// The place of the first thing that may be an anchor; nil when there surely is none.
    static func firstAnchor(in text: String) -> Place? {
        var line = 1
        var column = 1
        var previous: Unicode.Scalar = "\n"
        var quoteSeen = false
        var inComment = false
        var scalars = text.unicodeScalars.makeIterator()
        var current = scalars.next()
        while let scalar = current {
            let next = scalars.next()
            if scalar == "\"" || scalar == "'" {
                quoteSeen = true
                inComment = false
            }
            if scalar == "#", !quoteSeen, isBlank(previous) { inComment = true }
            if scalar == "&", !inComment, canPrecede(previous), let next, isWord(next) {
                return Place(line: line, column: column)
            }
            if isBreak(scalar) {
                quoteSeen = false
                inComment = false
            }
            // CR LF counts as one line; places beyond the ASCII breaks only matter for the message.
            if scalar == "\n" || (scalar == "\r" && next != "\n") {
                line += 1
                column = 1
            } else {
                column += 1
            }
            previous = scalar
            current = next
        }
        return nil
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\u{FEFF}" || isBreak(scalar)
    }

    private static func canPrecede(_ scalar: Unicode.Scalar) -> Bool {
        isBlank(scalar) || ["[", "]", "{", "}", ",", ":", "?", "\"", "'"].contains(scalar)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }
}
