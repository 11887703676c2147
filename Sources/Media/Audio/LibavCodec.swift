import CLibav

/// One opened libav coder with its frame and packet. Used by one thread.
final class LibavCodec {
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?

    deinit {
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }

    private init?(_ codec: UnsafePointer<AVCodec>?, prepare: (UnsafeMutablePointer<AVCodecContext>) -> Void) {
        guard let codec, let context = avcodec_alloc_context3(codec) else { return nil }
        self.context = context
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        // One thread: these coders are light, and a pool of threads for each camera is not.
        context.pointee.thread_count = 1
        prepare(context)
        guard frame != nil, packet != nil, avcodec_open2(context, codec, nil) >= 0 else { return nil }
    }

    /// A decoder of audio; `configuration` is what its codec's container would tell (an AudioSpecificConfig for AAC).
    convenience init?(
        decoder id: AVCodecID, sampleRate: Int, channels: Int, bitsPerSample: Int, configuration: [UInt8] = []
    ) {
        self.init(avcodec_find_decoder(id)) { context in
            context.pointee.sample_rate = Int32(clamping: sampleRate)
            context.pointee.bits_per_coded_sample = Int32(clamping: bitsPerSample)
            av_channel_layout_default(&context.pointee.ch_layout, Int32(clamping: channels))
            guard !configuration.isEmpty,
                let extra = av_mallocz(configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
            else { return }
            extra.copyMemory(from: configuration, byteCount: configuration.count)
            context.pointee.extradata = extra.assumingMemoryBound(to: UInt8.self)
            context.pointee.extradata_size = Int32(clamping: configuration.count)
        }
    }

    /// An encoder of AAC-LC.
    convenience init?(aacSampleRate rate: Int, channels: Int) {
        self.init(avcodec_find_encoder(AV_CODEC_ID_AAC)) { context in
            context.pointee.sample_rate = Int32(clamping: rate)
            context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
            // Four bits a sample: clear speech at telephone rates, 64 kbit/s at 16 kHz.
            context.pointee.bit_rate = Int64(min(rate * 4, 64_000) * channels)
            context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: rate))
            context.pointee.flags |= 1 << 22  // AV_CODEC_FLAG_GLOBAL_HEADER, a macro that Swift does not see
            av_channel_layout_default(&context.pointee.ch_layout, Int32(clamping: channels))
        }
    }

    /// An encoder of Opus by libopus, in frames of 20 ms; nil where libav was built without it. libav's own one is unfinished.
    convenience init?(opusChannels channels: Int) {
        self.init(avcodec_find_encoder_by_name("libopus")) { context in
            context.pointee.sample_rate = 48_000
            context.pointee.sample_fmt = AV_SAMPLE_FMT_S16
            context.pointee.bit_rate = Int64(32_000 * channels)
            // Half of what is possible: chosen, not measured.
            context.pointee.compression_level = 5
            context.pointee.time_base = AVRational(num: 1, den: 48_000)
            av_channel_layout_default(&context.pointee.ch_layout, Int32(clamping: channels))
        }
    }

    /// Samples a second and channels of what was decoded last.
    var decoded: (sampleRate: Int, channels: Int) {
        (Int(context?.pointee.sample_rate ?? 0), Int(context?.pointee.ch_layout.nb_channels ?? 0))
    }

    /// The encoder's configuration for a container.
    var extradata: [UInt8] {
        guard let context, let bytes = context.pointee.extradata, context.pointee.extradata_size > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(context.pointee.extradata_size)))
    }

    /// Samples that the encoder puts before the first real one.
    var initialPadding: Int { Int(context?.pointee.initial_padding ?? 0) }

    /// Decodes `bytes` and appends its samples, interleaved. False when they cannot be decoded.
    func decode(_ bytes: UnsafeRawBufferPointer, into samples: inout [Int16]) -> Bool {
        guard let packet, let frame, av_new_packet(packet, Int32(clamping: bytes.count)) >= 0,
            let data = packet.pointee.data
        else { return false }
        defer { av_packet_unref(packet) }
        UnsafeMutableRawPointer(data).copyMemory(
            from: bytes.baseAddress ?? UnsafeRawPointer(data), byteCount: bytes.count)
        guard avcodec_send_packet(context, packet) >= 0 else { return false }
        while avcodec_receive_frame(context, frame) >= 0 {
            let count = Int(frame.pointee.nb_samples) * Int(frame.pointee.ch_layout.nb_channels)
            if frame.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue {
                interleave(frame, into: &samples)
                continue
            }
            guard frame.pointee.format == AV_SAMPLE_FMT_S16.rawValue, let data = frame.pointee.data.0 else { continue }
            UnsafeRawPointer(data).withMemoryRebound(to: Int16.self, capacity: count) {
                samples.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
            }
        }
        return true
    }

    /// Appends samples that lie in a plane for each channel, from -1 to 1.
    private func interleave(_ frame: UnsafeMutablePointer<AVFrame>, into samples: inout [Int16]) {
        let (count, channels) = (Int(frame.pointee.nb_samples), Int(frame.pointee.ch_layout.nb_channels))
        let begin = samples.count
        samples.append(contentsOf: repeatElement(0, count: count * channels))
        for channel in 0..<channels {
            guard let plane = frame.pointee.extended_data[channel] else { return }
            UnsafeMutableRawPointer(plane).withMemoryRebound(to: Float.self, capacity: count) { source in
                for index in 0..<count {
                    // What is no number becomes the upper bound.
                    samples[begin + index * channels + channel] = Int16(
                        max(-32_768, min(32_767, source[index] * 32_768)))
                }
            }
        }
    }

    /// Hands interleaved samples to the encoder as one frame; false where it does not take them.
    @discardableResult
    func encode(_ samples: ArraySlice<Int16>, channels: Int, pts: Int64) -> Bool {
        guard let frame, let context else { return false }
        frame.pointee.nb_samples = Int32(clamping: samples.count / channels)
        frame.pointee.format = context.pointee.sample_fmt.rawValue
        frame.pointee.sample_rate = context.pointee.sample_rate
        frame.pointee.pts = pts
        av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout)
        defer { av_frame_unref(frame) }
        guard av_frame_get_buffer(frame, 0) >= 0 else { return false }
        if context.pointee.sample_fmt == AV_SAMPLE_FMT_S16 {
            guard let data = frame.pointee.data.0 else { return false }
            samples.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: data, count: $0.count).copyMemory(from: $0) }
        } else if !spread(samples, channels, frame) {
            return false
        }
        return avcodec_send_frame(context, frame) >= 0
    }

    /// Writes interleaved samples into a plane for each channel, from -1 to 1.
    private func spread(
        _ samples: ArraySlice<Int16>, _ channels: Int, _ frame: UnsafeMutablePointer<AVFrame>
    ) -> Bool {
        for channel in 0..<channels {
            guard let plane = frame.pointee.extended_data[channel] else { return false }
            let count = samples.count / channels
            UnsafeMutableRawPointer(plane).withMemoryRebound(to: Float.self, capacity: count) { target in
                for index in 0..<count {
                    target[index] = Float(samples[samples.startIndex + index * channels + channel]) / 32768
                }
            }
        }
        return true
    }

    /// No more samples will come.
    func finishEncoding() { _ = avcodec_send_frame(context, nil) }

    /// Hands out the packets that are ready.
    func receive(_ body: (UnsafeRawBufferPointer, Int64) -> Void) {
        guard let packet else { return }
        while avcodec_receive_packet(context, packet) >= 0 {
            body(
                UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)), packet.pointee.pts)
            av_packet_unref(packet)
        }
    }
}
