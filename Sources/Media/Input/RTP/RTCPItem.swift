/// What RTCP says that matters (RFC 3550, 6).
enum RTCPItem: Hashable {
    /// At `wallUs` (microseconds since 1970) the stamp of the medium of `source` was `stamp`.
    case senderReport(source: UInt32, wallUs: Int64, stamp: UInt32, middle: UInt32)
    /// The media of these sources have ended.
    case bye(sources: [UInt32])

    /// Reads a compound packet; what it does not know it passes over.
    static func read(_ bytes: UnsafeRawBufferPointer) -> [RTCPItem] {
        var items: [RTCPItem] = []
        var begin = 0
        while begin + 4 <= bytes.count, bytes[begin] >> 6 == 2 {
            let length = 4 + 4 * Int(bytes.word16(begin + 2))
            guard begin + length <= bytes.count else { break }
            switch bytes[begin + 1] {
            case 200 where length >= 28:
                let seconds = Int64(bytes.word32(begin + 8))
                let fraction = Int64(bytes.word32(begin + 12))
                // A clock that was never set says 0; that is no wall clock.
                if seconds > 2_208_988_800 {
                    let wall = (seconds - 2_208_988_800) * 1_000_000 + (fraction * 1_000_000) >> 32
                    items.append(
                        .senderReport(
                            source: bytes.word32(begin + 4), wallUs: wall, stamp: bytes.word32(begin + 16),
                            middle: bytes.word32(begin + 10)))
                }
            case 203:
                let count = min(Int(bytes[begin] & 0x1F), (length - 4) / 4)
                items.append(.bye(sources: (0..<count).map { bytes.word32(begin + 4 + 4 * $0) }))
            default: break
            }
            begin += length
        }
        return items
    }
}
