import CLibav

/// Encodes the demo picture with whatever H.264 encoder libav has, cheaply and without B frames.
final class DemoEncoder {
    private static let names = ["libx264", "libopenh264"]
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private let keyDistance: Int64

    deinit {
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }

    /// nil when libav has no H.264 encoder.
    init?(_ options: DemoOptions) {
        keyDistance = Int64(options.framesPerSecond * options.keySeconds)
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        let candidates = DemoEncoder.names.compactMap { avcodec_find_encoder_by_name($0) }
        let last = avcodec_find_encoder(AV_CODEC_ID_H264).map { [$0] } ?? []
        guard frame != nil, packet != nil else { return nil }
        for codec in candidates + last {
            guard let opened = DemoEncoder.open(codec, options) else { continue }
            context = opened
            return
        }
        return nil
    }

    private static func open(
        _ codec: UnsafePointer<AVCodec>, _ options: DemoOptions
    ) -> UnsafeMutablePointer<AVCodecContext>? {
        guard let context = avcodec_alloc_context3(codec) else { return nil }
        context.pointee.width = Int32(options.width)
        context.pointee.height = Int32(options.height)
        context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
        context.pointee.time_base = AVRational(num: 1, den: Int32(options.framesPerSecond))
        context.pointee.framerate = AVRational(num: Int32(options.framesPerSecond), den: 1)
        context.pointee.gop_size = Int32(options.framesPerSecond * options.keySeconds)
        context.pointee.max_b_frames = 0
        context.pointee.thread_count = 1
        context.pointee.bit_rate = 1_000_000
        var settings: OpaquePointer?
        defer { av_dict_free(&settings) }
        av_dict_set(&settings, "preset", "ultrafast", 0)
        av_dict_set(&settings, "tune", "zerolatency", 0)
        av_dict_set(&settings, "crf", "24", 0)
        av_dict_set(&settings, "x264-params", "scenecut=0:repeat-headers=1", 0)
        if avcodec_open2(context, codec, &settings) >= 0 { return context }
        var unopened: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&unopened)
        return nil
    }

    /// Draws and encodes picture `number`. `emit`: an access unit as a byte stream.
    func encode(
        _ number: Int64, draw: (UnsafeMutablePointer<AVFrame>) -> Void, emit: (UnsafeRawBufferPointer, Int64) -> Void
    ) {
        guard let context, let frame, let packet else { return }
        frame.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        frame.pointee.width = context.pointee.width
        frame.pointee.height = context.pointee.height
        if frame.pointee.buf.0 == nil { guard av_frame_get_buffer(frame, 0) >= 0 else { return } }
        guard av_frame_make_writable(frame) >= 0 else { return }
        draw(frame)
        frame.pointee.pts = number
        frame.pointee.pict_type = number % keyDistance == 0 ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        guard avcodec_send_frame(context, frame) >= 0 else { return }
        while avcodec_receive_packet(context, packet) >= 0 {
            emit(
                UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)), packet.pointee.pts)
            av_packet_unref(packet)
        }
    }
}
