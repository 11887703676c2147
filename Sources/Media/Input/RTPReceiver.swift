import Machines

/// Watches the sequence of one medium's RTP packets: finds losses, keeps order over UDP, and knows what a receiver
/// report says (RFC 3550, 6.4.2 and appendix A).
struct RTPReceiver {
    /// What to do with a packet.
    enum Verdict: Hashable {
        /// It is the next one.
        case next
        /// It is the next one there is; some before it are lost.
        case afterLoss(Int)
        /// It came twice, or too late.
        case stale
        /// It came too early; others may still come before it.
        case early
    }

    private(set) var source: UInt32?
    private var expected: UInt16 = 0
    private var cycles: UInt32 = 0
    private(set) var lost: UInt64 = 0
    private(set) var received: UInt64 = 0
    /// The middle 32 bits of the last sender report's clock and when it came.
    private var lastReport: (middle: UInt32, arrivalMs: Int64)?
    private var receivedBefore: UInt64 = 0
    private var lostBefore: UInt64 = 0

    /// Judges a packet. `isOrdered`: the transport keeps order, so a gap is a loss at once.
    mutating func judge(_ packet: RTPPacket, isOrdered: Bool) -> Verdict {
        guard let source, source == packet.source else {
            self.source = packet.source
            accept(packet.sequence)
            return .next
        }
        let ahead = Int16(bitPattern: packet.sequence &- expected)
        if ahead == 0 {
            accept(packet.sequence)
            return .next
        }
        // Far behind: the camera has begun to count anew.
        if ahead < 0, ahead > -3000 { return .stale }
        if !isOrdered, ahead > 0, ahead < 3000 { return .early }
        return pass(packet)
    }

    /// Takes `packet` although some before it are missing.
    mutating func pass(_ packet: RTPPacket) -> Verdict {
        let ahead = Int(Int16(bitPattern: packet.sequence &- expected))
        accept(packet.sequence)
        let count = ahead > 0 && ahead < 3000 ? ahead : 1
        lost += UInt64(count)
        return .afterLoss(count)
    }

    private mutating func accept(_ sequence: UInt16) {
        if sequence &+ 1 < sequence { cycles &+= 1 << 16 }
        expected = sequence &+ 1
        received += 1
    }

    mutating func noteReport(middle: UInt32, arrivalMs: Int64) { lastReport = (middle, arrivalMs) }

    /// A receiver report with a source description, which a compound packet must have.
    mutating func report(nowMs: Int64) -> [UInt8]? {
        guard let source else { return nil }
        let lostNow = lost - lostBefore
        let all = received - receivedBefore + lostNow
        let fraction = all == 0 ? 0 : UInt32(min(255, lostNow * 256 / all))
        lostBefore = lost
        receivedBefore = received
        // Our own source number; one reader per session, so a constant collides with nobody.
        var words: [UInt32] = [0x81C9_0007, 0x5649_4749, source]
        words.append(fraction << 24 | UInt32(min(lost, 0x7F_FFFF)))
        words.append(cycles &+ UInt32(expected &- 1))
        words.append(0)
        words.append(lastReport?.middle ?? 0)
        words.append(lastReport.map { UInt32(truncatingIfNeeded: (nowMs - $0.arrivalMs) * 65536 / 1000) } ?? 0)
        var bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
        // SDES with the CNAME "vigil", padded to whole words.
        bytes += [0x81, 0xCA, 0, 3, 0x56, 0x49, 0x47, 0x49, 1, 5] + Array("vigil".utf8) + [0]
        return bytes
    }
}

/// What RTCP says that matters (RFC 3550, 6).
enum RTCPItem: Hashable {
    /// At `wallUs` (microseconds since 1970) the medium's stamp was `stamp`.
    case senderReport(wallUs: Int64, stamp: UInt32, middle: UInt32)
    /// The camera has ended the medium.
    case bye

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
                            wallUs: wall, stamp: bytes.word32(begin + 16), middle: bytes.word32(begin + 10)))
                }
            case 203: items.append(.bye)
            default: break
            }
            begin += length
        }
        return items
    }
}
