/// A parsed H.264 sequence parameter set (ITU-T H.264 clause 7.3.2.1.1), as far as recording needs it.
public struct H264SequenceParameterSet: Hashable, Sendable {
    /// seq_parameter_set_id, 0…31.
    public let id: Int
    /// profile_idc.
    public let profile: UInt8
    /// The constraint flags, with the reserved bits, as they stand in the codec string.
    let compatibility: UInt8
    /// level_idc; 31 is level 3.1.
    public let level: UInt8
    /// chroma_format_idc: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    let chromaFormat: Int
    /// Bits of a luma sample, 8…14.
    let bitDepthLuma: Int
    /// Bits of a chroma sample, 8…14.
    let bitDepthChroma: Int
    /// Width in pixels after cropping.
    public let width: Int
    /// Height in pixels after cropping.
    public let height: Int
    /// Pixels of a picture before cropping.
    let codedPixels: Int
    /// max_num_ref_frames: how many pictures a decoder keeps to refer to, 0…64.
    let maxReferenceFrames: Int
    /// Whether pictures may be fields.
    let isInterlaced: Bool
    /// The frame rate that the VUI states, if it does.
    public let frameRate: FrameRate?
    /// The sample aspect ratio that the VUI states, if it does and it is not 1:1.
    let aspectRatio: SampleAspectRatio?
    /// How many frames may precede a frame in decoding order and follow it in output order, 0…16.
    let maxReorderFrames: Int
    /// Whether `maxReorderFrames` is stated by the stream (VUI, or a profile without reordering). If false it is the upper
    /// bound of the level, and most cameras reorder nothing.
    let statesReorder: Bool
    /// The form of the slice headers that belong to it.
    let sliceForm: H264SliceForm

    /// Parses a whole NAL unit with its one-byte header. A damaged VUI is taken as absent: many cameras write one.
    public init(nal: UnsafeRawBufferPointer) throws(BitstreamError) {
        var reader = BitReader(nal: nal, headerBytes: 1, subject: "H.264 SPS")
        guard let header = nal.first, header & 0x1f == 7 else {
            throw BitstreamError(reader.subject, .missing("header"))
        }
        let profile = UInt8(truncatingIfNeeded: try reader.bits(8))
        compatibility = UInt8(truncatingIfNeeded: try reader.bits(8))
        level = UInt8(truncatingIfNeeded: try reader.bits(8))
        id = try reader.unsigned("seq_parameter_set_id", max: 31)
        let format = try H264SampleFormat(&reader, profile: profile)
        let frameNumberBits = try reader.unsigned("log2_max_frame_num_minus4", max: 12) + 4
        let order = try H264PictureOrder(&reader)
        maxReferenceFrames = try reader.unsigned("max_num_ref_frames", max: 64)
        try reader.skip(1)
        let size = try H264PictureSize(&reader, format: format)
        self.profile = profile
        chromaFormat = format.chroma
        bitDepthLuma = format.luma
        bitDepthChroma = format.chromaDepth
        width = size.width
        height = size.height
        codedPixels = size.macroblocks * 256
        isInterlaced = size.isInterlaced
        sliceForm = H264SliceForm(
            isSeparate: format.isSeparate, hasChroma: format.chroma != 0 && !format.isSeparate,
            frameNumberBits: frameNumberBits, order: order, framesOnly: !size.isInterlaced, mapUnits: size.mapUnits)
        let vui = (try? reader.flag()) == true ? try? H264VUI(&reader) : nil
        frameRate = vui?.frameRate
        aspectRatio = vui?.aspectRatio
        let intraOnly = [44, 86, 100, 110, 122, 244].contains(profile) && compatibility & 0x10 != 0
        let neverReorders = profile == 66 || order.type == 2 || intraOnly
        statesReorder = neverReorders || vui?.maxReorderFrames != nil
        maxReorderFrames =
            neverReorders ? 0 : vui?.maxReorderFrames ?? Self.pictureBuffer(level: level, macroblocks: size.macroblocks)
    }

    /// MaxDpbFrames of clause A.3.1, which clause E.2.1 gives as the reorder bound where the stream states none.
    private static func pictureBuffer(level: UInt8, macroblocks: Int) -> Int {
        let limit =
            switch level {
            case ...10: 396
            case 11: 900
            case 12...20: 2_376
            case 21: 4_752
            case 22...30: 8_100
            case 31: 18_000
            case 32: 20_480
            case 40...41: 32_768
            case 42: 34_816
            case 50: 110_400
            case 51...52: 184_320
            default: 696_320
            }
        return Swift.min(16, limit / Swift.max(1, macroblocks))
    }
}

/// What an H.264 SPS says about the form of slice headers (clause 7.3.3).
struct H264SliceForm: Hashable, Sendable {
    /// separate_colour_plane_flag.
    let isSeparate: Bool
    /// Whether ChromaArrayType is not 0.
    let hasChroma: Bool
    /// Bits of frame_num.
    let frameNumberBits: Int
    let order: H264PictureOrder
    /// frame_mbs_only_flag.
    let framesOnly: Bool
    /// PicSizeInMapUnits.
    let mapUnits: Int
}

/// How slices tell the order of pictures (clause 8.2.1).
struct H264PictureOrder: Hashable, Sendable {
    /// pic_order_cnt_type, 0…2.
    let type: Int
    /// Bits of pic_order_cnt_lsb; 0 where `type` is not 0.
    let bits: Int
    /// Whether slices tell a difference, where `type` is 1.
    let hasDelta: Bool

    init(_ reader: inout BitReader) throws(BitstreamError) {
        type = try reader.unsigned("pic_order_cnt_type", max: 2)
        bits = type == 0 ? try reader.unsigned("log2_max_pic_order_cnt_lsb_minus4", max: 12) + 4 : 0
        hasDelta = type == 1 ? try !reader.flag() : false
        if type == 1 {
            try reader.skipCodes(2)
            try reader.skipCodes(try reader.unsigned("num_ref_frames_in_pic_order_cnt_cycle", max: 255))
        }
    }
}
