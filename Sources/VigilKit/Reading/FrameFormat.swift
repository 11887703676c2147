/// How the frames of a track are coded: what a decoder is told before the first one.
public struct FrameFormat: Hashable, Sendable {
    /// What a track carries, and in which coding.
    public enum Codec: String, Hashable, Sendable, CaseIterable {
        /// ISO/IEC 14496-10; parameter sets are an AVCDecoderConfigurationRecord (`avcC`).
        case h264
        /// ISO/IEC 23008-2; parameter sets are an HEVCDecoderConfigurationRecord (`hvcC`).
        case h265
        /// ISO/IEC 14496-3; parameter sets are an AudioSpecificConfig.
        case aac
        /// RFC 6716; parameter sets are an OpusSpecificBox (`dOps`).
        case opus

        /// Whether it is a picture.
        public var isVideo: Bool { self == .h264 || self == .h265 }
    }

    /// The coding.
    public let codec: Codec
    /// Ticks in a second of the times of its frames; at least 1.
    public let timescale: Int32
    /// What a decoder is set up with: the record that ``codec`` names, as CMFormatDescription and libav (as `extradata`) take
    /// it. Of Opus it is the contents of the box, not the head of an Ogg file.
    public let parameterSets: [UInt8]
    /// Of the picture, in pixels; 0 for sound.
    public let width, height: Int
    /// Samples in a second; 0 for pictures.
    public let sampleRate: Int
    /// Of the sound; 0 for pictures.
    public let channels: Int

    /// How many bytes the length before each NAL unit of a frame has: 1, 2 or 4; 0 for sound.
    public var lengthBytes: Int {
        switch codec {
        case .h264: parameterSets.count > 4 ? Int(parameterSets[4] & 3) + 1 : 4
        case .h265: parameterSets.count > 21 ? Int(parameterSets[21] & 3) + 1 : 4
        case .aac, .opus: 0
        }
    }
}
