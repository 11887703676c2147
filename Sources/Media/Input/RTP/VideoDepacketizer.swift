import Machines

/// Takes H.264 (RFC 6184) and H.265 (RFC 7798) out of RTP payloads and feeds the assembler. Interleaved modes are not
/// offered by cameras; decoding order numbers are passed over.
struct VideoDepacketizer {
    private(set) var assembler: VideoAssembler
    /// Access units that have become complete.
    private(set) var ready: [AssembledUnit] = []

    /// H.265: units are preceded by decoding order numbers (`sprop-max-don-diff`).
    private let hasOrderNumbers: Bool
    /// The header of a unit whose first fragment was empty.
    private var awaited: FragmentHeader?

    init(assembler: VideoAssembler, hasOrderNumbers: Bool = false) {
        self.assembler = assembler
        self.hasOrderNumbers = hasOrderNumbers
    }

    /// Hands out the complete access units.
    mutating func takeReady() -> [AssembledUnit] {
        guard !ready.isEmpty else { return [] }
        defer { ready.removeAll(keepingCapacity: true) }
        return ready
    }

    /// Hands out why units were left out.
    mutating func takeRefusals() -> [BitstreamError] { assembler.takeRefusals() }

    /// Packets were lost.
    mutating func lost() {
        awaited = nil
        assembler.lost()
    }

    /// What comes next is of another sender.
    mutating func changeSender() {
        awaited = nil
        assembler.changeSender()
    }

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
        case 24: pushAggregate(payload.part(from: 1), context)
        case 25: pushAggregate(payload.part(from: 3), context)
        case 28, 29:
            guard payload.count >= 2 else { return }
            let fu = payload[1]
            let isStart = fu & 0x80 != 0
            // FU-B carries a decoding order number behind its first header.
            let begin = first & 0x1F == 29 && isStart ? 4 : 2
            let header = FragmentHeader(first: first & 0xE0 | fu & 0x1F)
            pushFragment(payload.part(from: begin), header: header, flags: fu, context)
        case 26, 27: assembler.lost()
        // No packet has these types; what a camera means by them is no part of its pictures.
        case 30, 31: break
        default:
            awaited = nil
            keep(assembler.append(nal: payload, context))
        }
    }

    private mutating func pushH265(_ payload: UnsafeRawBufferPointer, _ context: PacketContext) {
        guard payload.count > 2 else { return }
        let header = FragmentHeader(first: payload[0], second: payload[1])
        switch payload[0] >> 1 & 0x3F {
        case 50:
            // PACI (RFC 7798, 4.4.4): an extension that nobody needs, and a payload of the type that its head names.
            guard payload.count > 4 else { return }
            let fields = payload.word16(2)
            let inner = FragmentHeader(
                first: UInt8(truncatingIfNeeded: (fields >> 15) << 7 | (fields >> 9 & 0x3F) << 1) | payload[0] & 1,
                second: payload[1])
            pushH265(header: inner, payload.part(from: 4 + Int(fields >> 4 & 0x1F)), context)
        case 0..<48 where !hasOrderNumbers:
            awaited = nil
            keep(assembler.append(nal: payload, context))
        default: pushH265(header: header, payload.part(from: 2), context)
        }
    }

    /// What follows the two bytes of a payload's header.
    private mutating func pushH265(
        header: FragmentHeader, _ body: UnsafeRawBufferPointer, _ context: PacketContext
    ) {
        let orderBytes = hasOrderNumbers ? 2 : 0
        switch header.first >> 1 & 0x3F {
        case 48: pushAggregate(body.part(from: orderBytes), between: hasOrderNumbers ? 1 : 0, context)
        case 49:
            guard let fu = body.first else { return }
            let isStart = fu & 0x80 != 0
            let whole = FragmentHeader(first: header.first & 0x81 | (fu & 0x3F) << 1, second: header.second)
            pushFragment(body.part(from: isStart ? 1 + orderBytes : 1), header: whole, flags: fu, context)
        case 0..<48: pushFragment(body.part(from: orderBytes), header: header, flags: 0xC0, context)
        // Nested PACI, and types that no packet has.
        default: break
        }
    }

    /// Units behind their sizes, with `between` bytes before each size but the first.
    private mutating func pushAggregate(
        _ payload: UnsafeRawBufferPointer, between: Int = 0, _ context: PacketContext
    ) {
        awaited = nil
        var index = 0
        while index + 2 <= payload.count {
            let size = Int(payload.word16(index))
            guard index + 2 + size <= payload.count else { return assembler.noteDamage() }
            // Units of nothing are padding.
            if size > 0 { keep(assembler.append(nal: payload.part(index + 2..<index + 2 + size), context)) }
            index += 2 + size + between
        }
    }

    private mutating func pushFragment(
        _ payload: UnsafeRawBufferPointer, header: FragmentHeader, flags: UInt8, _ context: PacketContext
    ) {
        let isEnd = flags & 0x40 != 0
        if flags & 0x80 != 0 { awaited = header }
        guard let awaited else { return assembler.continueFragments(payload, isEnd: isEnd, context) }
        // A first fragment may be empty; what the unit is, is known with its first byte.
        guard !payload.isEmpty else {
            if isEnd { self.awaited = nil }
            return
        }
        self.awaited = nil
        keep(awaited.withBytes { assembler.beginFragments(header: $0, payload: payload, context) })
        if isEnd { assembler.continueFragments(payload.part(0..<0), isEnd: true, context) }
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

    var first: UInt8 { bytes.0 }
    var second: UInt8 { bytes.1 }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: bytes) { body($0.part(0..<count)) }
    }
}
