import CLibav

/// What holds for libav in the whole process.
enum LibavProcess {
    /// The most bytes of memory that libav takes in one piece. The index of a movie is such a piece, 24 bytes for each frame that the
    /// movie says it has: 3.1 million of a track, a day at 30 a second. Planes of pictures that are decoded are smaller
    /// (`DecoderNeed`): 68 MiB of one color and ten bits.
    static let pieceBytesMax = 72 << 20

    private static let prepared: Void = {
        // libav's own log goes to standard error, addresses and passwords included. Nobody needs it: what goes wrong comes back as an
        // error of the call that failed.
        av_log_set_callback { _, _, _, _ in }
        av_max_alloc(pieceBytesMax)
    }()

    /// Makes libav print nothing, and bounds what it takes in one piece.
    static func prepare() { _ = prepared }
}
