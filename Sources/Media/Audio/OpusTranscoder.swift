import CLibav
import Machines

/// Turns a camera's sound into Opus at 48 kHz, in packets of 20 ms, as WebRTC takes it. Used by one thread.
///
/// Its output is exact in time (`SampleEncoder`). More than two channels become two.
final class OpusTranscoder {
    /// Ticks and samples a second.
    static let sampleRate = 48_000
    /// Samples of a packet.
    static let frameSamples = 960
    /// A packet of the camera that holds more is left out, in milliseconds: nobody sends such sound live.
    static let packetMsMax: Int64 = 1_000
    /// Times in other ticks are rounded, and the resampler hands over a little later: that is no hole.
    private static let slackMs: Int64 = 10

    /// Whether libav has an encoder.
    static let isAvailable = avcodec_find_encoder_by_name("libopus") != nil

    private let timescale: Int64
    private let channels: Int
    private let decoder: LibavCodec
    private let encoder: SampleEncoder
    private var resampler: Resampler?
    /// What the resampler takes; a decoder may find more in its stream than was described (AAC with SBR or PS).
    private var decodedAs = (sampleRate: sampleRate, channels: 0)
    private var decoded: [Int16] = []
    private var resampled: [Int16] = []

    /// The track that is made of sound with these parameters.
    static func parameters(of source: TrackParameters?) -> TrackParameters {
        let channels = max(1, min(2, source?.channels ?? 1))
        return TrackParameters(
            kind: .audio, codec: .opus, codecConfiguration: OpusPacket.head(channels: channels), sampleRate: sampleRate,
            channels: channels, timescale: Int32(clamping: sampleRate))
    }

    /// One that begins anew; nil where there is no such sound, or libav lacks a part.
    init?(_ source: TrackParameters) {
        guard let codec = Self.decoder(of: source.codec), source.channels > 0, source.sampleRate > 0,
            source.timescale > 0
        else { return nil }
        LibavProcess.prepare()
        channels = Self.parameters(of: source).channels
        timescale = Int64(source.timescale)
        let bits = source.codec == .g726 ? Int(source.codecConfiguration.first ?? 0) : 0
        guard
            let decoder = LibavCodec(
                decoder: codec, sampleRate: source.sampleRate, channels: source.channels,
                bitsPerSample: bits, configuration: source.codec == .aac ? source.codecConfiguration : []),
            let opus = LibavCodec(opusChannels: channels)
        else { return nil }
        self.decoder = decoder
        encoder = SampleEncoder(
            opus, sampleRate: Self.sampleRate, channels: channels, frameSamples: Self.frameSamples,
            slackMs: Self.slackMs)
    }

    /// What decodes it; nil for Opus, of which nothing is to be made, and for video.
    private static func decoder(of codec: TrackCodec) -> AVCodecID? {
        switch codec {
        case .aac: AV_CODEC_ID_AAC
        case .pcmu: AV_CODEC_ID_PCM_MULAW
        case .pcma: AV_CODEC_ID_PCM_ALAW
        case .l16: AV_CODEC_ID_PCM_S16BE
        case .g726: AV_CODEC_ID_ADPCM_G726LE
        case .opus, .h264, .h265: nil
        }
    }

    /// Turns a packet whose first sample is at `pts` ticks of the source. `emit`: a packet of Opus and its time in ticks of 48 kHz.
    /// False where the packet cannot be decoded, or the encoder takes nothing.
    func take(_ bytes: UnsafeRawBufferPointer, pts: Int64, emit: (UnsafeRawBufferPointer, Int64) -> Void) -> Bool {
        decoded.removeAll(keepingCapacity: true)
        guard decoder.decode(bytes, into: &decoded), !decoded.isEmpty else { return false }
        let form = decoder.decoded
        let samples = form.channels > 0 ? decoded.count / form.channels : 0
        guard form.sampleRate > 0, samples > 0,
            Int64(samples) * 1_000 <= Int64(form.sampleRate) * Self.packetMsMax, resample(form)
        else { return false }
        return encoder.encode(resampled[...], pts: pts.scaled(Int64(Self.sampleRate), timescale)) { bytes, pts, _ in
            emit(bytes, pts)
        }
    }

    /// Brings what was decoded to 48 kHz; false where that cannot be done.
    private func resample(_ form: (sampleRate: Int, channels: Int)) -> Bool {
        if form != decodedAs {
            decodedAs = form
            resampler = Resampler(
                fromRate: form.sampleRate, channels: form.channels, toRate: Self.sampleRate, toChannels: channels)
        }
        guard let resampler else { return false }
        resampled.removeAll(keepingCapacity: true)
        resampler.convert(decoded, into: &resampled)
        return true
    }
}
