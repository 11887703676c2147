import CLibav
import Machines

/// Takes audio out of RTP payloads.
struct AudioDepacketizer {
    /// How packets are laid out.
    enum Layout {
        /// RFC 3640: access units behind a table of their sizes.
        case mpeg4(sizeBits: Int, indexBits: Int, frameTicks: Int64)
        /// RFC 6416 with the configuration out of band: units behind their lengths, possibly over several packets.
        case latm(frameTicks: Int64)
        /// RFC 6416 with the configuration in the stream; stamps count `clock` ticks a second.
        case latmInBand(clock: Int64)
        /// RFC 7587: one packet each.
        case opus
        /// Samples without any head; how long a packet lasts is found by decoding it.
        case samples
    }

    /// The largest unit that is put together from several packets.
    private static let unitBytesMax = 64 << 10

    let layout: Layout
    /// The most units in one packet; what comes beyond is not taken.
    private let unitsMax: Int
    private var parts: [UInt8] = []
    private var wanted = 0
    private var hasLoss = false
    private var latm = LATMReader()
    /// RFC 3640: whether a table of sizes has ever made sense, and how many packets in a row had none.
    private var hasTable = false
    private var withoutTable = 0
    /// So many packets without a table, and none with one before, show that there is none.
    private static let withoutTableEnough = 3

    init(layout: Layout, unitsMax: Int) {
        self.layout = layout
        self.unitsMax = unitsMax
    }

    /// Packets were lost: a unit in progress cannot be completed.
    mutating func lost() {
        cut()
        hasLoss = true
    }

    /// What comes next does not continue what came.
    mutating func cut() {
        parts.removeAll(keepingCapacity: true)
        wanted = 0
    }

    /// One RTP payload. `emit`: a unit, how many ticks after the packet's stamp it begins, how long it lasts, and whether
    /// packets were lost before it. `configure`: what holds from the next unit on, where the stream itself says so.
    mutating func push(
        _ payload: UnsafeRawBufferPointer, isMarked: Bool, configure: (AACConfiguration, [UInt8]) -> Void = { _, _ in },
        emit: (UnsafeRawBufferPointer, Int64, Int64?, Bool) -> Void
    ) {
        guard !payload.isEmpty else { return }
        let isDamaged = hasLoss
        hasLoss = false
        switch layout {
        case .mpeg4(let sizeBits, let indexBits, let ticks):
            takeMPEG4(payload, sizeBits: sizeBits, indexBits: indexBits) { unit, index in
                emit(unit, Int64(index) * ticks, ticks, isDamaged && index == 0)
            }
        case .latm(let ticks):
            pushLATM(payload, isMarked: isMarked) { unit, index in
                emit(unit, Int64(index) * ticks, ticks, isDamaged && index == 0)
            }
        case .latmInBand(let clock):
            guard gather(payload, isMarked: isMarked) else { break }
            let units = latm.units(parts)
            parts.removeAll(keepingCapacity: true)
            // What no unit follows is told with the next one: the stream may take it back before.
            guard let configuration = latm.configuration, !units.isEmpty else { break }
            configure(configuration.audio, configuration.bytes)
            let ticks = configuration.audio.frameTicks(clock: clock)
            for (index, unit) in units.enumerated() {
                unit.withUnsafeBytes { emit($0, Int64(index) * ticks, ticks, isDamaged && index == 0) }
            }
        case .opus: emit(payload, 0, OpusPacket.duration(payload), isDamaged)
        case .samples: emit(payload, 0, nil, isDamaged)
        }
    }

    /// RFC 3640, and what cameras send in its place: ADTS, or units without anything around them.
    private mutating func takeMPEG4(
        _ payload: UnsafeRawBufferPointer, sizeBits: Int, indexBits: Int, emit: (UnsafeRawBufferPointer, Int) -> Void
    ) {
        if let head = AACConfiguration.adtsHead(payload), head.frameBytes <= payload.count {
            return takeADTS(payload, emit: emit)
        }
        if !hasTable, wanted == 0 {
            hasTable = AudioDepacketizer.beginsWithTable(payload, sizeBits: sizeBits, indexBits: indexBits)
            if !hasTable {
                withoutTable = min(withoutTable + 1, AudioDepacketizer.withoutTableEnough)
                if withoutTable == AudioDepacketizer.withoutTableEnough { emit(payload, 0) }
                return
            }
        }
        pushMPEG4(payload, sizeBits: sizeBits, indexBits: indexBits) { unit, index in
            // Some cameras leave the head of ADTS in each unit.
            emit(unit.part(from: AACConfiguration.adtsHead(unit)?.headerBytes ?? 0), index)
        }
    }

