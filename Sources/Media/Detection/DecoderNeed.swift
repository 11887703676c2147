/// What decoding a stream takes of memory, as its parameter sets say, before a decoder is opened: pictures of 16,128 by 16,128
/// pixels are some hundred bytes on the wire and a gigabyte in memory.
public struct DecoderNeed: Hashable, Sendable, CustomStringConvertible {
    /// The most pixels of a picture that is decoded: 8192 by 4320.
    static let pixelsMax = 8_192 * 4_320
    /// The most bytes of pictures that one decoder may hold: 4K with ten bits a sample, as level 5.2 allows it.
    public static let bytesMax = 256 << 20
    /// Pictures that a decoder holds besides those that it refers to or reorders: the one it makes and the one it gave out.
    private static let picturesMore = 2

    /// Pixels of a picture before cropping.
    let pixels: Int
    /// Pictures that the decoder holds at once.
    public let pictures: Int
    /// Bytes that they take together.
    public let bytes: Int

    /// What `configuration` needs; nil for sound.
    public init?(_ configuration: CodecConfiguration) {
        let (chroma, depth): (Int, Int)
        switch configuration {
        case .h264(let video):
            pixels = video.sps.codedPixels
            (chroma, depth) = (video.sps.chromaFormat, max(video.sps.bitDepthLuma, video.sps.bitDepthChroma))
            pictures = video.sps.maxReferenceFrames + video.sps.maxReorderFrames + Self.picturesMore
        case .h265(let video):
            pixels = video.sps.codedPixels
            (chroma, depth) = (video.sps.chromaFormat, max(video.sps.bitDepthLuma, video.sps.bitDepthChroma))
            pictures = video.sps.maxBufferedFrames + Self.picturesMore
        case .aac, .opus: return nil
        }
        // Samples for two pixels: luma, and both planes of chroma.
        let samples = [2, 3, 4, 6][min(max(chroma, 0), 3)]
        // At most 65,535 by 65,535 pixels, and 82 pictures.
        let picture = pixels * samples / 2 * (depth > 8 ? 2 : 1)
        bytes = picture * pictures
    }

    /// Whether it is decoded.
    public var isAllowed: Bool { pixels <= Self.pixelsMax && bytes <= Self.bytesMax }

    /// The need, with the bounds, in words.
    public var description: String {
        """
        pictures of \(pixels) pixels, \(pictures) at a time, take \(bytes >> 20) MiB to decode; at most \
        \(Self.pixelsMax) pixels and \(Self.bytesMax >> 20) MiB are decoded
        """
    }
}
