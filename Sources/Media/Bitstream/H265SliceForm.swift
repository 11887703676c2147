/// What an H.265 SPS says between the reorder numbers and the VUI (ITU-T H.265 clause 7.3.2.2.1) about the form of slice segment
/// headers.
struct H265SliceForm: Hashable, Sendable {
    /// separate_colour_plane_flag.
    let isSeparate: Bool
    /// Whether ChromaArrayType is not 0.
    let hasChroma: Bool
    /// Bits of slice_segment_address.
    let addressBits: Int
    /// Bits of slice_pic_order_cnt_lsb.
    let orderBits: Int
    /// sample_adaptive_offset_enabled_flag.
    let hasOffset: Bool
    /// The short-term reference picture sets.
    let sets: [H265ReferenceSet]
    /// used_by_curr_pic_lt_sps_flag of each long-term picture; nil where there are no long-term pictures at all.
    let longTerm: [Bool]?
    /// sps_temporal_mvp_enabled_flag.
    let hasTemporalVectors: Bool

    init(_ reader: inout BitReader, of picture: H265Picture, orderBits: Int) throws(BitstreamError) {
        let block = try reader.unsigned("log2_min_luma_coding_block_size_minus3", max: 3) + 3
        let treeBlock = block + (try reader.unsigned("log2_diff_max_min_luma_coding_block_size", max: 3))
        guard (4...6).contains(treeBlock) else { throw BitstreamError(reader.subject, .unsupported("block size")) }
        try reader.skipCodes(4)
        if try reader.flag(), try reader.flag() { try Self.skipScalingLists(&reader) }
        try reader.skip(1)
        hasOffset = try reader.flag()
        if try reader.flag() {
            try reader.skip(8)
            try reader.skipCodes(2)
            try reader.skip(1)
        }
        var sets: [H265ReferenceSet] = []
        for number in 0..<(try reader.unsigned("num_short_term_ref_pic_sets", max: 64)) {
            sets.append(try H265ReferenceSet(&reader, number: number, sets: sets, inSlice: false))
        }
        self.sets = sets
        longTerm = try reader.flag() ? try Self.longTermPictures(&reader, orderBits) : nil
        hasTemporalVectors = try reader.flag()
        isSeparate = picture.isSeparate
        hasChroma = picture.chroma != 0 && !picture.isSeparate
        self.orderBits = orderBits
        let columns = (picture.codedWidth - 1) >> treeBlock + 1
        let rows = (picture.codedHeight - 1) >> treeBlock + 1
        addressBits = (columns * rows).bitsOfValues
    }

    private static func longTermPictures(
        _ reader: inout BitReader, _ orderBits: Int
    ) throws(BitstreamError) -> [Bool] {
        var used: [Bool] = []
        for _ in 0..<(try reader.unsigned("num_long_term_ref_pics_sps", max: 32)) {
            try reader.skip(orderBits)
            used.append(try reader.flag())
        }
        return used
    }

    /// scaling_list_data, clause 7.3.4.
    static func skipScalingLists(_ source: inout some BitSource) throws(BitstreamError) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                if try source.flag() {
                    try source.skipCodes(min(64, 1 << (4 + size * 2)) + (size > 1 ? 1 : 0))
                } else {
                    try source.skipCodes(1)
                }
            }
        }
    }
}
