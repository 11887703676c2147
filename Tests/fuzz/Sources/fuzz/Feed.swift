/// Takes numbers and stretches from the front of an input. Behind its end there are zeros, so every input means something.
struct Feed {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// A number in network order.
    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number {
        var value: UInt64 = 0
        for _ in 0..<Number.bitWidth / 8 { value = value << 8 | UInt64(byte()) }
        return Number(truncatingIfNeeded: value)
    }

    /// At most `count` bytes.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        let end = min(position + count, bytes.count)
        defer { position = end }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<end])
    }

    /// All that is left.
    mutating func rest() -> UnsafeRawBufferPointer { take(bytes.count) }

    /// A line of text without its end; what is no UTF-8 is replaced.
    mutating func line() -> String {
        let start = position
        while position < bytes.count, bytes[position] != 10 { position += 1 }
        defer { position = min(position + 1, bytes.count) }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// All that is left as text.
    mutating func text() -> String { String(decoding: rest(), as: UTF8.self) }
}
