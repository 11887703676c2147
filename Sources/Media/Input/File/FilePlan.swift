import CLibav
import Machines

/// How a stream of a file is turned into frames.
enum FilePlan {
    /// `lengthBytes`: how many bytes give a NAL unit's length; nil where start codes divide them.
    case video(TrackCodec, ParameterSetStore, lengthBytes: Int?)
    case copied(TrackParameters, isADTS: Bool)
    case transcoded(AudioTranscoder)

    static func kind(_ type: AVMediaType) -> TrackKind? {
        switch type {
        case AVMEDIA_TYPE_VIDEO: .video
        case AVMEDIA_TYPE_AUDIO: .audio
        default: nil
        }
    }

    var kind: TrackKind {
        switch self {
        case .video: .video
        case .copied, .transcoded: .audio
        }
    }

    var parameters: TrackParameters? {
        switch self {
        case .video(let codec, let sets, _): VideoTrack.parameters(codec, sets)
        case .copied(let parameters, _): parameters
        case .transcoded(let transcoder): transcoder.parameters
        }
    }

    var clock: Timeline.Clock {
        Timeline.Clock(kind: kind, timescale: parameters?.timescale ?? VideoTrack.timescale, bits: 64)
    }

    /// The plan for a stream; nil when its codec is not stored.
    init?(_ stream: AVCodecParameters) {
        let extra =
            stream.extradata.map { Array(UnsafeBufferPointer(start: $0, count: max(0, Int(stream.extradata_size)))) }
            ?? []
        let rate = Int(stream.sample_rate)
        let channels = Int(stream.ch_layout.nb_channels)
        switch stream.codec_id {
        case AV_CODEC_ID_H264, AV_CODEC_ID_HEVC:
            let codec: TrackCodec = stream.codec_id == AV_CODEC_ID_HEVC ? .h265 : .h264
            let (units, lengthBytes) = FilePlan.units(extra, codec)
            var sets = ParameterSetStore(codec: codec)
            for unit in units { unit.withUnsafeBytes { _ = sets.take($0) } }
            self = .video(codec, sets, lengthBytes: lengthBytes)
        case AV_CODEC_ID_AAC:
            let isADTS = extra.isEmpty
            let made = AACConfiguration.bytes(objectType: 2, sampleRate: rate, channels: channels)
            guard rate > 0, let configuration = isADTS ? made : extra,
                (try? AudioSpecificConfig(configuration)) != nil
            else { return nil }
            self = .copied(
                TrackParameters(
                    kind: .audio, codec: .aac, codecConfiguration: configuration, sampleRate: rate,
                    channels: channels, timescale: Int32(clamping: rate)), isADTS: isADTS)
        case AV_CODEC_ID_OPUS:
            let head = extra.isEmpty ? OpusPacket.head(channels: channels) : extra
            guard (try? OpusConfiguration(head: head)) != nil else { return nil }
            let skip = head.count > 11 ? Int(head[10]) | Int(head[11]) << 8 : 0
            self = .copied(
                TrackParameters(
                    kind: .audio, codec: .opus, codecConfiguration: head, sampleRate: 48000, channels: channels,
                    timescale: 48000, primingSamples: skip), isADTS: false)
        case AV_CODEC_ID_PCM_MULAW, AV_CODEC_ID_PCM_ALAW, AV_CODEC_ID_PCM_S16BE, AV_CODEC_ID_PCM_S16LE,
            AV_CODEC_ID_ADPCM_G726, AV_CODEC_ID_ADPCM_G726LE:
            let transcoder = AudioTranscoder(
                codec: stream.codec_id, sampleRate: rate, channels: channels,
                bitsPerSample: Int(stream.bits_per_coded_sample))
            guard let transcoder else { return nil }
            self = .transcoded(transcoder)
        default: return nil
        }
    }

    /// The parameter sets of an avcC or hvcC (ISO/IEC 14496-15) and its length size, or of a byte stream.
    static func units(_ extra: [UInt8], _ codec: TrackCodec) -> ([[UInt8]], Int?) {
        guard extra.first == 1 else {
            let units = extra.withUnsafeBytes { bytes in
                NALUnits(bytes, framing: .annexB, beginsInUnit: true).map { [UInt8](bytes[$0]) }
            }
            return (units, nil)
        }
        return codec == .h265 ? hvcC(extra) : avcC(extra)
    }

    private static func avcC(_ extra: [UInt8]) -> ([[UInt8]], Int?) {
        guard extra.count > 6 else { return ([], 4) }
        var units: [[UInt8]] = []
        var index = 5
        for mask in [UInt8(0x1F), 0xFF] {
            guard index < extra.count else { break }
            let count = extra[index] & mask
            index += 1
            for _ in 0..<count { if !unit(extra, &index, &units) { break } }
        }
        return (units, Int(extra[4] & 3) + 1)
    }

    private static func hvcC(_ extra: [UInt8]) -> ([[UInt8]], Int?) {
        guard extra.count > 22 else { return ([], 4) }
        var units: [[UInt8]] = []
        var index = 23
        for _ in 0..<extra[22] {
            guard index + 3 <= extra.count else { break }
            let count = Int(extra[index + 1]) << 8 | Int(extra[index + 2])
            index += 3
            for _ in 0..<count { if !unit(extra, &index, &units) { break } }
        }
        return (units, Int(extra[21] & 3) + 1)
    }

    private static func unit(_ extra: [UInt8], _ index: inout Int, _ units: inout [[UInt8]]) -> Bool {
        guard index + 2 <= extra.count else { return false }
        let length = Int(extra[index]) << 8 | Int(extra[index + 1])
        guard index + 2 + length <= extra.count else { return false }
        units.append(Array(extra[index + 2..<index + 2 + length]))
        index += 2 + length
        return true
    }
}
