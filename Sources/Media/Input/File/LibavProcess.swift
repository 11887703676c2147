import CLibav

/// What holds for libav in the whole process.
enum LibavProcess {
    /// The most bytes of memory that libav takes in one piece. Planes of pictures that are decoded are smaller (`DecoderNeed`): 68 MiB
    /// of one color and ten bits. So is what the encoder of JPEG takes, 1,536 bytes for each 16 by 16 pixels: pictures of
    /// `SnapshotWidth` and the strips of previews are far below.
    static let pieceBytesMax = 72 << 20
    /// The most frames of a track that is read from a movie file: its index is such a piece, 24 bytes for each. 29 hours of pictures at
    /// 30 a second, 18 of AAC at 48 kHz.
    static let framesMax = pieceBytesMax / 24

    private static let prepared: Void = {
        // libav's own log goes to standard error, addresses and passwords included. Nobody needs it: what goes wrong comes back as an
        // error of the call that failed.
        av_log_set_callback { _, _, _, _ in }
        av_max_alloc(pieceBytesMax)
    }()

    /// Makes libav print nothing, and bounds what it takes in one piece.
    static func prepare() { _ = prepared }
}
