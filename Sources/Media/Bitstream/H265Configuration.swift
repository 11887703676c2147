/// What a decoder must know before the first frame of an H.265 stream. Equal when the parameter sets are.
public struct H265Configuration: Hashable, Sendable {
    /// Video, sequence and picture parameter sets, in the order of their NAL unit types 32, 33, 34.
    private var sets = [ParameterSets(), ParameterSets(), ParameterSets()]

    /// The sequence parameter set with the lowest id.
    public private(set) var sps: H265SequenceParameterSet

    /// The sequence parameter sets as NAL units, by id.
    var sequenceParameterSets: [[UInt8]] { sets[1].ordered }
    /// The picture parameter sets as NAL units, by id.
    var pictureParameterSets: [[UInt8]] { sets[2].ordered }

    /// From the parameter sets among the NAL units of `bytes` (a key frame, or codec extra data in Annex B form);
    /// `hvcC` contents are taken too. Throws when a VPS, SPS or PPS is missing or unusable.
    public init(parameterSets bytes: UnsafeRawBufferPointer, framing: NALFraming = .annexB) throws(BitstreamError) {
        var sets = [ParameterSets(), ParameterSets(), ParameterSets()]
        if framing == .annexB, bytes.first == 1 {
            try Self.readRecord(bytes, &sets)
        } else {
            for unit in NALUnits(bytes, framing: framing) {
                try Self.collect(UnsafeRawBufferPointer(rebasing: bytes[unit]), &sets)
            }
        }
        try self.init(sets)
    }

    private init(_ sets: [ParameterSets]) throws(BitstreamError) {
        for (kind, name) in zip(sets, ["VPS", "SPS", "PPS"]) where kind.isEmpty {
            throw BitstreamError("H.265 stream", .missing(name))
        }
        self.sets = sets
        sps = try withBytes(sets[1].ordered.first ?? []) { bytes throws(BitstreamError) in
            try H265SequenceParameterSet(nal: bytes)
        }
    }

    /// The configuration after the parameter sets in `accessUnit` (those before its first slice) replace those with the
    /// same id; equal to `self` when there are none or nothing changed.
    func updated(
        by accessUnit: UnsafeRawBufferPointer, framing: NALFraming
    ) throws(BitstreamError) -> H265Configuration {
        var sets = sets
        var units = NALUnits(accessUnit, framing: framing)
        while let start = units.nextStart, start < accessUnit.count {
            if (accessUnit[start] >> 1) & 0x3f < 32 { break }
            guard let unit = units.next() else { break }
            try Self.collect(UnsafeRawBufferPointer(rebasing: accessUnit[unit]), &sets)
        }
        return sets == self.sets ? self : try H265Configuration(sets)
    }

    /// RFC 6381 and ISO/IEC 14496-15 annex E: `hvc1.1.6.L93.B0`.
    public var codec: String { "hvc1." + sps.profileTierLevel.codecSuffix }

    /// The contents of `hvcC` (ISO/IEC 14496-15 clause 8.3.3.1.2), with NAL lengths of four bytes.
    public var record: [UInt8] {
        let level = sps.profileTierLevel
        var out: [UInt8] = [1, level.profileSpace << 6 | (level.isHighTier ? 0x20 : 0) | level.profile]
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            out.append(UInt8(truncatingIfNeeded: level.compatibility >> shift))
        }
        for shift in stride(from: UInt64(40), through: 0, by: -8) {
            out.append(UInt8(truncatingIfNeeded: level.constraints >> shift))
        }
        out += [level.level, 0xf0, 0, 0xfc, 0xfc | UInt8(clamping: sps.chromaFormat)]
        out += [0xf8 | UInt8(clamping: sps.bitDepthLuma - 8), 0xf8 | UInt8(clamping: sps.bitDepthChroma - 8), 0, 0]
        out.append(UInt8(clamping: sps.temporalLayers) << 3 | (sps.isTemporalIDNested ? 4 : 0) | 3)
        out.append(3)
        for (index, kind) in sets.enumerated() {
            let units = kind.ordered
            // array_completeness is set: hvc1 promises that the header has all of them.
            out.append(0x80 | UInt8(32 + index))
            out.append(UInt8(truncatingIfNeeded: units.count >> 8))
            out.append(UInt8(truncatingIfNeeded: units.count))
            for unit in units { out.appendSized(unit) }
        }
        return out
    }

    private static func collect(
        _ nal: UnsafeRawBufferPointer, _ sets: inout [ParameterSets]
    ) throws(BitstreamError) {
        guard let name = try ParameterSetName(nal: nal, codec: .h265) else { return }
        try sets[name.kind.rawValue].insert(
            nal, id: name.id, subject: "H.265 \(["VPS", "SPS", "PPS"][name.kind.rawValue])")
    }

    private static func readRecord(
        _ bytes: UnsafeRawBufferPointer, _ sets: inout [ParameterSets]
    ) throws(BitstreamError) {
        guard bytes.count >= 23 else { throw BitstreamError("hvcC", .truncated) }
        var position = 23
        func number() throws(BitstreamError) -> Int {
            guard bytes.count - position >= 2 else { throw BitstreamError("hvcC", .truncated) }
            defer { position += 2 }
            return Int(bytes[position]) << 8 | Int(bytes[position + 1])
        }
        for _ in 0..<Int(bytes[22]) {
            position += 1
            for _ in 0..<(try number()) {
                let length = try number()
                guard bytes.count - position >= length else { throw BitstreamError("hvcC", .truncated) }
                try collect(UnsafeRawBufferPointer(rebasing: bytes[position..<position + length]), &sets)
                position += length
            }
        }
    }
}
