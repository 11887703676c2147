/// Reads fixed-width numbers and marks from the front of a text; never past its end.
struct DigitScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// Exactly `count` decimal digits, at most 9.
    mutating func digits(_ count: Int) -> Int64? {
        guard rest.count >= count else { return nil }
        var value: Int64 = 0
        for byte in rest.prefix(count) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        rest = rest.dropFirst(count)
        return value
    }

    /// One of `marks`.
    mutating func skip(_ marks: Unicode.Scalar...) -> Bool {
        // Widens a byte.
        guard let first = rest.first, marks.contains(where: { $0.value == UInt32(first) }) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Milliseconds of an optional `.digits`; nil where the dot has no digit after it.
    mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        var millis: Int64 = 0
        var count = 0
        while let digit = digits(1) {
            if count < 3 { millis = millis * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in 0..<max(0, 3 - count) { millis *= 10 }
        return millis
    }

    /// Minutes east of UTC of `Z` or `±hh:mm`.
    mutating func offset() -> Int64? {
        if skip("Z", "z") { return 0 }
        let east = skip("+")
        guard east || skip("-") else { return nil }
        guard let hours = digits(2), skip(":"), let minutes = digits(2), hours <= 23, minutes <= 59 else { return nil }
        return (hours * 60 + minutes) * (east ? 1 : -1)
    }
}
