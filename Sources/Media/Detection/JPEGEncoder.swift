import CLibav

/// Writes a decoded picture as JPEG with libav's encoder.
enum JPEGEncoder {
    /// The picture inside of the bounds, as bytes of a JPEG file; nil when it cannot be made. `aspect`: width of a pixel by its height;
    /// `rotation`: how it is turned.
    static func encode(
        _ picture: UnsafeMutablePointer<AVFrame>, aspect: Double, rotation: PictureRotation, options: SnapshotOptions
    ) -> [UInt8]? {
        let size = PictureScaler.size(of: picture, aspect: aspect, rotation: rotation, options: options)
        guard let target = PictureFrame(width: size.width, height: size.height),
            PictureScaler.scale(picture, into: target.frame, rotation: rotation, viewport: options.viewport)
        else { return nil }
        return encode(target, quantizer: options.quantizer)
    }

    /// The picture as bytes of a JPEG file, coarser with a higher `quantizer` (1…31); nil when it cannot be made.
    static func encode(_ picture: PictureFrame, quantizer: Int) -> [UInt8]? {
        var packet = av_packet_alloc()
        guard let codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG) else { return nil }
        var context = avcodec_alloc_context3(codec)
        defer {
            av_packet_free(&packet)
            avcodec_free_context(&context)
        }
        guard let packet, let context else { return nil }
        context.pointee.width = Int32(clamping: picture.width)
        context.pointee.height = Int32(clamping: picture.height)
        context.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
        context.pointee.color_range = AVCOL_RANGE_JPEG
        context.pointee.time_base = AVRational(num: 1, den: 25)
        context.pointee.thread_count = 1
        context.pointee.flags |= vigil_codec_flag_qscale
        // 1…31.
        context.pointee.global_quality = vigil_qp_to_lambda * Int32(min(31, max(1, quantizer)))
        guard avcodec_open2(context, codec, nil) >= 0 else { return nil }
        picture.frame.pointee.quality = context.pointee.global_quality
        guard avcodec_send_frame(context, picture.frame) >= 0, avcodec_send_frame(context, nil) >= 0,
            avcodec_receive_packet(context, packet) >= 0, let data = packet.pointee.data
        else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: Int(packet.pointee.size)))
    }
}
