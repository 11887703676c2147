/// The rest of an H.265 SPS after the reorder numbers, read for the VUI's frame rate and sample aspect ratio.
struct H265VUI {
    private(set) var aspectRatio: SampleAspectRatio?
    private(set) var frameRate: FrameRate?

    init?(afterReorder reader: inout BitReader, orderBits: Int) throws(BitstreamError) {
        for _ in 0..<6 { _ = try reader.unsigned() }
        if try reader.flag(), try reader.flag() { try Self.skipScalingLists(&reader) }
        try reader.skip(2)
        if try reader.flag() {
            try reader.skip(8)
            _ = try reader.unsigned()
            _ = try reader.unsigned()
            try reader.skip(1)
        }
        try Self.skipShortTermSets(&reader)
        if try reader.flag() {
            let count = try reader.unsigned("num_long_term_ref_pics_sps", max: 32)
            try reader.skip(count * (orderBits + 1))
        }
        try reader.skip(2)
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

    private static func skipScalingLists(_ reader: inout BitReader) throws(BitstreamError) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard try reader.flag() else {
                    _ = try reader.unsigned()
                    continue
                }
                if size > 1 { _ = try reader.signed() }
                for _ in 0..<min(64, 1 << (4 + size * 2)) { _ = try reader.signed() }
            }
        }
    }

    /// st_ref_pic_set, clause 7.3.7: only the number of entries matters for finding the end.
    private static func skipShortTermSets(_ reader: inout BitReader) throws(BitstreamError) {
        let count = try reader.unsigned("num_short_term_ref_pic_sets", max: 64)
        var previous = 0
        for index in 0..<count {
            if index > 0, try reader.flag() {
                try reader.skip(1)
                _ = try reader.unsigned()
                var entries = 0
                for _ in 0...previous {
                    let isUsed = try reader.flag()
                    if isUsed {
                        entries += 1
                    } else if try reader.flag() {
                        entries += 1
                    }
                }
                previous = entries
            } else {
                let negative = try reader.unsigned("num_negative_pics", max: 16)
                let positive = try reader.unsigned("num_positive_pics", max: 16)
                for _ in 0..<negative + positive {
                    _ = try reader.unsigned()
                    try reader.skip(1)
                }
                previous = negative + positive
            }
        }
    }
}
