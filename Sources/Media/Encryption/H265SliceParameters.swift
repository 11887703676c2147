/// What the parameter sets of an H.265 stream say about the form of its slice segment headers. Sets of enhancement layers, and
/// of the profiles for several layers, depth and screen content, are not taken in: their slices have other headers.
struct H265SliceParameters: Sendable {
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

    private(set) var sequences: [Int: H265SliceForm] = [:]
    private(set) var pictures: [Int: Picture] = [:]

    /// Takes a parameter set in; a later one replaces one with the same number. After one that cannot be read no set of its
    /// kind is known: slices that refer to one are then taken as having an unknown form.
    mutating func take(_ unit: UnsafeRawBufferPointer) {
        guard unit.count > 2, unit[0] & 1 == 0, unit[1] >> 3 == 0 else { return }
        switch unit[0] >> 1 & 0x3f {
        case 33:
            // Slices of other profiles than these have other headers.
            if let set = try? H265SequenceParameterSet(nal: unit), set.profileTierLevel.profile <= 5,
                let form = set.sliceForm
            {
                sequences[set.id] = form
            } else {
                sequences = [:]
            }
        case 34:
            if let (number, set) = try? Self.picture(unit) { pictures[number] = set } else { pictures = [:] }
        default: break
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
        if try bits.flag() { try H265SliceForm.skipScalingLists(&bits) }
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
