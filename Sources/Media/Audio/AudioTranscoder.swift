import CLibav
import Machines

/// Sound that clips cannot hold: how it is coded, and how to open what turns it into AAC.
struct SampleSound: Hashable {
    let codec: AVCodecID
    /// Samples a second and channel.
    let sampleRate: Int
    let channels: Int
    /// Of G.726; 0 for the others.
    let bitsPerSample: Int

    /// What one packet of it needs of its receiver; nil where no track is made of it as it comes (files of other orders of bytes).
    var parameters: TrackParameters? {
        let codec: TrackCodec
        switch self.codec {
        case AV_CODEC_ID_PCM_MULAW: codec = .pcmu
        case AV_CODEC_ID_PCM_ALAW: codec = .pcma
        case AV_CODEC_ID_PCM_S16BE: codec = .l16
        case AV_CODEC_ID_ADPCM_G726LE: codec = .g726
        default: return nil
        }
        return TrackParameters(
            kind: .audio, codec: codec, codecConfiguration: codec == .g726 ? [UInt8(clamping: bitsPerSample)] : [],
            sampleRate: sampleRate, channels: channels, timescale: Int32(clamping: sampleRate))
    }

    /// Samples that `bytes` of it hold per channel.
    func samples(bytes: Int) -> Int {
        switch codec {
        case AV_CODEC_ID_PCM_S16BE, AV_CODEC_ID_PCM_S16LE: bytes / 2 / max(1, channels)
        case AV_CODEC_ID_ADPCM_G726, AV_CODEC_ID_ADPCM_G726LE: bytes * 8 / max(1, bitsPerSample) / max(1, channels)
        default: bytes / max(1, channels)
        }
    }

    /// A coder that begins anew; nil when AAC has no such rate, or libav lacks a part.
    func transcoder() -> AudioTranscoder? {
        AudioTranscoder(codec: codec, sampleRate: sampleRate, channels: channels, bitsPerSample: bitsPerSample)
    }
}

/// Turns G.711, G.726 and linear PCM into AAC-LC at the same sample rate. Owned by one input, used by its thread.
///
/// Its output is exact in time (`SampleEncoder`).
final class AudioTranscoder {
    /// Samples of an AAC frame.
    static let frameSamples = 1024

    let parameters: TrackParameters
    /// What it takes.
    let source: SampleSound
    private let decoder: LibavCodec
    private let encoder: SampleEncoder
    private let channels: Int
    /// The samples of the last decoded packet, interleaved.
    private var decoded: [Int16] = []
    private var isFlushed = false

    /// `codec` with `sampleRate` a second; nil when AAC has no such rate, or libav lacks a part.
    init?(codec: AVCodecID, sampleRate: Int, channels: Int, bitsPerSample: Int = 0) {
        let rates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]
        guard rates.contains(sampleRate), (1...2).contains(channels) else { return nil }
        guard
            let decoder = LibavCodec(
                decoder: codec, sampleRate: sampleRate, channels: channels, bitsPerSample: bitsPerSample),
            let aac = LibavCodec(aacSampleRate: sampleRate, channels: channels)
        else { return nil }
        source = SampleSound(
            codec: codec, sampleRate: sampleRate, channels: channels, bitsPerSample: bitsPerSample)
        self.decoder = decoder
        self.channels = channels
        encoder = SampleEncoder(
            aac, sampleRate: sampleRate, channels: channels, frameSamples: AudioTranscoder.frameSamples)
        parameters = TrackParameters(
            kind: .audio, codec: .aac, codecConfiguration: aac.extradata, sampleRate: sampleRate,
            channels: channels, timescale: Int32(clamping: sampleRate), primingSamples: aac.initialPadding)
    }

    /// Decodes one packet; how many samples it has per channel, nil when it has none.
    func decode(_ bytes: UnsafeRawBufferPointer) -> Int? {
        decoded.removeAll(keepingCapacity: true)
        guard decoder.decode(bytes, into: &decoded), decoded.count >= channels else { return nil }
        return decoded.count / channels
    }

    /// Makes silence of the packet that was decoded last.
    func silence() { for index in decoded.indices { decoded[index] = 0 } }

    /// Encodes the packet that was decoded last, whose first sample is at `pts`. `emit`: an AAC frame, its time, its duration.
    func encode(pts: Int64, emit: (UnsafeRawBufferPointer, Int64, Int64) -> Void) {
        encoder.encode(decoded[...], pts: pts, emit: emit)
    }

    /// Ends the stream.
    func flush(emit: (UnsafeRawBufferPointer, Int64, Int64) -> Void) {
        guard !isFlushed else { return }
        isFlushed = true
        encoder.finish(emit: emit)
    }
}
