import CLibav

/// Encodes pictures as H.264 that every browser plays: 8 bits, 4:2:0, no B frames, one thread. The caller says where key frames are.
final class PictureEncoder {
    /// An access unit.
    struct Unit {
        /// Its NAL units, each behind its length in four bytes.
        let bytes: [UInt8]
        let pts: Int64
        let isKey: Bool
    }

    /// Which library encodes; its name in libav.
    static let codecName = "libx264"
    /// Pictures that it holds: those that it looks ahead at (10 with its preset), those that are referred to, the one it makes.
    private static let picturesHeld = 16
    /// Bytes that it takes for a pixel of each: luma four times over (as it is, and between the pixels), chroma, and what it found.
    private static let pixelBytes = 6

    /// The most memory that an encoder of pictures of this height takes, in bytes, be they twice as wide as high.
    static func bytesMax(height: Int) -> Int { 2 * height * height * pixelBytes * picturesHeld }

    let configuration: CodecConfiguration
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private let target: PictureFrame
    private let rotation: PictureRotation

    deinit {
        avcodec_free_context(&context)
        av_packet_free(&packet)
    }

    /// An encoder of pictures like `sample`.
    ///
    /// - Parameters:
    ///   - aspect: width of a pixel by its height; its own are square.
    ///   - timescale: ticks a second of all times.
    ///   - ratePerMille: pictures in a thousand seconds, about.
    /// - Throws: `ClipEncodingError` where libav has no such encoder, or it refuses.
    init(
        _ rendition: Rendition, like sample: VideoDecoder.Picture, aspect: Double, rotation: PictureRotation,
        timescale: UInt32, ratePerMille: UInt64
    ) throws(ClipEncodingError) {
        let size = PictureScaler.size(
            width: Int(sample.pointee.width), height: Int(sample.pointee.height), aspect: aspect, widthMax: 8_192,
            heightMax: rendition.heightMax)
        guard let codec = avcodec_find_encoder_by_name(Self.codecName),
            let target = PictureFrame(size.width, size.height)
        else {
            throw ClipEncodingError(
                "libavcodec has no \(Self.codecName); install the one of Debian, or name a remote encoder (cloud.encoder)"
            )
        }
        (self.target, self.rotation) = (target, rotation)
        let opened = Self.open(codec, rendition, sample, size, timescale, ratePerMille)
        guard let opened, let extra = opened.pointee.extradata, opened.pointee.extradata_size > 0,
            let configuration = try? CodecConfiguration(
                .h264, parameterSets: UnsafeRawBufferPointer(start: extra, count: Int(opened.pointee.extradata_size)))
        else {
            var unused = opened
            avcodec_free_context(&unused)
            throw ClipEncodingError("\(Self.codecName) does not encode \(size.width)x\(size.height)")
        }
        self.configuration = configuration
        context = opened
        packet = av_packet_alloc()
    }

    private static func open(
        _ codec: UnsafePointer<AVCodec>, _ rendition: Rendition, _ sample: VideoDecoder.Picture,
        _ size: (width: Int, height: Int), _ timescale: UInt32, _ ratePerMille: UInt64
    ) -> UnsafeMutablePointer<AVCodecContext>? {
        guard let context = avcodec_alloc_context3(codec) else { return nil }
        context.pointee.width = Int32(clamping: size.width)
        context.pointee.height = Int32(clamping: size.height)
        context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
        context.pointee.color_range = AVCOL_RANGE_MPEG
        context.pointee.color_primaries = sample.pointee.color_primaries
        context.pointee.color_trc = sample.pointee.color_trc
        context.pointee.colorspace = sample.pointee.colorspace
        context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: max(timescale, 1)))
        context.pointee.framerate = AVRational(num: Int32(clamping: max(ratePerMille, 1)), den: 1_000)
        // Key frames come when they are asked for, at the same pictures in every rendition.
        context.pointee.gop_size = 1 << 30
        context.pointee.max_b_frames = 0
        context.pointee.thread_count = 1
        let bits = Int64(rendition.kilobits) * 1_000
        context.pointee.bit_rate = bits
        context.pointee.rc_max_rate = bits * 3 / 2
        context.pointee.rc_buffer_size = Int32(clamping: bits * 2)
        context.pointee.flags |= 1 << 22  // AV_CODEC_FLAG_GLOBAL_HEADER, a macro that Swift does not see
        var settings: OpaquePointer?
        defer { av_dict_free(&settings) }
        av_dict_set(&settings, "preset", "veryfast", 0)
        av_dict_set(&settings, "profile", "high", 0)
        av_dict_set(&settings, "forced-idr", "1", 0)
        av_dict_set(&settings, "x264-params", "scenecut=0", 0)
        if avcodec_open2(context, codec, &settings) >= 0 { return context }
        var unopened: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&unopened)
        return nil
    }

    /// Encodes a picture, whose time is after those before. `emit`: an access unit that is ready, in order.
    ///
    /// - Throws: `ClipEncodingError` where its form is not understood, or the encoder fails.
    func encode(
        _ picture: VideoDecoder.Picture, pts: Int64, isKey: Bool, emit: (Unit) throws -> Void
    ) throws {
        let frame = target.frame
        guard av_frame_make_writable(frame) >= 0,
            PictureScaler.scale(picture, into: frame, rotation: rotation, toFull: false)
        else { throw ClipEncodingError("the form of its pictures is not understood") }
        frame.pointee.pts = pts
        frame.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        guard avcodec_send_frame(context, frame) >= 0 else { throw ClipEncodingError("\(Self.codecName) failed") }
        try receive(emit)
    }

    /// Gives what the encoder still holds; nothing may be encoded after it.
    func finish(emit: (Unit) throws -> Void) throws {
        guard avcodec_send_frame(context, nil) >= 0 else { throw ClipEncodingError("\(Self.codecName) failed") }
        try receive(emit)
    }

    private func receive(_ emit: (Unit) throws -> Void) throws {
        guard let packet else { return }
        while avcodec_receive_packet(context, packet) >= 0 {
            defer { av_packet_unref(packet) }
            let data = UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
            var bytes: [UInt8] = []
            bytes.reserveCapacity(data.count + 16)
            AnnexB.appendLengthPrefixed(data, to: &bytes)
            let isKey = packet.pointee.flags & vigil_packet_flag_key != 0
            try emit(Unit(bytes: bytes, pts: packet.pointee.pts, isKey: isKey))
        }
    }
}

extension PictureFrame {
    /// A picture with room at both ends of its values, as video has it.
    fileprivate convenience init?(_ width: Int, _ height: Int) {
        self.init(width: width, height: height)
        frame.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        frame.pointee.color_range = AVCOL_RANGE_MPEG
    }
}
