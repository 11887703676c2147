/// A box inside a buffer: its type and contents.
struct Box {
    /// The four-character code.
    let type: FourCC
    /// What follows the header.
    let contents: ArraySlice<UInt8>

    /// The boxes in `bytes`, in order. Total: nil when a box does not fit.
    static func list(_ bytes: ArraySlice<UInt8>) -> [Box]? {
        var boxes: [Box] = []
        var reader = ByteReader(bytes)
        while reader.left > 0 {
            guard let size32 = reader.u32(), let code = reader.u32() else { return nil }
            var header: UInt64 = 8
            var size = UInt64(size32)
            if size32 == 1 {
                guard let large = reader.u64() else { return nil }
                header = 16
                size = large
            }
            if size32 == 0 { size = header + UInt64(reader.left) }
            guard size >= header, let contents = reader.take(size - header) else { return nil }
            boxes.append(Box(type: FourCC(code), contents: contents))
        }
        return boxes
    }

    /// The boxes inside this one, after `skipping` bytes.
    func children(skipping: Int = 0) -> [Box]? {
        contents.count >= skipping ? Self.list(contents.dropFirst(skipping)) : nil
    }
}

extension [Box] {
    /// The first box of a type.
    func first(_ type: FourCC) -> Box? { first { $0.type == type } }
}

/// A four-character code.
struct FourCC: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    let code: UInt32

    init(_ code: UInt32) { self.code = code }

    init(stringLiteral text: String) {
        // Widens a byte.
        code = text.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    var description: String {
        String(
            decoding: (0..<4).map { index in
                let byte = UInt8(truncatingIfNeeded: code >> UInt32(24 - 8 * index))
                return (32...126).contains(byte) ? byte : UInt8(ascii: "?")
            }, as: UTF8.self)
    }
}

/// Reads big-endian numbers from foreign bytes; nil where they end.
struct ByteReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var left: Int { bytes.count }

    mutating func u8() -> UInt8? { bytes.popFirst() }

    mutating func u16() -> UInt16? { number(2).map { UInt16(truncatingIfNeeded: $0) } }

    mutating func u32() -> UInt32? { number(4).map { UInt32(truncatingIfNeeded: $0) } }

    mutating func u64() -> UInt64? { number(8) }

    /// 64 bits when `wide`, else 32.
    mutating func number(wide: Bool) -> UInt64? { number(wide ? 8 : 4) }

    mutating func skip(_ count: Int) -> Bool { count >= 0 && take(UInt64(count)) != nil }

    mutating func take(_ count: UInt64) -> ArraySlice<UInt8>? {
        guard count <= UInt64(bytes.count) else { return nil }
        let taken = bytes.prefix(Int(count))
        bytes = bytes.dropFirst(Int(count))
        return taken
    }

    private mutating func number(_ width: Int) -> UInt64? {
        guard bytes.count >= width else { return nil }
        var value: UInt64 = 0
        for byte in bytes.prefix(width) { value = value << 8 | UInt64(byte) }
        bytes = bytes.dropFirst(width)
        return value
    }
}
