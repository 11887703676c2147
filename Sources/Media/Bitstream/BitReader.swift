/// Reads bits from foreign bytes that are all there. Every read is checked: it throws where the data ends and never traps.
struct BitReader: BitSource {
    /// What is being read, for errors.
    let subject: String
    private let bytes: [UInt8]
    private var position = 0

    /// Reads `bytes` as they are.
    init(_ bytes: [UInt8], subject: String) {
        self.bytes = bytes
        self.subject = subject
    }

    /// Reads the payload of a NAL unit: skips `headerBytes`, takes emulation prevention bytes (00 00 03) out.
    init(nal: UnsafeRawBufferPointer, headerBytes: Int, subject: String) {
        self.init(Self.unescape(nal.dropFirst(headerBytes)), subject: subject)
    }

    /// Bits not read yet.
    var bitsLeft: Int { bytes.count * 8 - position }

    /// The next `count` bits, 0…32.
    mutating func bits(_ count: Int) throws(BitstreamError) -> UInt32 {
        guard count <= bitsLeft else { throw BitstreamError(subject, .truncated) }
        var value: UInt64 = 0
        var wanted = count
        while wanted > 0 {
            let free = 8 - position & 7
            let take = min(free, wanted)
            let chunk = (bytes[position >> 3] >> (free - take)) & UInt8(truncatingIfNeeded: (1 << take) - 1)
            value = value << UInt64(take) | UInt64(chunk)
            position += take
            wanted -= take
        }
        return UInt32(truncatingIfNeeded: value)
    }

    /// Steps over `count` bits.
    mutating func skip(_ count: Int) throws(BitstreamError) {
        guard count >= 0, count <= bitsLeft else { throw BitstreamError(subject, .truncated) }
        position += count
    }

    private static func unescape(_ nal: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(nal.count)
        var zeros = 0
        for byte in nal {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            out.append(byte)
        }
        return out
    }
}
