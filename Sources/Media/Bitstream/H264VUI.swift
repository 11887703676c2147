/// The part of the H.264 video usability information (clause E.1.1) that recording uses.
struct H264VUI {
    private(set) var aspectRatio: SampleAspectRatio?
    private(set) var frameRate: FrameRate?
    private(set) var maxReorderFrames: Int?

    init(_ reader: inout BitReader) throws(BitstreamError) {
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
        if try reader.flag() {
            let units = UInt64(try reader.bits(32))
            let scale = UInt64(try reader.bits(32))
            try reader.skip(1)
            frameRate = FrameRate(numerator: scale, denominator: units * 2)
        }
        // What follows is often damaged; what came before still holds.
        maxReorderFrames = try? Self.readReorder(&reader)
    }

    private static func readReorder(_ reader: inout BitReader) throws(BitstreamError) -> Int? {
        let hasNalBuffer = try reader.flag()
        if hasNalBuffer { try skipBufferModel(&reader) }
        let hasPictureBuffer = try reader.flag()
        if hasPictureBuffer { try skipBufferModel(&reader) }
        if hasNalBuffer || hasPictureBuffer { try reader.skip(1) }
        try reader.skip(1)
        guard try reader.flag() else { return nil }
        try reader.skip(1)
        for _ in 0..<4 { _ = try reader.unsigned() }
        return try reader.unsigned("max_num_reorder_frames", max: 16)
    }

    private static func skipBufferModel(_ reader: inout BitReader) throws(BitstreamError) {
        let count = try reader.unsigned("cpb_cnt_minus1", max: 31) + 1
        try reader.skip(8)
        for _ in 0..<count {
            _ = try reader.unsigned()
            _ = try reader.unsigned()
            try reader.skip(1)
        }
        try reader.skip(20)
    }
}
