/// The field `Content-Range` of an answer with a part of something (RFC 9110, section 14.4): `bytes 0-9/100`.
struct ContentRange: Hashable, Sendable {
    /// The bytes that the answer has, below ``size``; never empty.
    let bytes: Range<Int64>
    /// How many there are altogether, 1 or more.
    let size: Int64

    /// Reads the field; nil where it is anything else, such as a size that is not told.
    init?(_ text: String) {
        let unit = "bytes "
        guard text.utf8.count <= 80, text.hasPrefix(unit) else { return nil }
        let parts = text.dropFirst(unit.count).split(separator: "/", omittingEmptySubsequences: false)
        let ends = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, ends.count == 2, let size = Self.number(parts[1]), let first = Self.number(ends[0]),
            let last = Self.number(ends[1]), first <= last, last < size
        else { return nil }
        (bytes, self.size) = (first..<last + 1, size)
    }

    /// Digits alone, no sign.
    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }
}
