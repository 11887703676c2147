import CLibav

/// Gives sound another number of samples a second, and one channel. Used by one thread.
final class Resampler {
    private var context: OpaquePointer?
    private let channels: Int

    /// From interleaved samples of `channels` to those of one; nil where libav refuses.
    init?(fromRate: Int, channels: Int, toRate: Int) {
        self.channels = channels
        var (from, to) = (AVChannelLayout(), AVChannelLayout())
        av_channel_layout_default(&from, Int32(clamping: channels))
        av_channel_layout_default(&to, 1)
        let code = swr_alloc_set_opts2(
            &context, &to, AV_SAMPLE_FMT_S16, Int32(clamping: toRate), &from, AV_SAMPLE_FMT_S16,
            Int32(clamping: fromRate), 0, nil)
        guard code >= 0, channels > 0, swr_init(context) >= 0 else { return nil }
    }

    deinit { swr_free(&context) }

    /// Appends what becomes of `samples`.
    func convert(_ samples: [Int16], into converted: inout [Int16]) {
        let count = Int32(clamping: samples.count / channels)
        let room = swr_get_out_samples(context, count)
        guard count > 0, room > 0 else { return }
        let made = [Int16](unsafeUninitializedCapacity: Int(room)) { buffer, filled in
            var target = UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            filled = samples.withUnsafeBytes { bytes in
                var source = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return max(0, Int(swr_convert(context, &target, room, &source, count)))
            }
        }
        converted += made
    }
}
