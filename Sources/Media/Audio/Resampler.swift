import CLibav

/// Gives sound another number of samples a second, and other channels. Used by one thread.
final class Resampler {
    private var context: OpaquePointer?
    private let channels: Int
    private let toChannels: Int

    /// From interleaved samples of `channels` to those of `toChannels`; nil where libav refuses.
    init?(fromRate: Int, channels: Int, toRate: Int, toChannels: Int = 1) {
        (self.channels, self.toChannels) = (channels, toChannels)
        var (from, to) = (AVChannelLayout(), AVChannelLayout())
        av_channel_layout_default(&from, Int32(clamping: channels))
        av_channel_layout_default(&to, Int32(clamping: toChannels))
        let code = swr_alloc_set_opts2(
            &context, &to, AV_SAMPLE_FMT_S16, Int32(clamping: toRate), &from, AV_SAMPLE_FMT_S16,
            Int32(clamping: fromRate), 0, nil)
        guard code >= 0, channels > 0, toChannels > 0, swr_init(context) >= 0 else { return nil }
    }

    deinit { swr_free(&context) }

    /// Appends what becomes of `samples`.
    func convert(_ samples: [Int16], into converted: inout [Int16]) {
        let count = Int32(clamping: samples.count / channels)
        let room = swr_get_out_samples(context, count)
        guard count > 0, room > 0 else { return }
        let made = [Int16](unsafeUninitializedCapacity: Int(room) * toChannels) { buffer, filled in
            var target = UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            filled = samples.withUnsafeBytes { bytes in
                var source = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return max(0, Int(swr_convert(context, &target, room, &source, count))) * toChannels
            }
        }
        converted += made
    }
}
