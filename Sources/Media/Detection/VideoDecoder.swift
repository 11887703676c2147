import CLibav

/// Decodes H.264 and H.265 with one thread. Pictures stay in libav's memory and are valid only inside of the callback.
final class VideoDecoder {
    /// A decoded picture in libav's memory.
    typealias Picture = UnsafeMutablePointer<AVFrame>

    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?

    deinit {
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }

    /// A decoder for a stream whose frames are NAL units behind four-byte lengths. nil when libav has none, or does not
    /// like the configuration, or decoding it would take more than `DecoderNeed` allows. `fast`: leaves out what costs much and shows little.
    init?(_ configuration: CodecConfiguration, fast: Bool) {
        guard DecoderNeed(configuration)?.isAllowed ?? false else { return nil }
        let id: AVCodecID
        let record: [UInt8]
        switch configuration {
        case .h264(let h264): (id, record) = (AV_CODEC_ID_H264, h264.record)
        case .h265(let h265): (id, record) = (AV_CODEC_ID_HEVC, h265.record)
        case .aac, .opus: return nil
        }
        LibavProcess.prepare()
        guard let codec = avcodec_find_decoder(id), let context = avcodec_alloc_context3(codec) else { return nil }
        self.context = context
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
        guard frame != nil, packet != nil, let extra = av_mallocz(record.count + padding) else { return nil }
        record.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { extra.copyMemory(from: base, byteCount: bytes.count) }
        }
        context.pointee.extradata = extra.assumingMemoryBound(to: UInt8.self)
        context.pointee.extradata_size = Int32(clamping: record.count)
        // One thread: the cameras share the pool's threads, and more threads would delay pictures.
        context.pointee.thread_count = 1
        // Also where the stream says otherwise later on.
        context.pointee.max_pixels = Int64(DecoderNeed.pixelsMax)
        context.pointee.pkt_timebase = AVRational(num: 1, den: 90_000)
        if fast {
            context.pointee.skip_loop_filter = AVDISCARD_ALL
            context.pointee.flags2 |= vigil_codec_flag2_fast
        }
        guard avcodec_open2(context, codec, nil) >= 0 else { return nil }
    }

    /// Whether pictures that no other one refers to are left out.
    var skipsUnreferenced = false {
        didSet { context?.pointee.skip_frame = skipsUnreferenced ? AVDISCARD_NONREF : AVDISCARD_DEFAULT }
    }

    /// Decodes a frame and hands out the pictures that are ready. False when it cannot be decoded.
    func decode(
        _ bytes: UnsafeRawBufferPointer, pts: Int64, isKey: Bool, each: (UnsafeMutablePointer<AVFrame>) -> Void
    ) -> Bool {
        guard let packet, let base = bytes.baseAddress, av_new_packet(packet, Int32(clamping: bytes.count)) >= 0,
            let data = packet.pointee.data
        else { return false }
        defer { av_packet_unref(packet) }
        UnsafeMutableRawPointer(data).copyMemory(from: base, byteCount: bytes.count)
        packet.pointee.pts = pts
        packet.pointee.flags = isKey ? vigil_packet_flag_key : 0
        let code = avcodec_send_packet(context, packet)
        receive(each)
        return code >= 0
    }

    /// Hands out the pictures that the decoder still holds; the next frame must be a key frame.
    func drain(each: (UnsafeMutablePointer<AVFrame>) -> Void) {
        _ = avcodec_send_packet(context, nil)
        receive(each)
        avcodec_flush_buffers(context)
    }

    /// Forgets everything; the next frame must be a key frame.
    func flush() { avcodec_flush_buffers(context) }

    private func receive(_ each: (UnsafeMutablePointer<AVFrame>) -> Void) {
        guard let frame else { return }
        while avcodec_receive_frame(context, frame) >= 0 {
            each(frame)
            av_frame_unref(frame)
        }
    }
}
