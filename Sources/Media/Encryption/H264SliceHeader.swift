/// Finds the end of an H.264 slice header (ITU-T H.264 clause 7.3.3).
struct H264SliceHeader {
    private static let isIDR: UInt8 = 5

    private let unit: UInt8
    private let isReference: Bool
    private let sequence: H264SliceForm
    private let picture: H264SliceParameters.Picture
    /// slice_type without its higher half: 0 P, 1 B, 2 I, 3 SP, 4 SI.
    private let type: Int
    private var isField = false
    private var references: [Int]

    private var isB: Bool { type == 1 }
    private var isIntra: Bool { type == 2 || type == 4 }

    /// How many bytes of a slice its NAL header and slice header take, up to the end of the byte in which the header ends.
    ///
    /// - Throws: where a parameter set is unknown, or the header breaks the rules.
    static func bytes(
        of slice: UnsafeRawBufferPointer, _ parameters: H264SliceParameters
    ) throws(BitstreamError) -> Int {
        guard let first = slice.first else { throw BitstreamError("slice header", .truncated) }
        var bits = SliceBits(slice, headerBytes: 1)
        _ = try bits.unsigned()
        let type = try bits.unsigned(max: 9) % 5
        let number = try bits.unsigned(max: 255)
        guard let picture = parameters.pictures[number], let sequence = parameters.sequences[picture.sequence] else {
            throw BitstreamError("slice header", .missing("parameter set"))
        }
        var header = H264SliceHeader(
            unit: first & 0x1f, isReference: first & 0x60 != 0, sequence: sequence, picture: picture, type: type,
            references: picture.references)
        try header.read(&bits)
        return bits.bytesRead
    }

    private init(
        unit: UInt8, isReference: Bool, sequence: H264SliceForm,
        picture: H264SliceParameters.Picture, type: Int, references: [Int]
    ) {
        self.unit = unit
        self.isReference = isReference
        self.sequence = sequence
        self.picture = picture
        self.type = type
        self.references = references
    }

    private mutating func read(_ bits: inout SliceBits) throws(BitstreamError) {
        try readPlace(&bits)
        if picture.hasRedundant { _ = try bits.unsigned() }
        if isB { try bits.skip(1) }
        if !isIntra {
            if try bits.flag() {
                references[0] = try bits.unsigned(max: 31)
                if isB { references[1] = try bits.unsigned(max: 31) }
            }
            try Self.skipReordering(&bits)
            if isB { try Self.skipReordering(&bits) }
        }
        if (picture.isWeighted && (type == 0 || type == 3)) || (picture.weightedBi == 1 && isB) {
            try skipWeights(&bits)
        }
        if isReference { try skipMarking(&bits) }
        if picture.isCABAC, !isIntra { _ = try bits.unsigned() }
        _ = try bits.unsigned()
        if type > 2 {
            if type == 3 { try bits.skip(1) }
            _ = try bits.unsigned()
        }
        if picture.hasDeblocking, try bits.unsigned() != 1 { try bits.skipCodes(2) }
        if let rate = picture.groupChangeRate {
            // Ceil(Log2(PicSizeInMapUnits ÷ SliceGroupChangeRate + 1)), where ÷ does not round: clause 7.4.3.
            try bits.skip(((sequence.mapUnits + rate - 1) / rate + 1).bitsOfValues)
        }
    }

    /// From colour_plane_id to the picture's order.
    private mutating func readPlace(_ bits: inout SliceBits) throws(BitstreamError) {
        if sequence.isSeparate { try bits.skip(2) }
        try bits.skip(sequence.frameNumberBits)
        if !sequence.framesOnly {
            isField = try bits.flag()
            if isField { try bits.skip(1) }
        }
        if unit == Self.isIDR { _ = try bits.unsigned() }
        let hasFieldOrder = picture.hasFieldOrder && !isField
        if sequence.order.type == 0 {
            try bits.skip(sequence.order.bits)
            if hasFieldOrder { _ = try bits.unsigned() }
        }
        if sequence.order.hasDelta {
            try bits.skipCodes(hasFieldOrder ? 2 : 1)
        }
    }

    /// ref_pic_list_modification of one list, clause 7.3.3.1: at most one change for each reference, and the end.
    private static func skipReordering(_ bits: inout SliceBits) throws(BitstreamError) {
        guard try bits.flag() else { return }
        for _ in 0...66 {
            if try bits.unsigned(max: 3) == 3 { return }
            _ = try bits.unsigned()
        }
        throw BitstreamError("slice header", .outOfRange(field: "list modification", value: 67))
    }

    /// pred_weight_table, clause 7.3.3.2.
    private func skipWeights(_ bits: inout SliceBits) throws(BitstreamError) {
        try bits.skipCodes(sequence.hasChroma ? 2 : 1)
        for list in references.prefix(isB ? 2 : 1) {
            for _ in 0...list {
                if try bits.flag() { try bits.skipCodes(2) }
                if sequence.hasChroma, try bits.flag() { try bits.skipCodes(4) }
            }
        }
    }

    /// dec_ref_pic_marking, clause 7.3.3.3.
    private func skipMarking(_ bits: inout SliceBits) throws(BitstreamError) {
        if unit == Self.isIDR { return try bits.skip(2) }
        guard try bits.flag() else { return }
        for _ in 0...66 {
            switch try bits.unsigned(max: 6) {
            case 0: return
            case 3: try bits.skipCodes(2)
            case 5: break
            default: _ = try bits.unsigned()
            }
        }
        throw BitstreamError("slice header", .outOfRange(field: "marking", value: 67))
    }
}
