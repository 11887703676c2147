/// What the assembly of frames needs from a sequence parameter set: the reorder depth and whether pictures can be fields.
struct SequenceHints: Hashable, Sendable {
    /// The most frames that precede another in decoding and follow it in presentation; nil when the set does not say.
    let reorderDepth: Int?
    /// Whether one frame may come as two pictures with one time stamp. Field pictures of H.265 are access units of their
    /// own with times of their own.
    let mayHaveFields: Bool

    /// Reads `sps`, a whole NAL unit; nil when it is broken.
    init?(sps: [UInt8], codec: TrackCodec) {
        if codec == .h265 {
            guard let set = try? sps.withUnsafeBytes({ try H265SequenceParameterSet(nal: $0) }) else { return nil }
            reorderDepth = set.maxReorderFrames
            mayHaveFields = false
        } else {
            guard let set = try? sps.withUnsafeBytes({ try H264SequenceParameterSet(nal: $0) }) else { return nil }
            reorderDepth = set.statesReorder ? set.maxReorderFrames : nil
            mayHaveFields = set.isInterlaced
        }
    }
}
