import Machines

/// Takes H.264 (RFC 6184) and H.265 (RFC 7798) out of RTP payloads and feeds the assembler. Interleaved modes are not
/// offered by cameras; their decoding order numbers are passed over.
struct VideoDepacketizer {
    private(set) var assembler: VideoAssembler
    /// Access units that have become complete.
    private(set) var ready: [AssembledUnit] = []

    init(assembler: VideoAssembler) { self.assembler = assembler }

    /// Hands out the complete access units.
    mutating func takeReady() -> [AssembledUnit] {
        guard !ready.isEmpty else { return [] }
        defer { ready.removeAll(keepingCapacity: true) }
        return ready
    }

    /// Hands out why units were left out.
    mutating func takeRefusals() -> [BitstreamError] { assembler.takeRefusals() }

    /// Packets were lost.
    mutating func lost() { assembler.lost() }

    /// The stream has ended.
    mutating func flush() { keep(assembler.flush()) }

    /// One RTP payload.
    mutating func push(_ payload: UnsafeRawBufferPointer, _ context: PacketContext) {
        if assembler.codec == .h265 { pushH265(payload, context) } else { pushH264(payload, context) }
        if context.isMarked { assembler.mark() }
    }

    private mutating func keep(_ unit: AssembledUnit?) { if let unit { ready.append(unit) } }

    private mutating func pushH264(_ payload: UnsafeRawBufferPointer, _ context: PacketContext) {
        guard let first = payload.first else { return }
        switch first & 0x1F {
        case 24: pushAggregate(payload, from: 1, context)
        case 25: pushAggregate(payload, from: 3, context)
        case 28, 29:
            guard payload.count > 2 else { return }
            let fu = payload[1]
            let isStart = fu & 0x80 != 0
            // FU-B carries a decoding order number behind its first header.
            let begin = first & 0x1F == 29 && isStart ? 4 : 2
            let header = FragmentHeader(first: first & 0xE0 | fu & 0x1F)
            pushFragment(payload.part(from: begin), header: header, flags: fu, context)
        case 26, 27, 30, 31: assembler.lost()
        default: keep(assembler.append(nal: payload, context))
        }
    }

    private mutating func pushH265(_ payload: UnsafeRawBufferPointer, _ context: PacketContext) {
        guard payload.count > 2 else { return }
        switch payload[0] >> 1 & 0x3F {
        case 48: pushAggregate(payload, from: 2, context)
        case 49:
            guard payload.count > 3 else { return }
            let fu = payload[2]
            let header = FragmentHeader(first: payload[0] & 0x81 | (fu & 0x3F) << 1, second: payload[1])
            pushFragment(payload.part(from: 3), header: header, flags: fu, context)
        case 50...63: assembler.lost()
        default: keep(assembler.append(nal: payload, context))
        }
    }

    private mutating func pushAggregate(_ payload: UnsafeRawBufferPointer, from: Int, _ context: PacketContext) {
        var index = from
        while index + 2 <= payload.count {
            let size = Int(payload.word16(index))
            guard size > 0, index + 2 + size <= payload.count else { return assembler.lost() }
            keep(assembler.append(nal: payload.part(index + 2..<index + 2 + size), context))
            index += 2 + size
        }
    }

    private mutating func pushFragment(
        _ payload: UnsafeRawBufferPointer, header: FragmentHeader, flags: UInt8, _ context: PacketContext
    ) {
        if flags & 0x80 != 0 {
            keep(header.withBytes { assembler.beginFragments(header: $0, payload: payload, context) })
            if flags & 0x40 != 0 { assembler.continueFragments(payload.part(0..<0), isEnd: true, context) }
        } else {
            assembler.continueFragments(payload, isEnd: flags & 0x40 != 0, context)
        }
    }
}

/// The NAL unit header that a fragmented unit had, one byte in H.264, two in H.265.
private struct FragmentHeader {
    private let bytes: (UInt8, UInt8)
    private let count: Int

    init(first: UInt8, second: UInt8? = nil) {
        bytes = (first, second ?? 0)
        count = second == nil ? 1 : 2
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: bytes) { body($0.part(0..<count)) }
    }
}
