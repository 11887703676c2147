/// The shape of a sample: `width : height`, never 1:1 (that is nil where this is optional).
public struct SampleAspectRatio: Hashable, Sendable {
    /// Horizontal spacing, 1…65535.
    public let width: UInt32
    /// Vertical spacing, 1…65535.
    public let height: UInt32

    /// A ratio that is not 1:1 and has no zero; nil otherwise.
    public init?(width: UInt32, height: UInt32) {
        guard width > 0, height > 0, width != height else { return nil }
        self.width = width
        self.height = height
    }

    /// Reads aspect_ratio_idc and what follows (H.264 table E-1, H.265 table E.1).
    init?(_ reader: inout BitReader) throws(BitstreamError) {
        let known: [(UInt32, UInt32)] = [
            (0, 0), (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33), (18, 11),
            (15, 11), (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
        ]
        let index = Int(try reader.bits(8))
        if index == 255 {
            let width = try reader.bits(16)
            self.init(width: width, height: try reader.bits(16))
        } else if index < known.count {
            self.init(width: known[index].0, height: known[index].1)
        } else {
            return nil
        }
    }
}
