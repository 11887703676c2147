/// The fields of one packet, read from its begin to its end. Nothing is read beyond it.
struct PacketFields {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func byte() throws(PacketFault) -> UInt8 {
        guard position < bytes.endIndex else { throw .short }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number16() throws(PacketFault) -> UInt16 {
        let (high, low) = (try byte(), try byte())
        return UInt16(truncatingIfNeeded: high) << 8 | UInt16(truncatingIfNeeded: low)
    }

    mutating func number32() throws(PacketFault) -> UInt32 {
        let (high, low) = (try number16(), try number16())
        return UInt32(truncatingIfNeeded: high) << 16 | UInt32(truncatingIfNeeded: low)
    }

    /// A number of one to four bytes, 7 bits each.
    mutating func number() throws(PacketFault) -> Int {
        var value = 0
        for shift in stride(from: 0, through: 21, by: 7) {
            let next = try byte()
            value |= Int(next & 0x7F) << shift
            if next & 0x80 == 0 { return value }
        }
        throw PacketFault("a number has more than four bytes")
    }

    /// That many bytes.
    mutating func take(_ count: Int) throws(PacketFault) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.endIndex - position else { throw .short }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// The bytes of a text or of binary data, behind their length.
    mutating func data() throws(PacketFault) -> ArraySlice<UInt8> { try take(Int(try number16())) }

    /// What is left.
    mutating func rest() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }
}
