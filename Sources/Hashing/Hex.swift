/// Lower-case hexadecimal, written and read without locale or format strings.
package enum Hex {
    /// The digits of `bytes`, two for each.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The digits of a word, most significant first: 8 of 32 bits, 16 of 64.
    package static func text(_ word: some FixedWidthInteger & UnsignedInteger) -> String {
        text(withUnsafeBytes(of: word.bigEndian) { Array($0) })
    }

    /// The value of a digit, of either case; nil for anything else.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The bytes of pairs of digits, of either case; nil for anything else.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.compactMap(value)
        guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// The digit of a value below 16.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Sixteen bytes as a UUID (RFC 9562, 4); fewer give a shorter text.
    package static func uuid(_ bytes: [UInt8]) -> String {
        let digits = bytes.map { text([$0]) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0.clamped(to: digits.indices)].joined() }
            .joined(separator: "-")
    }
}
