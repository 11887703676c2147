/// The parameter sets of a video track that are in force, by kind and number. A new set with the number of an old one
/// replaces it.
struct ParameterSetStore {
    private struct Key: Hashable, Comparable {
        let kind: UInt8
        let number: UInt32

        static func < (lhs: Key, rhs: Key) -> Bool { (lhs.kind, lhs.number) < (rhs.kind, rhs.number) }
    }

    /// No stream needs more; what comes beyond is refused, so that a hostile one cannot grow without bound.
    static let setsMax = 64
    /// A larger set is refused.
    static let setBytesMax = 4096

    private let codec: TrackCodec
    private var sets: [Key: [UInt8]] = [:]

    init(codec: TrackCodec) { self.codec = codec }

    /// All sets: VPS, then SPS, then PPS, each by number.
    var all: [[UInt8]] { sets.sorted { $0.key < $1.key }.map(\.value) }

    /// Whether a decoder could begin: an SPS and a PPS, and for H.265 a VPS, are there.
    var isComplete: Bool {
        let kinds = Set(sets.keys.map(\.kind))
        return kinds.contains(1) && kinds.contains(2) && (codec == .h264 || kinds.contains(0))
    }

    /// What the last SPS by number says.
    var hints: SequenceHints? {
        sets.filter { $0.key.kind == 1 }.max { $0.key < $1.key }.flatMap { SequenceHints(sps: $0.value, codec: codec) }
    }

    /// Takes a NAL unit; true when it is a parameter set that changes what is in force.
    mutating func take(_ nal: UnsafeRawBufferPointer, role: NALRole) -> Bool {
        guard nal.count <= ParameterSetStore.setBytesMax, let key = key(nal, role: role) else { return false }
        if let old = sets[key], old.count == nal.count, old.withUnsafeBytes({ $0.elementsEqual(nal) }) { return false }
        guard sets[key] != nil || sets.count < ParameterSetStore.setsMax else { return false }
        sets[key] = [UInt8](nal)
        return true
    }

    private func key(_ nal: UnsafeRawBufferPointer, role: NALRole) -> Key? {
        switch (role, codec) {
        case (.vps, _):
            guard nal.count > 2 else { return nil }
            return Key(kind: 0, number: UInt32(nal[2] >> 4))
        case (.sps, _): return spsNumber(nal).map { Key(kind: 1, number: $0) }
        case (.pps, _):
            var reader = BitReader(nal: nal, headerBytes: codec == .h265 ? 2 : 1, subject: "PPS")
            return (try? reader.unsigned()).map { Key(kind: 2, number: $0) }
        default: return nil
        }
    }

    /// In H.265 the number stands behind profile, tier and level, whose length varies with the sub-layers.
    private func spsNumber(_ nal: UnsafeRawBufferPointer) -> UInt32? {
        var reader = BitReader(nal: nal, headerBytes: codec == .h265 ? 2 : 4, subject: "SPS")
        if codec == .h265 {
            guard (try? reader.skip(4)) != nil, let layers = try? reader.bits(3), (try? reader.skip(1)) != nil,
                (try? H265ProfileTierLevel(&reader, maxSubLayersMinus1: Int(layers))) != nil
            else { return nil }
        }
        return try? reader.unsigned()
    }
}
