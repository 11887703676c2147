/// What a recorder must know about one access unit (one coded picture with what belongs to it). Reads only up to the first
/// slice, so the cost does not grow with the picture.
public struct AccessUnit: Hashable, Sendable {
    /// The picture is a key frame: an H.264 IDR, or an H.265 IRAP (IDR, CRA, BLA). Decoding can begin here.
    private(set) var isKeyFrame = false
    /// A recovery point SEI says that decoding can begin here and that the picture is right after so many frames. Streams
    /// with periodic intra refresh, or with open GOPs, have these instead of key frames.
    private(set) var recoveryFrames: Int?
    /// Parameter sets come before the first slice.
    private(set) var hasParameterSets = false
    /// There is a slice at all.
    public private(set) var hasPicture = false

    /// Looks at an access unit. Total: unknown and damaged units are passed over.
    public init(_ bytes: UnsafeRawBufferPointer, codec: VideoCodec, framing: NALFraming) {
        var units = NALUnits(bytes, framing: framing)
        while let start = units.nextStart, start < bytes.count {
            let type = codec == .h264 ? bytes[start] & 0x1f : (bytes[start] >> 1) & 0x3f
            let isSlice = codec == .h264 ? (1...5).contains(type) : type < 32
            if isSlice {
                hasPicture = true
                isKeyFrame = codec == .h264 ? type == 5 : (16...23).contains(type)
                return
            }
            guard let range = units.next() else { return }
            let isSEI = codec == .h264 ? type == 6 : type == 39
            if isSEI {
                let nal = UnsafeRawBufferPointer(rebasing: bytes[range])
                recoveryFrames = Self.recoveryFrames(nal, codec: codec) ?? recoveryFrames
            }
            if codec == .h264 ? (7...8).contains(type) : (32...34).contains(type) { hasParameterSets = true }
        }
    }

    /// The payload of type 6 (recovery point) in a SEI unit: H.264 clause D.1.8, H.265 clause D.2.8.
    private static func recoveryFrames(_ nal: UnsafeRawBufferPointer, codec: VideoCodec) -> Int? {
        var reader = BitReader(nal: nal, headerBytes: codec == .h264 ? 1 : 2, subject: "SEI")
        do throws(BitstreamError) {
            while reader.hasMoreData {
                let type = try sevenBitSum(&reader)
                let size = try sevenBitSum(&reader)
                if type == 6 {
                    return codec == .h264 ? Int(try reader.unsigned()) : Swift.max(0, Int(try reader.signed()))
                }
                try reader.skip(size * 8)
            }
        } catch {
            // A damaged SEI says nothing; the picture it belongs to is still recorded.
        }
        return nil
    }

    private static func sevenBitSum(_ reader: inout BitReader) throws(BitstreamError) -> Int {
        var sum = 0
        while true {
            let byte = Int(try reader.bits(8))
            sum += byte
            if byte != 255 { return sum }
        }
    }
}
