/// A parsed H.265 sequence parameter set (ITU-T H.265 clause 7.3.2.2.1), as far as recording needs it.
public struct H265SequenceParameterSet: Hashable, Sendable {
    /// sps_seq_parameter_set_id, 0…15.
    public let id: Int
    /// sps_max_sub_layers_minus1 + 1, 1…7.
    let temporalLayers: Int
    /// sps_temporal_id_nesting_flag.
    let isTemporalIDNested: Bool
    /// Profile, tier and level.
    public let profileTierLevel: H265ProfileTierLevel
    /// chroma_format_idc: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    let chromaFormat: Int
    /// Bits of a luma sample, 8…16.
    let bitDepthLuma: Int
    /// Bits of a chroma sample, 8…16.
    let bitDepthChroma: Int
    /// Width in pixels inside the conformance window.
    public let width: Int
    /// Height in pixels inside the conformance window.
    public let height: Int
    /// Pixels of a picture before cropping.
    let codedPixels: Int
    /// sps_max_dec_pic_buffering_minus1 + 1 of the highest layer: how many pictures a decoder keeps, 1…17.
    let maxBufferedFrames: Int
    /// sps_max_num_reorder_pics of the highest layer, 0…16.
    let maxReorderFrames: Int
    /// The frame rate that the VUI states, if it does.
    public let frameRate: FrameRate?
    /// The sample aspect ratio that the VUI states, if it does and it is not 1:1.
    let aspectRatio: SampleAspectRatio?
    /// The form of the slice segment headers that belong to it; nil where that part is damaged.
    let sliceForm: H265SliceForm?

    /// Parses a whole NAL unit with its two-byte header. A damaged part after the reorder numbers is taken as absent.
    public init(nal: UnsafeRawBufferPointer) throws(BitstreamError) {
        var reader = BitReader(nal: nal, headerBytes: 2, subject: "H.265 SPS")
        guard let header = nal.first, (header >> 1) & 0x3f == 33 else {
            throw BitstreamError(reader.subject, .missing("header"))
        }
        try reader.skip(4)
        let layersMinus1 = Int(try reader.bits(3))
        guard layersMinus1 <= 6 else {
            throw BitstreamError(reader.subject, .outOfRange(field: "sps_max_sub_layers_minus1", value: 7))
        }
        temporalLayers = layersMinus1 + 1
        isTemporalIDNested = try reader.flag()
        profileTierLevel = try H265ProfileTierLevel(&reader, maxSubLayersMinus1: layersMinus1)
        id = try reader.unsigned("sps_seq_parameter_set_id", max: 15)
        let picture = try H265Picture(&reader)
        chromaFormat = picture.chroma
        bitDepthLuma = picture.luma
        bitDepthChroma = picture.chromaDepth
        width = picture.width
        height = picture.height
        codedPixels = picture.codedWidth * picture.codedHeight
        let orderBits = try reader.unsigned("log2_max_pic_order_cnt_lsb_minus4", max: 12) + 4
        let all = try reader.flag()
        var (reorder, buffered) = (0, 1)
        for _ in (all ? 0 : layersMinus1)...layersMinus1 {
            buffered = try reader.unsigned("sps_max_dec_pic_buffering_minus1", max: 16) + 1
            reorder = try reader.unsigned("sps_max_num_reorder_pics", max: 16)
            _ = try reader.unsigned()
        }
        maxReorderFrames = reorder
        maxBufferedFrames = buffered
        sliceForm = try? H265SliceForm(&reader, of: picture, orderBits: orderBits)
        let vui = sliceForm == nil ? nil : try? H265VUI(&reader)
        frameRate = vui?.frameRate
        aspectRatio = vui?.aspectRatio
    }
}

/// Chroma format, picture size and bit depths of an H.265 SPS.
struct H265Picture {
    let chroma: Int
    let isSeparate: Bool
    let width: Int
    let height: Int
    let codedWidth: Int
    let codedHeight: Int
    let luma: Int
    let chromaDepth: Int

    init(_ reader: inout BitReader) throws(BitstreamError) {
        chroma = try reader.unsigned("chroma_format_idc", max: 3)
        isSeparate = chroma == 3 ? try reader.flag() : false
        codedWidth = try reader.unsigned("pic_width_in_luma_samples", max: 65_535)
        codedHeight = try reader.unsigned("pic_height_in_luma_samples", max: 65_535)
        var window = [0, 0, 0, 0]
        if try reader.flag() {
            for side in 0..<4 { window[side] = try reader.unsigned("conformance window", max: 65_535) }
        }
        let unitX = !isSeparate && (chroma == 1 || chroma == 2) ? 2 : 1
        let unitY = !isSeparate && chroma == 1 ? 2 : 1
        width = codedWidth - (window[0] + window[1]) * unitX
        height = codedHeight - (window[2] + window[3]) * unitY
        guard width > 0, height > 0 else {
            let value = Int64(min(width, height))
            throw BitstreamError(reader.subject, .outOfRange(field: "conformance window", value: value))
        }
        luma = 8 + (try reader.unsigned("bit_depth_luma_minus8", max: 8))
        chromaDepth = 8 + (try reader.unsigned("bit_depth_chroma_minus8", max: 8))
    }
}
