/// Makes packets of the bytes of a broker, in whatever pieces they come. It holds at most one packet and one piece.
package struct PacketReader {
    /// The longest packet that is read, in bytes. A longer message is passed over; any other packet of that length is a fault.
    package static let bytesMax = 96 << 10
    /// The begin of a message with the longest topic that there can be: a length, the topic, an identifier.
    private static let headBytes = 2 + 0xFFFF + 2

    private let version: MQTTVersion
    private var bytes: [UInt8] = []
    private var begin = 0
    /// What is still to come of a message that is too long.
    private var skipped = 0

    package init(_ version: MQTTVersion) { self.version = version }

    /// How many bytes it holds.
    package var held: Int { bytes.count - begin }

    /// Whether it passes over a message that is too long.
    package var isSkipping: Bool { skipped > 0 }

    /// Takes what came.
    package mutating func take(_ piece: some Collection<UInt8>) {
        bytes.removeFirst(begin)
        begin = 0
        let passed = min(skipped, piece.count)
        skipped -= passed
        bytes += piece.dropFirst(passed)
    }

    /// The next packet; nil where it is not whole yet.
    package mutating func next() throws(PacketFault) -> ServerPacket? {
        guard let (length, lengthBytes) = try length() else { return nil }
        let body = begin + 1 + lengthBytes
        let isWhole = length <= Self.bytesMax
        let wanted = isWhole ? length : Self.headBytes
        guard bytes.count - body >= wanted else { return nil }
        let packet = try ServerPacket(bytes[begin], bytes[body..<body + wanted], isWhole: isWhole, version)
        let passed = min(length, bytes.count - body)
        skipped = length - passed
        begin = body + passed
        return packet
    }

    /// The length of the packet's body, and how many bytes say it; nil where they have not come yet.
    private func length() throws(PacketFault) -> (Int, bytes: Int)? {
        var value = 0
        for place in 0..<4 {
            guard begin + 1 + place < bytes.count else { return nil }
            let next = bytes[begin + 1 + place]
            value |= Int(next & 0x7F) << (7 * place)
            if next & 0x80 == 0 { return (value, place + 1) }
        }
        throw PacketFault("the length of a packet has more than four bytes")
    }
}
