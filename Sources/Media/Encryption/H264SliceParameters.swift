/// What the parameter sets of an H.264 stream say about the form of its slice headers.
struct H264SliceParameters: Sendable {
    /// Of a sequence parameter set (ITU-T H.264 clause 7.3.2.1.1).
    struct Sequence: Sendable {
        let isSeparate: Bool
        let hasChroma: Bool
        let frameNumberBits: Int
        /// pic_order_cnt_type, 0…2.
        let orderType: Int
        let orderBits: Int
        let hasOrderDelta: Bool
        let framesOnly: Bool
        let mapUnits: Int
    }

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

    private(set) var sequences: [Int: Sequence] = [:]
    private(set) var pictures: [Int: Picture] = [:]

    /// Takes a parameter set in; a later one replaces one with the same number. After one that cannot be read no set of its
    /// kind is known: slices that refer to one are then taken as having an unknown form.
    mutating func take(_ unit: UnsafeRawBufferPointer) {
        switch unit.first.map({ $0 & 0x1f }) {
        case 7:
            if let (number, set) = try? Self.sequence(unit) { sequences[number] = set } else { sequences = [:] }
        case 8:
            if let (number, set) = try? Self.picture(unit) { pictures[number] = set } else { pictures = [:] }
        default: break
        }
    }

    private static func sequence(_ unit: UnsafeRawBufferPointer) throws(BitstreamError) -> (Int, Sequence) {
        var reader = BitReader(nal: unit, headerBytes: 1, subject: "H.264 SPS")
        let profile = UInt8(truncatingIfNeeded: try reader.bits(8))
        try reader.skip(16)
        let number = try reader.unsigned("seq_parameter_set_id", max: 31)
        let format = try H264SampleFormat(&reader, profile: profile)
        let frameNumberBits = try reader.unsigned("log2_max_frame_num_minus4", max: 12) + 4
        let orderType = try reader.unsigned("pic_order_cnt_type", max: 2)
        var (orderBits, hasOrderDelta) = (0, false)
        if orderType == 0 { orderBits = try reader.unsigned("log2_max_pic_order_cnt_lsb_minus4", max: 12) + 4 }
        if orderType == 1 {
            hasOrderDelta = try !reader.flag()
            _ = try reader.signed()
            _ = try reader.signed()
            let cycle = try reader.unsigned("num_ref_frames_in_pic_order_cnt_cycle", max: 255)
            for _ in 0..<cycle { _ = try reader.signed() }
        }
        _ = try reader.unsigned("max_num_ref_frames", max: 64)
        try reader.skip(1)
        let columns = try reader.unsigned("pic_width_in_mbs_minus1", max: 4_094) + 1
        let rows = try reader.unsigned("pic_height_in_map_units_minus1", max: 2_046) + 1
        return (
            number,
            Sequence(
                isSeparate: format.isSeparate, hasChroma: format.chroma != 0 && !format.isSeparate,
                frameNumberBits: frameNumberBits, orderType: orderType, orderBits: orderBits,
                hasOrderDelta: hasOrderDelta, framesOnly: try reader.flag(), mapUnits: columns * rows)
        )
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
