/// Which parameter set a NAL unit is: what tells it from the others of its stream. Everything that reads or keeps parameter
/// sets asks here, so that the input takes exactly what the writer can store.
struct ParameterSetName: Hashable, Comparable {
    /// In the order in which a decoder needs them.
    enum Kind: Int, Comparable {
        case vps, sps, pps

        static func < (lhs: Kind, rhs: Kind) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    let kind: Kind
    let id: Int

    static func < (lhs: ParameterSetName, rhs: ParameterSetName) -> Bool { (lhs.kind, lhs.id) < (rhs.kind, rhs.id) }

    /// Reads a whole NAL unit with its header; nil when it is no parameter set. Throws when a clip could not hold it.
    init?(nal: UnsafeRawBufferPointer, codec: VideoCodec) throws(BitstreamError) {
        guard let header = nal.first else { return nil }
        // Those of enhancement layers of H.265 are not the stream's own.
        if codec == .h265 { guard header & 1 == 0, nal.count > 1, nal[1] >> 3 == 0 else { return nil } }
        switch (codec, codec == .h264 ? header & 0x1f : (header >> 1) & 0x3f) {
        case (.h264, 7): self.init(.sps, try H264SequenceParameterSet(nal: nal).id)
        case (.h264, 8): self.init(.pps, try Self.number(nal, 1, "H.264 PPS", "pic_parameter_set_id", max: 255))
        case (.h265, 32):
            guard nal.count > 2 else { throw BitstreamError("H.265 VPS", .truncated) }
            self.init(.vps, Int(nal[2] >> 4))
        case (.h265, 33): self.init(.sps, try H265SequenceParameterSet(nal: nal).id)
        case (.h265, 34): self.init(.pps, try Self.number(nal, 2, "H.265 PPS", "pps_pic_parameter_set_id", max: 63))
        default: return nil
        }
    }

    private init(_ kind: Kind, _ id: Int) {
        self.kind = kind
        self.id = id
    }

    private static func number(
        _ nal: UnsafeRawBufferPointer, _ headerBytes: Int, _ subject: String, _ field: String, max: Int
    ) throws(BitstreamError) -> Int {
        var reader = BitReader(nal: nal, headerBytes: headerBytes, subject: subject)
        return try reader.unsigned(field, max: max)
    }
}
