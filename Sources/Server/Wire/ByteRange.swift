/// Which bytes of a resource a request asks for (RFC 9110, 14.1.2). Pure: every text gives a value.
enum ByteRange: Hashable, Sendable {
    /// All of them: nothing was asked for, or nothing that is understood. Several ranges at once are not.
    case whole
    /// These, at least one.
    case part(Range<UInt64>)
    /// None that there is.
    case outside

    /// What the field `Range` asks for of `length` bytes. Positions beyond the end mean the end.
    init(_ field: String?, of length: UInt64) {
        self = .whole
        guard let field, field.utf8.count <= Self.fieldMax else { return }
        let halves = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, Self.trimmed(halves[0]).lowercased() == "bytes" else { return }
        let ends = Self.trimmed(halves[1]).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return }
        switch (Self.number(ends[0]), Self.number(ends[1])) {
        case (let first?, let last?) where first <= last:
            // The last position is below the length, so one more of it does not overflow.
            self = first < length ? .part(first..<min(last, length - 1) + 1) : .outside
        case (let first?, nil) where ends[1].isEmpty: self = first < length ? .part(first..<length) : .outside
        case (nil, let last?) where ends[0].isEmpty:
            self = last > 0 && length > 0 ? .part(length - min(last, length)..<length) : .outside
        default: break
        }
    }

    /// The longest field that is looked at.
    private static let fieldMax = 128

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
        return text.drop { $0 == " " || $0 == "\t" }
    }

    /// A number in decimal digits; the largest there is where it does not fit.
    private static func number(_ text: Substring) -> UInt64? {
        guard !text.isEmpty else { return nil }
        var value: UInt64 = 0
        for byte in text.utf8 {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
            value = overflow || carry || value == .max ? .max : sum
        }
        return value
    }
}

/// Names a state of a resource: two states with the same tag have the same bytes (RFC 9110, 8.8.3).
struct EntityTag: Hashable, Sendable {
    /// The tag in its quotes.
    let field: String

    /// The tag of a text of visible ASCII without quotes.
    init(_ text: String) { field = "\"\(text)\"" }

    /// Whether the field `If-Range` lets a part be sent: only this very tag does, never a date or a weak tag.
    func allowsPart(_ ifRange: String?) -> Bool { ifRange.map { $0 == field } ?? true }

    /// Whether the field `If-None-Match` says that the client has these bytes.
    func isKnown(_ ifNoneMatch: String?) -> Bool {
        guard let ifNoneMatch else { return false }
        return ifNoneMatch.split(separator: ",").contains { part in
            let tag = part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return tag == "*" || tag == field || tag == "W/" + field
        }
    }
}
