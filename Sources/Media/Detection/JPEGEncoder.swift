import CLibav

/// Writes a decoded picture as JPEG with libav's encoder.
enum JPEGEncoder {
    /// The picture inside of the bounds, as bytes of a JPEG file; nil when it cannot be made. `aspect`: width of a pixel by its height.
    static func encode(
        _ picture: UnsafeMutablePointer<AVFrame>, aspect: Double, options: SnapshotOptions
    ) -> [UInt8]? {
        let size = PictureScaler.size(
            width: Int(picture.pointee.width), height: Int(picture.pointee.height), aspect: aspect,
            widthMax: options.widthMax, heightMax: options.heightMax)
        var frame = av_frame_alloc()
        var packet = av_packet_alloc()
        guard let codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG) else { return nil }
        var context = avcodec_alloc_context3(codec)
        defer {
            av_frame_free(&frame)
            av_packet_free(&packet)
            avcodec_free_context(&context)
        }
        guard let frame, let packet, let context else { return nil }
        context.pointee.width = Int32(size.width)
        context.pointee.height = Int32(size.height)
        context.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
        context.pointee.color_range = AVCOL_RANGE_JPEG
        context.pointee.time_base = AVRational(num: 1, den: 25)
        context.pointee.thread_count = 1
        context.pointee.flags |= vigil_codec_flag_qscale
        context.pointee.global_quality = vigil_qp_to_lambda * Int32(min(31, max(1, options.quantizer)))
        guard avcodec_open2(context, codec, nil) >= 0 else { return nil }
        frame.pointee.format = AV_PIX_FMT_YUVJ420P.rawValue
        frame.pointee.width = Int32(size.width)
        frame.pointee.height = Int32(size.height)
        frame.pointee.color_range = AVCOL_RANGE_JPEG
        frame.pointee.quality = context.pointee.global_quality
        guard av_frame_get_buffer(frame, 0) >= 0, PictureScaler.scale(picture, into: frame),
            avcodec_send_frame(context, frame) >= 0, avcodec_send_frame(context, nil) >= 0,
            avcodec_receive_packet(context, packet) >= 0, let data = packet.pointee.data
        else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: Int(packet.pointee.size)))
    }
}
