/// What the parameter sets of an H.265 stream say about the form of its slice segment headers. Sets of enhancement layers, and
/// of the profiles for several layers, depth and screen content, are not taken in: their slices have other headers.
struct H265SliceParameters: Sendable {
    /// Of a sequence parameter set (ITU-T H.265 clause 7.3.2.2).
    struct Sequence: Sendable {
        let isSeparate: Bool
        let hasChroma: Bool
        /// Bits of slice_segment_address.
        let addressBits: Int
        let orderBits: Int
        let hasOffset: Bool
        let sets: [H265ReferenceSet]
        /// used_by_curr_pic_lt_sps_flag of each long-term picture; nil where there are no long-term pictures at all.
        let longTerm: [Bool]?
        let hasTemporalVectors: Bool
    }

    /// Of a picture parameter set (clause 7.3.2.3).
    struct Picture: Sendable {
        let sequence: Int
        let hasDependent: Bool
        let hasOutput: Bool
        let extraBits: Int
        let hasCABACInit: Bool
        /// num_ref_idx_default_active_minus1 of both lists.
        let references: [Int]
        let hasChromaOffsets: Bool
        let isWeighted: Bool
        let isWeightedBi: Bool
        /// Tiles, or rows that are decoded side by side.
        let hasEntryPoints: Bool
        let filtersAcross: Bool
        let overridesDeblocking: Bool
        let isDeblockingOff: Bool
        let modifiesLists: Bool
        let hasExtension: Bool
        let hasChromaOffsetList: Bool
    }

    private(set) var sequences: [Int: Sequence] = [:]
    private(set) var pictures: [Int: Picture] = [:]

    /// Takes a parameter set in; a later one replaces one with the same number. After one that cannot be read no set of its
    /// kind is known: slices that refer to one are then taken as having an unknown form.
    mutating func take(_ unit: UnsafeRawBufferPointer) {
        guard unit.count > 2, unit[0] & 1 == 0, unit[1] >> 3 == 0 else { return }
        switch unit[0] >> 1 & 0x3f {
        case 33:
            if let (number, set) = try? Self.sequence(unit) { sequences[number] = set } else { sequences = [:] }
        case 34:
            if let (number, set) = try? Self.picture(unit) { pictures[number] = set } else { pictures = [:] }
        default: break
        }
    }

    private static func sequence(_ unit: UnsafeRawBufferPointer) throws(BitstreamError) -> (Int, Sequence) {
        var bits = SliceBits(unit, headerBytes: 2)
        try bits.skip(4)
        let layers = Int(try bits.bits(3))
        try bits.skip(1)
        try skipProfile(&bits, layers)
        let number = try bits.unsigned(max: 15)
        let chroma = try bits.unsigned(max: 3)
        let isSeparate = chroma == 3 ? try bits.flag() : false
        let (width, height) = (try bits.unsigned(max: 65_535), try bits.unsigned(max: 65_535))
        if try bits.flag() { try bits.skipCodes(4) }
        try bits.skipCodes(2)
        let orderBits = try bits.unsigned(max: 12) + 4
        let all = try bits.flag()
        try bits.skipCodes(all ? 3 * (layers + 1) : 3)
        let block = try bits.unsigned(max: 3) + 3 + bits.unsigned(max: 3)
        guard (4...6).contains(block) else { throw BitstreamError("H.265 SPS", .unsupported("block size")) }
        let blocks = ((width - 1) >> block + 1) * ((height - 1) >> block + 1)
        try bits.skipCodes(4)
        if try bits.flag(), try bits.flag() { try skipScalingLists(&bits) }
        try bits.skip(1)
        let hasOffset = try bits.flag()
        if try bits.flag() {
            try bits.skip(8)
            try bits.skipCodes(2)
            try bits.skip(1)
        }
        var sets: [H265ReferenceSet] = []
        for number in 0..<(try bits.unsigned(max: 64)) {
            sets.append(try H265ReferenceSet(&bits, number: number, sets: sets, inSlice: false))
        }
        let longTerm = try bits.flag() ? try longTermPictures(&bits, orderBits) : nil
        return (
            number,
            Sequence(
                isSeparate: isSeparate, hasChroma: chroma != 0 && !isSeparate, addressBits: blocks.bitsOfValues,
                orderBits: orderBits, hasOffset: hasOffset, sets: sets, longTerm: longTerm,
                hasTemporalVectors: try bits.flag())
        )
    }

