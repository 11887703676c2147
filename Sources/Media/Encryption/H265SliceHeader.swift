/// Finds the end of an H.265 slice segment header (ITU-T H.265 clause 7.3.6.1).
struct H265SliceHeader {
    /// Types of NAL units: pictures at which decoding can begin, and those among them that begin anew.
    private static let randomAccess: ClosedRange<UInt8> = 16...23
    private static let isIDR: ClosedRange<UInt8> = 19...20

    private let unit: UInt8
    private let sequence: H265SliceForm
    private let picture: H265SliceParameters.Picture
    /// slice_type: 0 B, 1 P, 2 I.
    private var type = 2
    private var references: [Int]
    /// NumPicTotalCurr.
    private var usedCount = 0
    private var hasTemporalVectors = false
    private var hasOffset = false
    private var isDeblockingOff: Bool

    private var isB: Bool { type == 0 }

    /// How many bytes of a slice segment its NAL header and its own header take, the alignment at its end included.
    ///
    /// - Throws: where a parameter set is unknown, or the header breaks the rules.
    static func bytes(
        of slice: UnsafeRawBufferPointer, _ parameters: H265SliceParameters
    ) throws(BitstreamError) -> Int {
        guard slice.count > 2, slice[0] & 1 == 0, slice[1] >> 3 == 0 else {
            throw BitstreamError("slice header", .unsupported("an enhancement layer"))
        }
        let unit = slice[0] >> 1 & 0x3f
        var bits = SliceBits(slice, headerBytes: 2)
        let isFirst = try bits.flag()
        if randomAccess.contains(unit) { try bits.skip(1) }
        let number = try bits.unsigned(max: 63)
        guard let picture = parameters.pictures[number], let sequence = parameters.sequences[picture.sequence] else {
            throw BitstreamError("slice header", .missing("parameter set"))
        }
        var header = H265SliceHeader(unit: unit, sequence: sequence, picture: picture)
        var isDependent = false
        if !isFirst {
            if picture.hasDependent { isDependent = try bits.flag() }
            try bits.skip(sequence.addressBits)
        }
        if !isDependent { try header.read(&bits) }
        try header.readEnd(&bits)
        return bits.bytesRead
    }

    private init(unit: UInt8, sequence: H265SliceForm, picture: H265SliceParameters.Picture) {
        self.unit = unit
        self.sequence = sequence
        self.picture = picture
        references = picture.references
        isDeblockingOff = picture.isDeblockingOff
    }

    private mutating func read(_ bits: inout SliceBits) throws(BitstreamError) {
        try bits.skip(picture.extraBits)
        type = try bits.unsigned(max: 2)
        if picture.hasOutput { try bits.skip(1) }
        if sequence.isSeparate { try bits.skip(2) }
        if !Self.isIDR.contains(unit) { try readReferences(&bits) }
        if sequence.hasOffset {
            hasOffset = try bits.flag()
            if sequence.hasChroma, try bits.flag() { hasOffset = true }
        }
        if type < 2 { try readPrediction(&bits) }
        _ = try bits.unsigned()
        if picture.hasChromaOffsets { try bits.skipCodes(2) }
        if picture.hasChromaOffsetList { try bits.skip(1) }
        if picture.overridesDeblocking, try bits.flag() {
            isDeblockingOff = try bits.flag()
            if !isDeblockingOff { try bits.skipCodes(2) }
        }
        if picture.filtersAcross, hasOffset || !isDeblockingOff { try bits.skip(1) }
    }

    /// The order of the picture and the pictures that it and later ones refer to.
    private mutating func readReferences(_ bits: inout SliceBits) throws(BitstreamError) {
        try bits.skip(sequence.orderBits)
        let sets = sequence.sets
        if try !bits.flag() {
            usedCount = try H265ReferenceSet(&bits, number: sets.count, sets: sets, inSlice: true).usedCount
        } else {
            let number = Int(try bits.bits(sets.count.bitsOfValues))
            guard sets.indices.contains(number) else { throw BitstreamError("slice header", .missing("set")) }
            usedCount = sets[number].usedCount
        }
        if let known = sequence.longTerm { try readLongTerm(&bits, known) }
        if sequence.hasTemporalVectors { hasTemporalVectors = try bits.flag() }
    }

    private mutating func readLongTerm(_ bits: inout SliceBits, _ known: [Bool]) throws(BitstreamError) {
        let fromSequence = known.isEmpty ? 0 : try bits.unsigned(max: 32)
        let count = fromSequence + (try bits.unsigned(max: 32))
        for number in 0..<count {
            if number < fromSequence {
                let place = Int(try bits.bits(known.count.bitsOfValues))
                guard known.indices.contains(place) else { throw BitstreamError("slice header", .missing("picture")) }
                if known[place] { usedCount += 1 }
            } else {
                try bits.skip(sequence.orderBits)
                if try bits.flag() { usedCount += 1 }
            }
            if try bits.flag() { _ = try bits.unsigned() }
        }
    }

    /// What only P and B slices have.
    private mutating func readPrediction(_ bits: inout SliceBits) throws(BitstreamError) {
        if try bits.flag() {
            references[0] = try bits.unsigned(max: 14)
            if isB { references[1] = try bits.unsigned(max: 14) }
        }
        if picture.modifiesLists, usedCount > 1 {
            for list in references.prefix(isB ? 2 : 1) where try bits.flag() {
                try bits.skip((list + 1) * usedCount.bitsOfValues)
            }
        }
        if isB { try bits.skip(1) }
        if picture.hasCABACInit { try bits.skip(1) }
        if hasTemporalVectors {
            let fromSecond = isB ? try !bits.flag() : false
            if references[fromSecond ? 1 : 0] > 0 { _ = try bits.unsigned() }
        }
        if (picture.isWeighted && type == 1) || (picture.isWeightedBi && isB) { try skipWeights(&bits) }
        _ = try bits.unsigned()
    }

    /// pred_weight_table, clause 7.3.6.3, of a stream with one layer.
    private func skipWeights(_ bits: inout SliceBits) throws(BitstreamError) {
        try bits.skipCodes(sequence.hasChroma ? 2 : 1)
        for list in references.prefix(isB ? 2 : 1) {
            let luma = try Self.flags(&bits, list + 1)
            let chroma = sequence.hasChroma ? try Self.flags(&bits, list + 1) : luma.map { _ in false }
            for (hasLuma, hasChroma) in zip(luma, chroma) {
                try bits.skipCodes((hasLuma ? 2 : 0) + (hasChroma ? 4 : 0))
            }
        }
    }

    private static func flags(_ bits: inout SliceBits, _ count: Int) throws(BitstreamError) -> [Bool] {
        var flags: [Bool] = []
        for _ in 0..<count { flags.append(try bits.flag()) }
        return flags
    }

    /// Entry points, extension and alignment, which dependent segments have, too.
    private func readEnd(_ bits: inout SliceBits) throws(BitstreamError) {
        if picture.hasEntryPoints {
            let count = try bits.unsigned(max: 1 << 16)
            if count > 0 { try bits.skip(count * (try bits.unsigned(max: 31) + 1)) }
        }
        if picture.hasExtension { try bits.skip(8 * (try bits.unsigned(max: 256))) }
        try bits.skip(1)
    }
}
