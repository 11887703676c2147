/// What the parameter sets say of the order of pictures.
extension CodecConfiguration {
    /// The most frames that precede another in decoding and follow it in presentation; nil when the sets do not say.
    public var reorderDepth: Int? {
        switch self {
        case .h264(let video): video.sps.statesReorder ? video.sps.maxReorderFrames : nil
        case .h265(let video): video.sps.maxReorderFrames
        case .aac, .opus: nil
        }
    }

    /// Whether one frame may come as two pictures with one time stamp. Field pictures of H.265 are access units of their own
    /// with times of their own.
    var mayHaveFields: Bool { if case .h264(let video) = self { video.sps.isInterlaced } else { false } }
}
