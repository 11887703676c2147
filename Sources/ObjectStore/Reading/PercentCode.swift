internal import Hashing

/// Percent-encoding as Signature Version 4 wants it ("UriEncode" in the AWS documents): every byte of the UTF-8 is escaped with
/// upper-case digits, except letters, digits, `-`, `.`, `_` and `~`.
enum PercentCode {
    /// `text` escaped; `/` stays where `keepsSlash` says so, as in the path of an object.
    static func encode(_ text: some StringProtocol, keepsSlash: Bool = false) -> String {
        var out: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || keepsSlash && byte == UInt8(ascii: "/") {
                out.append(byte)
            } else {
                out += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// What `text` stands for, with `+` as itself; nil where an escape is broken or the bytes are no UTF-8.
    static func decode(_ text: some StringProtocol) -> String? {
        var (out, bytes) = ([UInt8](), text.utf8.makeIterator())
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                out.append(byte)
                continue
            }
            guard let high = bytes.next().flatMap(Hex.value), let low = bytes.next().flatMap(Hex.value) else {
                return nil
            }
            out.append(high << 4 | low)
        }
        return String(validating: out, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
