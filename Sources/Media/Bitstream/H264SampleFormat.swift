/// Chroma format, bit depths and (skipped) scaling lists of an H.264 SPS.
struct H264SampleFormat {
    private(set) var chroma = 1
    private(set) var luma = 8
    private(set) var chromaDepth = 8
    private(set) var isSeparate = false

    private static let profilesWithFormat: Set<UInt8> = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

    /// Whether `profile` carries the format fields, in the SPS and at the end of `avcC`.
    static func isCarried(by profile: UInt8) -> Bool { profilesWithFormat.contains(profile) }

    init(_ reader: inout BitReader, profile: UInt8) throws(BitstreamError) {
        guard Self.isCarried(by: profile) else { return }
        chroma = try reader.unsigned("chroma_format_idc", max: 3)
        if chroma == 3 { isSeparate = try reader.flag() }
        luma = 8 + (try reader.unsigned("bit_depth_luma_minus8", max: 6))
        chromaDepth = 8 + (try reader.unsigned("bit_depth_chroma_minus8", max: 6))
        try reader.skip(1)
        guard try reader.flag() else { return }
        for index in 0..<(chroma == 3 ? 12 : 8) where try reader.flag() {
            try Self.skipScalingList(&reader, count: index < 6 ? 16 : 64)
        }
    }

    private static func skipScalingList(_ reader: inout BitReader, count: Int) throws(BitstreamError) {
        var last: Int64 = 8
        for _ in 0..<count {
            let next = (last + (try reader.signed())) & 255
            if next == 0 { return }
            last = next
        }
    }
}

/// Coded and cropped picture size of an H.264 SPS.
struct H264PictureSize {
    let width: Int
    let height: Int
    /// PicSizeInMapUnits.
    let mapUnits: Int
    /// Macroblocks of a frame.
    let macroblocks: Int
    let isInterlaced: Bool

    init(_ reader: inout BitReader, format: H264SampleFormat) throws(BitstreamError) {
        // 4096 macroblocks are 65536 pixels, the limit of the 16-bit fields of a sample entry.
        let columns = try reader.unsigned("pic_width_in_mbs_minus1", max: 4_094) + 1
        let units = try reader.unsigned("pic_height_in_map_units_minus1", max: 2_046) + 1
        let framesOnly = try reader.flag()
        if !framesOnly { try reader.skip(1) }
        try reader.skip(1)
        let fields = framesOnly ? 1 : 2
        var crop = (left: 0, right: 0, top: 0, bottom: 0)
        if try reader.flag() {
            crop.left = try reader.unsigned("frame_crop_left_offset", max: 65_535)
            crop.right = try reader.unsigned("frame_crop_right_offset", max: 65_535)
            crop.top = try reader.unsigned("frame_crop_top_offset", max: 65_535)
            crop.bottom = try reader.unsigned("frame_crop_bottom_offset", max: 65_535)
        }
        let subsampled = !format.isSeparate
        let unitX = subsampled && (format.chroma == 1 || format.chroma == 2) ? 2 : 1
        let unitY = (subsampled && format.chroma == 1 ? 2 : 1) * fields
        width = columns * 16 - (crop.left + crop.right) * unitX
        height = units * 16 * fields - (crop.top + crop.bottom) * unitY
        mapUnits = columns * units
        macroblocks = mapUnits * fields
        isInterlaced = !framesOnly
        guard width > 0, height > 0 else {
            throw BitstreamError(reader.subject, .outOfRange(field: "frame cropping", value: Int64(min(width, height))))
        }
    }
}
