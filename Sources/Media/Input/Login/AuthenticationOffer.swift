/// One way to log in that a camera offers: a field `WWW-Authenticate` may hold several (RFC 9110, 11.6.1).
struct AuthenticationOffer {
    /// `basic`, `digest` or another scheme, in lower case.
    let scheme: String
    /// What it demands; names in lower case, without quotation marks.
    var parameters: [String: String] = [:]

    /// The offers of one field, in their order.
    static func read(_ field: String) -> [AuthenticationOffer] {
        var offers: [AuthenticationOffer] = []
        for part in parts(field) {
            let equals = part.firstIndex(of: "=") ?? part.endIndex
            var name = part[..<equals].trimmingBlanks[...]
            // `Digest realm=…` begins an offer, and so does a word alone.
            if let blank = name.firstIndex(where: \.isBlank) {
                offers.append(AuthenticationOffer(scheme: name[..<blank].lowercased()))
                name = name[blank...].trimmingBlanks[...]
            } else if equals == part.endIndex {
                offers.append(AuthenticationOffer(scheme: name.lowercased()))
                continue
            }
            guard !offers.isEmpty, equals < part.endIndex else { continue }
            var value = part[part.index(after: equals)...].trimmingBlanks[...]
            if value.hasPrefix("\"") {
                value = value.dropFirst()
                if value.hasSuffix("\"") { value = value.dropLast() }
            }
            offers[offers.count - 1].parameters[name.lowercased()] = String(value)
        }
        return offers
    }

    /// What stands between commas or semicolons outside of quotation marks.
    private static func parts(_ field: String) -> [Substring] {
        var parts: [Substring] = []
        var begin = field.startIndex
        var (isQuoted, isEscaped) = (false, false)
        for index in field.indices {
            let character = field[index]
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = isQuoted
            } else if character == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, character == "," || character == ";" {
                parts.append(field[begin..<index])
                begin = field.index(after: index)
            }
        }
        return (parts + [field[begin...]]).filter { !$0.trimmingBlanks.isEmpty }
    }
}
