/// The VUI of an H.265 SPS (clause E.2.1), as far as the frame rate and the sample aspect ratio.
struct H265VUI {
    private(set) var aspectRatio: SampleAspectRatio?
    private(set) var frameRate: FrameRate?

    /// Reads it from `strong_intra_smoothing_enabled_flag` on; nil where there is none.
    init?(_ reader: inout BitReader) throws(BitstreamError) {
        try reader.skip(1)
        guard try reader.flag() else { return nil }
        try readUsability(&reader)
    }

    private mutating func readUsability(_ reader: inout BitReader) throws(BitstreamError) {
        if try reader.flag() { aspectRatio = try SampleAspectRatio(&reader) }
        if try reader.flag() { try reader.skip(1) }
        if try reader.flag() {
            try reader.skip(4)
            if try reader.flag() { try reader.skip(24) }
        }
        if try reader.flag() {
            _ = try reader.unsigned()
            _ = try reader.unsigned()
        }
        try reader.skip(3)
        if try reader.flag() {
            for _ in 0..<4 { _ = try reader.unsigned() }
        }
        guard try reader.flag() else { return }
        let units = UInt64(try reader.bits(32))
        frameRate = FrameRate(numerator: UInt64(try reader.bits(32)), denominator: units)
    }
}
