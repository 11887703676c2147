import Hashing

/// What a decoder must know before the first frame of an H.264 stream. Equal when the parameter sets are.
public struct H264Configuration: Hashable, Sendable {
    private var sequenceSets = ParameterSets()
    private var pictureSets = ParameterSets()

    /// The sequence parameter set with the lowest id, which cameras use for all frames.
    public private(set) var sps: H264SequenceParameterSet

    /// The sequence parameter sets as NAL units, by id.
    var sequenceParameterSets: [[UInt8]] { sequenceSets.ordered }
    /// The picture parameter sets as NAL units, by id.
    var pictureParameterSets: [[UInt8]] { pictureSets.ordered }

    /// From the parameter sets among the NAL units of `bytes` (a key frame, or codec extra data in Annex B form);
    /// `avcC` contents are taken too. Throws when there is no usable SPS or PPS.
    public init(parameterSets bytes: UnsafeRawBufferPointer, framing: NALFraming = .annexB) throws(BitstreamError) {
        var sequenceSets = ParameterSets()
        var pictureSets = ParameterSets()
        if framing == .annexB, bytes.first == 1 {
            try Self.readRecord(bytes, &sequenceSets, &pictureSets)
        } else {
            for unit in NALUnits(bytes, framing: framing) {
                let nal = UnsafeRawBufferPointer(rebasing: bytes[unit])
                try Self.collect(nal, &sequenceSets, &pictureSets)
            }
        }
        try self.init(sequenceSets, pictureSets)
    }

    private init(_ sequenceSets: ParameterSets, _ pictureSets: ParameterSets) throws(BitstreamError) {
        guard let first = sequenceSets.ordered.first else { throw BitstreamError("H.264 stream", .missing("SPS")) }
        guard !pictureSets.isEmpty else { throw BitstreamError("H.264 stream", .missing("PPS")) }
        self.sequenceSets = sequenceSets
        self.pictureSets = pictureSets
        sps = try withBytes(first) { bytes throws(BitstreamError) in try H264SequenceParameterSet(nal: bytes) }
    }

    /// The configuration after the parameter sets in `accessUnit` (those before its first slice) replace those with the
    /// same id; equal to `self` when there are none or nothing changed.
    func updated(
        by accessUnit: UnsafeRawBufferPointer, framing: NALFraming
    ) throws(BitstreamError) -> H264Configuration {
        var sequenceSets = sequenceSets
        var pictureSets = pictureSets
        var units = NALUnits(accessUnit, framing: framing)
        while let start = units.nextStart, start < accessUnit.count {
            if (1...5).contains(accessUnit[start] & 0x1f) { break }
            guard let unit = units.next() else { break }
            try Self.collect(UnsafeRawBufferPointer(rebasing: accessUnit[unit]), &sequenceSets, &pictureSets)
        }
        if sequenceSets == self.sequenceSets, pictureSets == self.pictureSets { return self }
        return try H264Configuration(sequenceSets, pictureSets)
    }

    /// RFC 6381: `avc1.64001f`.
    public var codec: String {
        "avc1." + Hex.text([sps.profile, sps.compatibility, sps.level])
    }

    /// The contents of `avcC` (ISO/IEC 14496-15 clause 5.3.3.1.2), with NAL lengths of four bytes.
    public var record: [UInt8] {
        let sequence = sequenceParameterSets.prefix(31)
        let picture = pictureParameterSets.prefix(255)
        var out: [UInt8] = [1, sps.profile, sps.compatibility, sps.level, 0xff, 0xe0 | UInt8(clamping: sequence.count)]
        for set in sequence { out.appendSized(set) }
        out.append(UInt8(clamping: picture.count))
        for set in picture { out.appendSized(set) }
        if H264SampleFormat.isCarried(by: sps.profile) {
            out.append(0xfc | UInt8(clamping: sps.chromaFormat))
            out.append(0xf8 | UInt8(clamping: sps.bitDepthLuma - 8))
            out.append(0xf8 | UInt8(clamping: sps.bitDepthChroma - 8))
            out.append(0)
        }
        return out
    }

    private static func collect(
        _ nal: UnsafeRawBufferPointer, _ sequenceSets: inout ParameterSets, _ pictureSets: inout ParameterSets
    ) throws(BitstreamError) {
        guard let name = try ParameterSetName(nal: nal, codec: .h264) else { return }
        switch name.kind {
        case .sps: try sequenceSets.insert(nal, id: name.id, subject: "H.264 SPS")
        case .pps: try pictureSets.insert(nal, id: name.id, subject: "H.264 PPS")
        case .vps: break
        }
    }

    private static func readRecord(
        _ bytes: UnsafeRawBufferPointer, _ sequenceSets: inout ParameterSets, _ pictureSets: inout ParameterSets
    ) throws(BitstreamError) {
        guard bytes.count >= 7 else { throw BitstreamError("avcC", .truncated) }
        var position = 5
        for mask: UInt8 in [0x1f, 0xff] {
            guard position < bytes.count else { throw BitstreamError("avcC", .truncated) }
            let count = Int(bytes[position] & mask)
            position += 1
            for _ in 0..<count {
                guard bytes.count - position >= 2 else { throw BitstreamError("avcC", .truncated) }
                let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
                position += 2
                guard bytes.count - position >= length else { throw BitstreamError("avcC", .truncated) }
                let nal = UnsafeRawBufferPointer(rebasing: bytes[position..<position + length])
                try collect(nal, &sequenceSets, &pictureSets)
                position += length
            }
        }
    }
}

/// `withUnsafeBytes` that keeps the error's type.
func withBytes<Result>(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(BitstreamError) -> Result
) throws(BitstreamError) -> Result {
    let result = bytes.withUnsafeBytes { buffer in
        do throws(BitstreamError) {
            return Swift.Result<Result, BitstreamError>.success(try body(buffer))
        } catch {
            return .failure(error)
        }
    }
    return try result.get()
}

extension [UInt8] {
    /// Appends a 16-bit length and the bytes.
    mutating func appendSized(_ bytes: [UInt8]) {
        append(UInt8(truncatingIfNeeded: bytes.count >> 8))
        append(UInt8(truncatingIfNeeded: bytes.count))
        append(contentsOf: bytes)
    }
}
