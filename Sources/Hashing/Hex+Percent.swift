/// Percent-encoding (RFC 3986, 2.1), of whatever characters. VigilKit has its own: an app gets no module for sums.
extension Hex {
    /// `text` with each byte percent-encoded, with upper-case digits, that `isPlain` does not let stand as it is.
    package static func escaped(_ text: some StringProtocol, unless isPlain: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), upperDigit(byte >> 4), upperDigit(byte & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a byte is a letter, a digit, or one of `-`, `.`, `_` and `~`, which no address gives another meaning (RFC 3986, 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// The bytes of a text with percent-encoded ones in it; nil where a code is broken.
    package static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(value(of:)), let low = rest.next().flatMap(value(of:)) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The bytes of a text with percent-encoded ones in it; what is no code stays as it is.
    package static func unescaped(_ text: some StringProtocol) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let high = value(of: rest[rest.startIndex]),
                let low = value(of: rest[rest.startIndex + 1])
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func upperDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
