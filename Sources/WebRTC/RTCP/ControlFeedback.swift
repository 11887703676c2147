/// What a viewer tells of what it gets, read from a compound packet of RTCP (RFC 3550, 6; RFC 4585, 6) whose protection was
/// found good. Every count is bounded, and what is not known is passed over.
struct ControlFeedback {
    /// The most packets of a compound, and lost ones in it.
    static let packetsMax = 32
    static let lostMax = 256

    /// How one source is received (RFC 3550, 6.4.1).
    struct Report: Hashable {
        let source: UInt32
        /// 256ths that were lost since the last report.
        let fractionLost: UInt8
        /// How many were lost in all.
        let lost: Int32
        /// The last number that came, with its wraps.
        let highest: UInt32
        let jitter: UInt32
        /// When the last report of the sender was made, and how long it had been there, in 65 536ths of a second.
        let lastReport: UInt32
        let delay: UInt32
    }

    private(set) var reports: [Report] = []
    /// The packets of the video that were lost.
    private(set) var lost: [UInt16] = []
    /// Whether a picture is wanted at which decoding can begin (PLI, or FIR of RFC 5104).
    private(set) var wantsPicture = false
    /// How many bits a second the viewer estimates that it can get (REMB, draft-alvestrand-rmcat-remb).
    private(set) var estimate: Int?
    /// Whether the viewer leaves.
    private(set) var isBye = false

    /// Reads a compound about the video of `source`; nil where it is none.
    init?(_ bytes: UnsafeRawBufferPointer, video source: UInt32) {
        var (place, count) = (0, 0)
        while place < bytes.count {
            count += 1
            guard count <= Self.packetsMax, bytes.count - place >= 8, bytes[place] >> 6 == 2 else { return nil }
            let size = 4 * (Int(bytes.uint16(place + 2)) + 1)
            guard size <= bytes.count - place else { return nil }
            let body = UnsafeRawBufferPointer(rebasing: bytes[place..<(place + size)])
            if size >= 8 { take(body, source) }
            place += size
        }
        guard count > 0 else { return nil }
    }

    private mutating func take(_ packet: UnsafeRawBufferPointer, _ source: UInt32) {
        let count = Int(packet[0] & 0x1F)
        switch packet[1] {
        case 200: takeReports(packet, from: 28, count)
        case 201: takeReports(packet, from: 8, count)
        case 203: isBye = true
        case 205 where count == 1 && packet.count >= 12 && packet.uint32(8) == source: takeLost(packet)
        case 206 where count == 1 && packet.count >= 12 && packet.uint32(8) == source: wantsPicture = true
        case 206 where count == 15: takeEstimate(packet)
        case 206 where count == 4:
            var place = 12
            while packet.count - place >= 8 {
                if packet.uint32(place) == source { wantsPicture = true }
                place += 8
            }
        default: break
        }
    }

    private mutating func takeReports(_ packet: UnsafeRawBufferPointer, from first: Int, _ count: Int) {
        var place = first
        for _ in 0..<count where packet.count - place >= 24 && reports.count < Self.packetsMax {
            let lost = Int32(truncatingIfNeeded: packet.uint32(place + 4) << 8) >> 8
            reports.append(
                Report(
                    source: packet.uint32(place), fractionLost: packet[place + 4], lost: lost,
                    highest: packet.uint32(place + 8), jitter: packet.uint32(place + 12),
                    lastReport: packet.uint32(place + 16), delay: packet.uint32(place + 20)))
            place += 24
        }
    }

    /// `REMB`, how many sources it is about, six bits of an exponent and eighteen of a mantissa. It is about all that it gets.
    private mutating func takeEstimate(_ packet: UnsafeRawBufferPointer) {
        guard packet.count >= 20, packet.uint32(12) == 0x5245_4D42 else { return }
        let word = packet.uint32(16)
        // What no network has is no estimate.
        let (exponent, mantissa) = (word >> 18 & 0x3F, word & 0x3FFFF)
        if exponent <= 40 { estimate = Int(mantissa) << Int(exponent) }
    }

    /// Generic NACK (RFC 4585, 6.2.1): a number, and which of the sixteen after it.
    private mutating func takeLost(_ packet: UnsafeRawBufferPointer) {
        var place = 12
        while packet.count - place >= 4 {
            let (first, others) = (packet.uint16(place), packet.uint16(place + 2))
            note(first)
            for bit in UInt16(0)..<16 where others >> bit & 1 == 1 { note(first &+ bit &+ 1) }
            place += 4
        }
    }

    private mutating func note(_ sequence: UInt16) { if lost.count < Self.lostMax { lost.append(sequence) } }
}
