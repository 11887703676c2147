/// The header of an RTP packet (RFC 3550, 5.1) and where its payload lies.
struct RTPPacket {
    let isMarked: Bool
    let payloadType: UInt8
    let sequence: UInt16
    let timestamp: UInt32
    let source: UInt32
    let payload: Range<Int>

    /// Reads `bytes`; nil when they are no RTP packet of version 2.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 12, bytes[0] >> 6 == 2 else { return nil }
        isMarked = bytes[1] & 0x80 != 0
        payloadType = bytes[1] & 0x7F
        sequence = bytes.word16(2)
        timestamp = bytes.word32(4)
        source = bytes.word32(8)
        var begin = 12 + 4 * Int(bytes[0] & 0x0F)
        if bytes[0] & 0x10 != 0 {
            guard begin + 4 <= bytes.count else { return nil }
            begin += 4 + 4 * Int(bytes.word16(begin + 2))
        }
        var end = bytes.count
        if bytes[0] & 0x20 != 0, let padding = bytes.last { end -= Int(padding) }
        guard begin <= end else { return nil }
        payload = begin..<end
    }
}

extension UnsafeRawBufferPointer {
    /// Two bytes in network order. The caller has checked the bound.
    func word16(_ offset: Int) -> UInt16 { UInt16(self[offset]) << 8 | UInt16(self[offset + 1]) }

    /// Four bytes in network order. The caller has checked the bound.
    func word32(_ offset: Int) -> UInt32 { UInt32(word16(offset)) << 16 | UInt32(word16(offset + 2)) }

    /// What is left behind the first `begin` bytes, possibly nothing.
    func part(from begin: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[Swift.min(Swift.max(0, begin), count)...])
    }

    /// A part of the buffer, cut to what there is.
    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range.clamped(to: 0..<count)])
    }
}
