/// Cuts access units of H.264 (RFC 6184, packetization-mode 1) and H.265 (RFC 7798) into payloads: units that fit are single ones,
/// what stands before the slices goes together (STAP-A, AP), and larger ones go in fragments (FU-A, FU).
struct VideoPacketizer {
    /// The most bytes of a payload.
    let payloadMax: Int

    /// Calls `emit` with each payload of an access unit and whether it is the last. `unit` holds NAL units, each behind its size
    /// in four bytes; where it is a key frame without parameter sets, `parameterSets` come first. What is damaged at the end is
    /// left out.
    func cut(
        _ unit: UnsafeRawBufferPointer, _ form: VideoForm, isKey: Bool, parameterSets: [[UInt8]],
        emit: (UnsafeRawBufferPointer, Bool) -> Void
    ) {
        let units = Self.units(unit, form)
        let hasSets = units.contains { form.isSequenceSet(form.type(of: $0)) }
        withUnsafeTemporaryAllocation(byteCount: payloadMax, alignment: 8) { scratch in
            if isKey, !hasSets { aggregate(parameterSets, form, scratch) { emit($0, false) } }
            var index = 0
            while index < units.count {
                let together = run(units, form, from: index)
                let isLast = index + together == units.count
                if together > 1 {
                    emit(Self.write(units[index..<(index + together)], form, scratch), isLast)
                } else if units[index].count <= payloadMax {
                    emit(units[index], isLast)
                } else {
                    fragment(units[index], form, scratch) { emit($0, isLast && $1) }
                }
                index += together
            }
        }
    }

    /// How many units from `first` on go together.
    private func run(_ units: [UnsafeRawBufferPointer], _ form: VideoForm, from first: Int) -> Int {
        var (count, bytes) = (0, form.headBytes)
        for unit in units[first...] {
            guard form.precedesSlices(form.type(of: unit)), unit.count <= 0xFFFF, bytes + 2 + unit.count <= payloadMax
            else { break }
            (count, bytes) = (count + 1, bytes + 2 + unit.count)
        }
        return max(1, count)
    }

    /// Payloads of parameter sets, which are as small as cameras make them: those that do not fit go in fragments.
    private func aggregate(
        _ sets: [[UInt8]], _ form: VideoForm, _ scratch: UnsafeMutableRawBufferPointer,
        emit: (UnsafeRawBufferPointer) -> Void
    ) {
        let sets = sets.filter { $0.count >= form.headBytes }
        let bytes = sets.reduce(form.headBytes) { $0 + 2 + $1.count }
        if sets.count > 1, bytes <= payloadMax, sets.allSatisfy({ $0.count <= 0xFFFF }) {
            var place = form.headBytes
            for set in sets {
                set.withUnsafeBytes { Self.append($0, form, scratch, &place) }
            }
            return emit(UnsafeRawBufferPointer(rebasing: scratch[..<place]))
        }
        for set in sets {
            set.withUnsafeBytes { set in
                if set.count <= payloadMax { emit(set) } else { fragment(set, form, scratch) { part, _ in emit(part) } }
            }
        }
    }

    private static func write(
        _ units: ArraySlice<UnsafeRawBufferPointer>, _ form: VideoForm, _ scratch: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        var place = form.headBytes
        for unit in units { append(unit, form, scratch, &place) }
        return UnsafeRawBufferPointer(rebasing: scratch[..<place])
    }

    /// Appends a unit behind its size.
    private static func append(
        _ unit: UnsafeRawBufferPointer, _ form: VideoForm, _ scratch: UnsafeMutableRawBufferPointer, _ place: inout Int
    ) {
        form.join(unit, isFirst: place == form.headBytes, into: scratch)
        scratch[place] = UInt8(truncatingIfNeeded: unit.count >> 8)
        scratch[place + 1] = UInt8(truncatingIfNeeded: unit.count)
        UnsafeMutableRawBufferPointer(rebasing: scratch[(place + 2)..<(place + 2 + unit.count)]).copyMemory(from: unit)
        place += 2 + unit.count
    }

    private func fragment(
        _ unit: UnsafeRawBufferPointer, _ form: VideoForm, _ scratch: UnsafeMutableRawBufferPointer,
        emit: (UnsafeRawBufferPointer, Bool) -> Void
    ) {
        let (head, begin) = (form.fragmentHeadBytes, form.headBytes)
        // Of much the same size, so that none is much smaller than the others.
        let (room, bytes) = (payloadMax - head, unit.count - begin)
        let count = (bytes + room - 1) / room
        let size = (bytes + count - 1) / count
        var place = begin
        while place < unit.count {
            let end = min(place + size, unit.count)
            form.writeFragmentHead(of: unit, isFirst: place == begin, isLast: end == unit.count, into: scratch)
            UnsafeMutableRawBufferPointer(rebasing: scratch[head..<(head + end - place)])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: unit[place..<end]))
            emit(UnsafeRawBufferPointer(rebasing: scratch[..<(head + end - place)]), end == unit.count)
            place = end
        }
    }

    /// The NAL units that are sent.
    private static func units(_ bytes: UnsafeRawBufferPointer, _ form: VideoForm) -> [UnsafeRawBufferPointer] {
        var units: [UnsafeRawBufferPointer] = []
        var place = 0
        while bytes.count - place > 4 {
            let size = Int(bytes.uint32(place))
            guard size <= bytes.count - place - 4 else { break }
            let unit = UnsafeRawBufferPointer(rebasing: bytes[(place + 4)..<(place + 4 + size)])
            place += 4 + size
            guard size >= form.headBytes, !form.leavesOut(form.type(of: unit)) else { continue }
            units.append(unit)
        }
        return units
    }
}