    /// Whether a packet begins with a table of sizes that fits it.
    private static func beginsWithTable(_ payload: UnsafeRawBufferPointer, sizeBits: Int, indexBits: Int) -> Bool {
        guard payload.count > 2 else { return false }
        let (bits, headerBits) = (Int(payload.word16(0)), sizeBits + indexBits)
        return bits >= headerBits && bits % headerBits == 0 && 2 + (bits + 7) / 8 <= payload.count
    }

    /// Frames of ADTS, one behind the other.
    private func takeADTS(_ payload: UnsafeRawBufferPointer, emit: (UnsafeRawBufferPointer, Int) -> Void) {
        var (rest, index) = (payload, 0)
        while index < unitsMax, let head = AACConfiguration.adtsHead(rest), head.frameBytes > head.headerBytes,
            head.frameBytes <= rest.count
        {
            emit(rest.part(head.headerBytes..<head.frameBytes), index)
            rest = rest.part(from: head.frameBytes)
            index += 1
        }
    }

    /// Puts a unit of several packets together in `parts`; true when it is complete.
    private mutating func gather(_ payload: UnsafeRawBufferPointer, isMarked: Bool) -> Bool {
        guard parts.count + payload.count <= AudioDepacketizer.unitBytesMax else {
            lost()
            return false
        }
        parts.append(contentsOf: payload)
        return isMarked
    }

    private mutating func pushMPEG4(
        _ payload: UnsafeRawBufferPointer, sizeBits: Int, indexBits: Int, emit: (UnsafeRawBufferPointer, Int) -> Void
    ) {
        let headerBits = sizeBits + indexBits
        guard payload.count > 2, headerBits > 0 else { return }
        let tableBits = Int(payload.word16(0))
        let tableBytes = (tableBits + 7) / 8
        guard 2 + tableBytes <= payload.count, tableBits >= headerBits else { return }
        var table = PlainBits([UInt8](payload.part(2..<2 + tableBytes)))
        var begin = 2 + tableBytes
        for index in 0..<tableBits / headerBits {
            guard index < unitsMax else { return lost() }
            guard let size = table.bits(sizeBits), table.bits(indexBits) != nil else { return }
            let rest = payload.part(from: begin)
            if size > rest.count || wanted > 0 {
                // A unit that is spread over packets; each repeats the whole size.
                if wanted != size { parts.removeAll(keepingCapacity: true) }
                wanted = size
                guard parts.count + rest.count <= AudioDepacketizer.unitBytesMax else { return lost() }
                parts.append(contentsOf: rest)
                guard parts.count >= wanted else { return }
                parts.withUnsafeBytes { emit($0.part(0..<wanted), 0) }
                parts.removeAll(keepingCapacity: true)
                wanted = 0
                return
            }
            emit(rest.part(0..<size), index)
            begin += size
        }
    }

    private mutating func pushLATM(
        _ payload: UnsafeRawBufferPointer, isMarked: Bool, emit: (UnsafeRawBufferPointer, Int) -> Void
    ) {
        guard gather(payload, isMarked: isMarked) else { return }
        defer { parts.removeAll(keepingCapacity: true) }
        parts.withUnsafeBytes { bytes in
            var begin = 0
            var index = 0
            while begin < bytes.count {
                var size = 0
                var byte: UInt8 = 255
                while byte == 255, begin < bytes.count {
                    byte = bytes[begin]
                    size += Int(byte)
                    begin += 1
                }
                guard size > 0, begin + size <= bytes.count else { return }
                guard index < unitsMax else {
                    hasLoss = true
                    return
                }
                emit(bytes.part(begin..<begin + size), index)
                begin += size
                index += 1
            }
        }
    }
}