    /// profile_tier_level, clause 7.3.3.
    private static func skipProfile(_ bits: inout SliceBits, _ layers: Int) throws(BitstreamError) {
        try bits.skip(3)
        guard try bits.bits(5) <= 5 else { throw BitstreamError("H.265 SPS", .unsupported("profile")) }
        try bits.skip(32 + 48 + 8)
        guard layers > 0 else { return }
        var left = 0
        for _ in 0..<layers {
            if try bits.flag() { left += 88 }
            if try bits.flag() { left += 8 }
        }
        try bits.skip(2 * (8 - layers) + left)
    }

    private static func longTermPictures(
        _ bits: inout SliceBits, _ orderBits: Int
    ) throws(BitstreamError) -> [Bool] {
        var used: [Bool] = []
        for _ in 0..<(try bits.unsigned(max: 32)) {
            try bits.skip(orderBits)
            used.append(try bits.flag())
        }
        return used
    }

    /// scaling_list_data, clause 7.3.4.
    private static func skipScalingLists(_ bits: inout SliceBits) throws(BitstreamError) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                if try bits.flag() {
                    try bits.skipCodes(min(64, 1 << (4 + size * 2)) + (size > 1 ? 1 : 0))
                } else {
                    _ = try bits.unsigned()
                }
            }
        }
    }

    private static func picture(_ unit: UnsafeRawBufferPointer) throws(BitstreamError) -> (Int, Picture) {
        var bits = SliceBits(unit, headerBytes: 2)
        let (number, sequence) = (try bits.unsigned(max: 63), try bits.unsigned(max: 15))
        let (hasDependent, hasOutput) = (try bits.flag(), try bits.flag())
        let extraBits = Int(try bits.bits(3))
        try bits.skip(1)
        let hasCABACInit = try bits.flag()
        let references = [try bits.unsigned(max: 14), try bits.unsigned(max: 14)]
        _ = try bits.unsigned()
        try bits.skip(1)
        let skipsTransform = try bits.flag()
        if try bits.flag() { _ = try bits.unsigned() }
        try bits.skipCodes(2)
        let hasChromaOffsets = try bits.flag()
        let (isWeighted, isWeightedBi) = (try bits.flag(), try bits.flag())
        try bits.skip(1)
        let (hasTiles, hasRows) = (try bits.flag(), try bits.flag())
        if hasTiles { try skipTiles(&bits) }
        let filtersAcross = try bits.flag()
        var (overrides, isOff) = (false, false)
        if try bits.flag() {
            (overrides, isOff) = (try bits.flag(), try bits.flag())
            if !isOff { try bits.skipCodes(2) }
        }
        if try bits.flag() { try skipScalingLists(&bits) }
        let modifiesLists = try bits.flag()
        _ = try bits.unsigned()
        return (
            number,
            Picture(
                sequence: sequence, hasDependent: hasDependent, hasOutput: hasOutput, extraBits: extraBits,
                hasCABACInit: hasCABACInit, references: references, hasChromaOffsets: hasChromaOffsets,
                isWeighted: isWeighted, isWeightedBi: isWeightedBi, hasEntryPoints: hasTiles || hasRows,
                filtersAcross: filtersAcross, overridesDeblocking: overrides, isDeblockingOff: isOff,
                modifiesLists: modifiesLists, hasExtension: try bits.flag(),
                hasChromaOffsetList: try chromaOffsetList(&bits, skipsTransform))
        )
    }

    private static func skipTiles(_ bits: inout SliceBits) throws(BitstreamError) {
        let (columns, rows) = (try bits.unsigned(max: 1_023), try bits.unsigned(max: 1_023))
        if try !bits.flag() { try bits.skipCodes(columns + rows) }
        try bits.skip(1)
    }

    /// chroma_qp_offset_list_enabled_flag of pps_range_extension, clause 7.3.2.3.2.
    private static func chromaOffsetList(
        _ bits: inout SliceBits, _ skipsTransform: Bool
    ) throws(BitstreamError) -> Bool {
        guard try bits.flag() else { return false }
        let hasRange = try bits.flag()
        guard try bits.bits(3) == 0 else { throw BitstreamError("H.265 PPS", .unsupported("an extension")) }
        try bits.skip(4)
        guard hasRange else { return false }
        if skipsTransform { _ = try bits.unsigned() }
        try bits.skip(1)
        return try bits.flag()
    }
}
