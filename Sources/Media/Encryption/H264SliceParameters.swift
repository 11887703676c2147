/// What the parameter sets of an H.264 stream say about the form of its slice headers.
struct H264SliceParameters: Sendable {
    /// Of a picture parameter set (clause 7.3.2.2).
    struct Picture: Sendable {
        let sequence: Int
        let isCABAC: Bool
        let hasFieldOrder: Bool
        /// slice_group_change_rate where the groups change from slice to slice (types 3…5 of several groups).
        let groupChangeRate: Int?
        /// num_ref_idx_default_active_minus1 of both lists.
        let references: [Int]
        let isWeighted: Bool
        let weightedBi: Int
        let hasDeblocking: Bool
        let hasRedundant: Bool
    }

    private(set) var sequences: [Int: H264SliceForm] = [:]
    private(set) var pictures: [Int: Picture] = [:]

    /// Takes a parameter set in; a later one replaces one with the same number. After one that cannot be read no set of its
    /// kind is known: slices that refer to one are then taken as having an unknown form.
    mutating func take(_ unit: UnsafeRawBufferPointer) {
        switch unit.first.map({ $0 & 0x1f }) {
        case 7:
            if let set = try? H264SequenceParameterSet(nal: unit) {
                sequences[set.id] = set.sliceForm
            } else {
                sequences = [:]
            }
        case 8:
            if let (number, set) = try? Self.picture(unit) { pictures[number] = set } else { pictures = [:] }
        default: break
        }
    }

    private static func picture(_ unit: UnsafeRawBufferPointer) throws(BitstreamError) -> (Int, Picture) {
        var bits = SliceBits(unit, headerBytes: 1)
        let number = try bits.unsigned(max: 255)
        let sequence = try bits.unsigned(max: 31)
        let isCABAC = try bits.flag()
        let hasFieldOrder = try bits.flag()
        let groups = try bits.unsigned(max: 7) + 1
        let rate = groups > 1 ? try groupChangeRate(&bits, groups) : nil
        let references = [try bits.unsigned(max: 31), try bits.unsigned(max: 31)]
        let isWeighted = try bits.flag()
        let weightedBi = Int(try bits.bits(2))
        try bits.skipCodes(3)
        let hasDeblocking = try bits.flag()
        try bits.skip(1)
        return (
            number,
            Picture(
                sequence: sequence, isCABAC: isCABAC, hasFieldOrder: hasFieldOrder, groupChangeRate: rate,
                references: references, isWeighted: isWeighted, weightedBi: weightedBi, hasDeblocking: hasDeblocking,
                hasRedundant: try bits.flag())
        )
    }

    /// Reads how pictures are divided into slice groups.
    private static func groupChangeRate(_ bits: inout SliceBits, _ groups: Int) throws(BitstreamError) -> Int? {
        switch try bits.unsigned(max: 6) {
        case 0: try bits.skipCodes(groups)
        case 2: try bits.skipCodes(2 * (groups - 1))
        case 3, 4, 5:
            try bits.skip(1)
            return try bits.unsigned(max: 4_094 * 2_046) + 1
        case 6:
            let units = try bits.unsigned(max: 4_094 * 2_046) + 1
            try bits.skip(units * groups.bitsOfValues)
        default: break
        }
        return nil
    }
}
