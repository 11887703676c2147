/// Writes values as JSON straight into bytes.
///
/// The bytes are those of Foundation's `JSONEncoder` with sorted keys and slashes as they are, which builds a tree of objects first.
/// What `JSONEncoder` treats apart from its `Encodable` (dates, data, URLs) is no part of any answer.
enum JSONBytes {
    /// `value` as JSON, keys in the order of their UTF-8. Throws `EncodingError` for a number that JSON has not, and where a value
    /// writes into a container that it has left.
    static func of(_ value: some Encodable) throws -> [UInt8] {
        let output = JSONOutput()
        let node = JSONNode(output)
        try value.encode(to: node)
        node.close()
        guard !output.isBroken else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: [], debugDescription: "a container was written to after the one around it"))
        }
        return output.bytes
    }
}

/// The bytes so far.
final class JSONOutput {
    @exclusivity(unchecked) var bytes: [UInt8] = []
    /// Parts of an object while they are put in order.
    @exclusivity(unchecked) var sorted: [UInt8] = []
    /// Whether something came too late for its place.
    @exclusivity(unchecked) var isBroken = false
    /// Of each type of value that was written with its keys out of order: its keys as they came, and their places in order.
    @exclusivity(unchecked) var orders: [ObjectIdentifier: (keys: [String], order: [Int])] = [:]

    func mark(_ ascii: Unicode.Scalar) { bytes.append(UInt8(ascii: ascii)) }

    func append(_ number: some BinaryInteger) { bytes.append(contentsOf: number.description.utf8) }

    func word(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// A time as its `Encodable` has it.
    func append(_ time: WallTime) {
        mark("\"")
        time.append(to: &bytes)
        mark("\"")
    }

    /// A number; without the fraction that is nothing.
    func append(_ number: some BinaryFloatingPoint & LosslessStringConvertible & Encodable) throws {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, .init(codingPath: [], debugDescription: "JSON has no \(number)"))
        }
        let text = number.description.utf8
        bytes.append(contentsOf: text.suffix(2).elementsEqual(".0".utf8) ? text.dropLast(2) : text[...])
    }

    /// A string with its quotation marks (RFC 8259 section 7).
    func append(quoted text: String) {
        var text = text
        text.withUTF8 { utf8 in
            mark("\"")
            if utf8.contains(where: Self.isEscaped) {
                for byte in utf8 { append(escaped: byte) }
            } else {
                bytes.append(contentsOf: utf8)
            }
            mark("\"")
        }
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private func append(escaped byte: UInt8) {
        guard Self.isEscaped(byte) else { return bytes.append(byte) }
        mark("\\")
        switch Unicode.Scalar(byte) {
        case "\"", "\\": bytes.append(byte)
        case "\u{8}": mark("b")
        case "\u{c}": mark("f")
        case "\n": mark("n")
        case "\r": mark("r")
        case "\t": mark("t")
        default:
            let digits: StaticString = byte < 0x10 ? "u000" : "u001"
            word(digits)
            bytes.append(contentsOf: String(byte & 0xf, radix: 16).utf8)
        }
    }
}
