/// Cuts access units of H.264 into payloads (RFC 6184, packetization-mode 1): units that fit are single ones, what stands before
/// the slices goes together (STAP-A), and larger ones go in fragments (FU-A).
struct H264Packetizer {
    /// The most bytes of a payload.
    let payloadMax: Int

    private static let typeMask: UInt8 = 0x1F
    private static let aggregation: UInt8 = 24
    private static let fragmentation: UInt8 = 28
    /// An end and a filler say nothing to a decoder; a delimiter is what the marker of RTP says.
    private static let leftOut: ClosedRange<UInt8> = 9...12
    /// Supplemental information, and sequence and picture parameter sets.
    private static let beforeSlices: ClosedRange<UInt8> = 6...8

    /// Calls `emit` with each payload of an access unit and whether it is the last. `unit` holds NAL units, each behind its size
    /// in four bytes; where it is a key frame without parameter sets, `parameterSets` come first. What is damaged at the end is
    /// left out.
    func cut(
        _ unit: UnsafeRawBufferPointer, isKey: Bool, parameterSets: [[UInt8]],
        emit: (UnsafeRawBufferPointer, Bool) -> Void
    ) {
        let units = Self.units(unit)
        let hasSets = units.contains { $0[0] & Self.typeMask == 7 }
        withUnsafeTemporaryAllocation(byteCount: payloadMax, alignment: 8) { scratch in
            if isKey, !hasSets { aggregate(parameterSets, scratch) { emit($0, false) } }
            var index = 0
            while index < units.count {
                let together = run(units, from: index)
                let isLast = index + together == units.count
                if together > 1 {
                    emit(Self.write(units[index..<(index + together)], scratch), isLast)
                } else if units[index].count <= payloadMax {
                    emit(units[index], isLast)
                } else {
                    fragment(units[index], scratch) { emit($0, isLast && $1) }
                }
                index += together
            }
        }
    }

    /// How many units from `first` on go together.
    private func run(_ units: [UnsafeRawBufferPointer], from first: Int) -> Int {
        var (count, bytes) = (0, 1)
        for unit in units[first...] {
            guard Self.beforeSlices.contains(unit[0] & Self.typeMask), unit.count <= 0xFFFF,
                bytes + 2 + unit.count <= payloadMax
            else { break }
            (count, bytes) = (count + 1, bytes + 2 + unit.count)
        }
        return max(1, count)
    }

    /// Payloads of parameter sets, which are as small as cameras make them: those that do not fit go in fragments.
    private func aggregate(
        _ sets: [[UInt8]], _ scratch: UnsafeMutableRawBufferPointer, emit: (UnsafeRawBufferPointer) -> Void
    ) {
        let sets = sets.filter { !$0.isEmpty }
        let bytes = sets.reduce(1) { $0 + 2 + $1.count }
        if sets.count > 1, bytes <= payloadMax {
            var (place, head) = (1, Self.aggregation)
            for set in sets { set.withUnsafeBytes { Self.append($0, scratch, &place, &head) } }
            scratch[0] = head
            return emit(UnsafeRawBufferPointer(rebasing: scratch[..<place]))
        }
        for set in sets {
            set.withUnsafeBytes { set in
                if set.count <= payloadMax { emit(set) } else { fragment(set, scratch) { part, _ in emit(part) } }
            }
        }
    }

    private static func write(
        _ units: ArraySlice<UnsafeRawBufferPointer>, _ scratch: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        var (place, head) = (1, aggregation)
        for unit in units { append(unit, scratch, &place, &head) }
        scratch[0] = head
        return UnsafeRawBufferPointer(rebasing: scratch[..<place])
    }

    /// Appends a unit behind its size. The head has the highest importance of all.
    private static func append(
        _ unit: UnsafeRawBufferPointer, _ scratch: UnsafeMutableRawBufferPointer, _ place: inout Int,
        _ head: inout UInt8
    ) {
        head = head & ~0x60 | max(head & 0x60, unit[0] & 0x60)
        scratch[place] = UInt8(truncatingIfNeeded: unit.count >> 8)
        scratch[place + 1] = UInt8(truncatingIfNeeded: unit.count)
        UnsafeMutableRawBufferPointer(rebasing: scratch[(place + 2)..<(place + 2 + unit.count)]).copyMemory(from: unit)
        place += 2 + unit.count
    }

    private func fragment(
        _ unit: UnsafeRawBufferPointer, _ scratch: UnsafeMutableRawBufferPointer,
        emit: (UnsafeRawBufferPointer, Bool) -> Void
    ) {
        let (room, head) = (payloadMax - 2, unit[0])
        // Of much the same size, so that none is much smaller than the others.
        let count = (unit.count - 1 + room - 1) / room
        let size = (unit.count - 1 + count - 1) / count
        var place = 1
        while place < unit.count {
            let end = min(place + size, unit.count)
            scratch[0] = head & 0xE0 | Self.fragmentation
            scratch[1] = head & Self.typeMask | (place == 1 ? 0x80 : 0) | (end == unit.count ? 0x40 : 0)
            UnsafeMutableRawBufferPointer(rebasing: scratch[2..<(2 + end - place)])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: unit[place..<end]))
            emit(UnsafeRawBufferPointer(rebasing: scratch[..<(2 + end - place)]), end == unit.count)
            place = end
        }
    }

    /// The NAL units that are sent.
    private static func units(_ bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
        var units: [UnsafeRawBufferPointer] = []
        var place = 0
        while bytes.count - place > 4 {
            let size = Int(bytes.uint32(place))
            guard size <= bytes.count - place - 4 else { break }
            let unit = UnsafeRawBufferPointer(rebasing: bytes[(place + 4)..<(place + 4 + size)])
            place += 4 + size
            guard size > 0, !leftOut.contains(unit[0] & typeMask) else { continue }
            units.append(unit)
        }
        return units
    }
}
