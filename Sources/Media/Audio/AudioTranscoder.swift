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
/// Its output is exact: AAC frame n begins 1024 · n samples after the anchor, less the encoder's priming, however long
/// it runs. A small hole in the input is filled with silence; a larger one ends the run with silence up to a whole frame
/// and begins a new anchor, so that it stays a hole in time.
final class AudioTranscoder {
    /// Holes up to this many milliseconds are filled, and so much overlap is borne.
    static let fillMs: Int64 = 100
    /// Samples of an AAC frame.
    static let frameSamples = 1024

    let parameters: TrackParameters
    /// What it takes.
    let source: SampleSound
    private let decoder: LibavCodec
    private let encoder: LibavCodec
    private let channels: Int
    private let rate: Int64
    /// The samples of the last decoded packet, interleaved.
    private var decoded: [Int16] = []
    /// Samples that wait for a whole frame, interleaved.
    private var waiting: [Int16] = []
    /// Time of the first waiting sample.
    private var waitingPts: Int64?
    private var isFlushed = false

    /// `codec` with `sampleRate` a second; nil when AAC has no such rate, or libav lacks a part.
    init?(codec: AVCodecID, sampleRate: Int, channels: Int, bitsPerSample: Int = 0) {
        let rates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350]
        guard rates.contains(sampleRate), (1...2).contains(channels) else { return nil }
        guard
            let decoder = LibavCodec(
                decoder: codec, sampleRate: sampleRate, channels: channels, bitsPerSample: bitsPerSample),
            let encoder = LibavCodec(aacSampleRate: sampleRate, channels: channels)
        else { return nil }
        source = SampleSound(
            codec: codec, sampleRate: sampleRate, channels: channels, bitsPerSample: bitsPerSample)
        self.decoder = decoder
        self.encoder = encoder
        self.channels = channels
        rate = Int64(sampleRate)
        parameters = TrackParameters(
            kind: .audio, codec: .aac, codecConfiguration: encoder.extradata, sampleRate: sampleRate,
            channels: channels, timescale: Int32(clamping: sampleRate), primingSamples: encoder.initialPadding)
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
        let bound = rate * AudioTranscoder.fillMs / 1000
        if let waitingPts {
            let next = waitingPts + Int64(waiting.count / channels)
            let hole = pts - next
            if hole > bound {
                pad()
                send(emit)
                self.waitingPts = pts
            } else if hole > 0 {
                waiting.append(contentsOf: repeatElement(0, count: Int(hole) * channels))
            } else if -hole > bound {
                // The camera sends more sound than time passes; what is over is cut, or it would lag ever more.
                decoded.removeFirst(min(decoded.count, Int(-hole) * channels))
            }
        } else {
            waitingPts = pts
        }
        waiting.append(contentsOf: decoded)
        send(emit)
    }

    /// Ends the stream.
    func flush(emit: (UnsafeRawBufferPointer, Int64, Int64) -> Void) {
        guard !isFlushed else { return }
        isFlushed = true
        pad()
        send(emit)
        encoder.finishEncoding()
        receive(emit)
    }

    private func pad() {
        let rest = waiting.count % (AudioTranscoder.frameSamples * channels)
        if rest > 0 {
            waiting.append(contentsOf: repeatElement(0, count: AudioTranscoder.frameSamples * channels - rest))
        }
    }

    private func send(_ emit: (UnsafeRawBufferPointer, Int64, Int64) -> Void) {
        let size = AudioTranscoder.frameSamples * channels
        var begin = 0
        while waiting.count - begin >= size, let pts = waitingPts {
            encoder.encode(waiting[begin..<begin + size], channels: channels, pts: pts)
            waitingPts = pts + Int64(AudioTranscoder.frameSamples)
            begin += size
            receive(emit)
        }
        waiting.removeFirst(begin)
    }

    private func receive(_ emit: (UnsafeRawBufferPointer, Int64, Int64) -> Void) {
        encoder.receive { bytes, pts in emit(bytes, pts, Int64(AudioTranscoder.frameSamples)) }
    }
}
