/// Whether a text is JSON to the letter of RFC 8259. Foundation's readers allow more, such as a comma too many, and whoever takes a
/// message may not.
struct JSONText {
    /// How deep arrays and objects may lie in each other.
    static let depthMax = 64

    private let bytes: [UInt8]
    private var at = 0

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether `text` is JSON.
    static func isValid(_ text: String) -> Bool {
        var reader = JSONText(text)
        guard reader.value(depth: 0) else { return false }
        reader.skipSpace()
        return reader.at == reader.bytes.count
    }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { at += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        at += 1
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return list(UInt8(ascii: "}"), depth: depth) { $0.member(depth: depth + 1) }
        case UInt8(ascii: "["): return list(UInt8(ascii: "]"), depth: depth) { $0.value(depth: depth + 1) }
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func list(_ end: UInt8, depth: Int, _ element: (inout JSONText) -> Bool) -> Bool {
        guard depth < Self.depthMax else { return false }
        at += 1
        skipSpace()
        if take(end) { return true }
        repeat { guard element(&self) else { return false } } while comma()
        return take(end)
    }

    private mutating func comma() -> Bool {
        skipSpace()
        return take(UInt8(ascii: ","))
    }

    private mutating func member(depth: Int) -> Bool {
        skipSpace()
        guard string() else { return false }
        skipSpace()
        return take(UInt8(ascii: ":")) && value(depth: depth)
    }

    private mutating func string() -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        while let byte = next {
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"): guard escape() else { return false }
            case 0..<0x20: return false
            default: break
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard let byte = next else { return false }
        at += 1
        guard byte == UInt8(ascii: "u") else { return Array("\"\\/bfnrt".utf8).contains(byte) }
        for _ in 0..<4 {
            guard let digit = next, UnicodeScalar(digit).properties.isASCIIHexDigit else { return false }
            at += 1
        }
        return true
    }

    private mutating func word(_ text: String) -> Bool {
        for byte in text.utf8 { guard take(byte) else { return false } }
        return true
    }

    private mutating func digits() -> Bool {
        let begin = at
        while let byte = next, (0x30...0x39).contains(byte) { at += 1 }
        return at > begin
    }

    private mutating func number() -> Bool {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")), !digits() { return false }
        if take(UInt8(ascii: ".")), !digits() { return false }
        guard take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) else { return true }
        if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
        return digits()
    }
}
