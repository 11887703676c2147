import CLibav
import Hashing
import Machines

/// How a medium of a session description is turned into frames.
enum RTSPTrackPlan {
    /// `hasOrderNumbers`: packets carry decoding order numbers (RFC 7798).
    case video(TrackCodec, ParameterSetStore, hasOrderNumbers: Bool = false)
    case copied(AudioDepacketizer.Layout, TrackParameters)
    case transcoded(AudioTranscoder)

    /// Why a medium is not used.
    struct Unsupported: Error {
        let reason: String
    }

    /// The plan for `media`.
    static func plan(_ media: SDP.Media, g726: G726Order = .auto) throws(Unsupported) -> RTSPTrackPlan {
        switch (media.kind, media.encoding) {
        case (.video, "H264"), (.video, "H265"): return video(media)
        case (.audio, "MPEG4-GENERIC"): return try mpeg4(media)
        case (.audio, "MP4A-LATM"): return try latm(media)
        case (.audio, "OPUS"):
            let parameters = TrackParameters(
                kind: .audio, codec: .opus, codecConfiguration: OpusPacket.head(channels: media.channels),
                sampleRate: 48000, channels: min(2, media.channels), timescale: 48000)
            return .copied(.opus, parameters)
        case (.audio, "PCMU"): return try transcoded(media, AV_CODEC_ID_PCM_MULAW)
        case (.audio, "PCMA"): return try transcoded(media, AV_CODEC_ID_PCM_ALAW)
        case (.audio, "L16"): return try transcoded(media, AV_CODEC_ID_PCM_S16BE)
        // No registered name; what some cameras (Hikvision) call so is linear, the low byte first.
        case (.audio, "PCM"): return try transcoded(media, AV_CODEC_ID_PCM_S16LE)
        case (.audio, let name) where name.contains("G726-"): return try adaptive(media, order: g726)
        default: throw Unsupported(reason: "the codec is not one that is recorded")
        }
    }

    /// What is known of the track before its first frame.
    var parameters: TrackParameters? {
        switch self {
        case .video(let codec, let sets, _): VideoTrack.parameters(codec, sets)
        case .copied(_, let parameters): parameters
        case .transcoded(let transcoder): transcoder.parameters
        }
    }

    /// The clock of the medium's time stamps.
    func clock(_ media: SDP.Media) -> Timeline.Clock {
        switch self {
        case .video: Timeline.Clock(kind: .video, timescale: VideoTrack.timescale)
        case .copied(_, let parameters): Timeline.Clock(kind: .audio, timescale: parameters.timescale)
        case .transcoded(let transcoder): Timeline.Clock(kind: .audio, timescale: transcoder.parameters.timescale)
        }
    }

    private static func video(_ media: SDP.Media) -> RTSPTrackPlan {
        let codec: TrackCodec = media.encoding == "H265" ? .h265 : .h264
        var sets = ParameterSetStore(codec: codec)
        for set in media.parameterSets {
            set.withUnsafeBytes { bytes in
                // Some cameras put start codes into the description too.
                for range in NALUnits(bytes, framing: .annexB, beginsInUnit: true) {
                    _ = sets.take(bytes.part(range))
                }
            }
        }
        let distance = Int(media.format["sprop-max-don-diff"] ?? "") ?? 0
        return .video(codec, sets, hasOrderNumbers: codec == .h265 && distance > 0)
    }

    private static func mpeg4(_ media: SDP.Media) throws(Unsupported) -> RTSPTrackPlan {
        guard let bytes = configuration(media) else {
            throw Unsupported(reason: "the description has no AAC configuration")
        }
        let sizeBits = Int(media.format["sizelength"] ?? "") ?? 13
        let indexBits = Int(media.format["indexlength"] ?? "") ?? 3
        // RFC 3640 has sizes of 6 and of 13 bits; what is shorter could only tell thousands of empty units.
        guard (6...16).contains(sizeBits), (0...16).contains(indexBits) else {
            throw Unsupported(reason: "the description's AAC layout (sizelength, indexlength) is not known")
        }
        return try aac(media, bytes) { .mpeg4(sizeBits: sizeBits, indexBits: indexBits, frameTicks: $0) }
    }

    /// RFC 6416. The configuration is in the description (`cpresent=0`), or in the stream. Some cameras promise the one and do
    /// the other, so it is looked for where it can be.
    private static func latm(_ media: SDP.Media) throws(Unsupported) -> RTSPTrackPlan {
        let given = configuration(media).flatMap { LATMConfiguration(description: $0) }
        if let given, media.format["cpresent"] != "1" {
            return try aac(media, given.bytes) { .latm(frameTicks: $0) }
        }
        // Until the stream has said how it is coded, what the description makes likely stands in its place.
        let likely =
            given?.bytes ?? AACConfiguration.bytes(
                objectType: 2, sampleRate: media.clockRate, channels: media.channels)
            ?? AACConfiguration.bytes(objectType: 2, sampleRate: 48_000, channels: 1)
        guard let likely, let configuration = AACConfiguration(likely) else {
            throw Unsupported(reason: "the description's LATM configuration is not known")
        }
        let clock = Int64(media.clockRate > 0 ? media.clockRate : configuration.sampleRate)
        return try aac(media, likely) { _ in .latmInBand(clock: clock) }
    }

    /// What sound can sound like: clocks and rates in Hz, channels.
    private static let ratesPlausible = 4_000...192_000
    private static let channelsPlausible = 1...8

    private static func aac(
        _ media: SDP.Media, _ bytes: [UInt8], layout: (Int64) -> AudioDepacketizer.Layout
    ) throws(Unsupported) -> RTSPTrackPlan {
        let coded: AudioSpecificConfig
        do throws(BitstreamError) { coded = try AudioSpecificConfig(bytes) } catch {
            throw Unsupported(reason: "\(error)")
        }
        // With SBR the clock may count the rate of the core or the doubled one.
        let clock = media.clockRate > 0 ? media.clockRate : coded.sampleRate
        guard ratesPlausible.contains(clock), ratesPlausible.contains(coded.sampleRate),
            channelsPlausible.contains(coded.channels)
        else {
            throw Unsupported(
                reason: "no sound has \(coded.channels) channels of \(coded.sampleRate) Hz by a clock of \(clock) Hz")
        }
        let ticks = Int64(coded.frameSamples) * Int64(clock) / Int64(coded.sampleRate)
        let parameters = TrackParameters(
            kind: .audio, codec: .aac, codecConfiguration: bytes, sampleRate: coded.sampleRate,
            channels: coded.channels, timescale: Int32(clamping: clock))
        return .copied(layout(max(1, ticks)), parameters)
    }

    /// `G726-32` (RFC 3551) or `AAL2-G726-32`; the number is in kbit/s.
    private static func adaptive(_ media: SDP.Media, order: G726Order) throws(Unsupported) -> RTSPTrackPlan {
        let isAAL2 = media.encoding.hasPrefix("AAL2-")
        let rates = ["G726-16": 2, "G726-24": 3, "G726-32": 4, "G726-40": 5]
        guard let bits = rates[isAAL2 ? String(media.encoding.dropFirst(5)) : media.encoding] else {
            throw Unsupported(reason: "the codec is not one that is recorded")
        }
        let isLowFirst = order == .auto ? !isAAL2 : order == .rfc3551
        return try transcoded(
            media, isLowFirst ? AV_CODEC_ID_ADPCM_G726LE : AV_CODEC_ID_ADPCM_G726, bits: bits)
    }

    private static func transcoded(
        _ media: SDP.Media, _ codec: AVCodecID, bits: Int = 0
    ) throws(Unsupported) -> RTSPTrackPlan {
        let transcoder = AudioTranscoder(
            codec: codec, sampleRate: media.clockRate, channels: media.channels, bitsPerSample: bits)
        guard let transcoder else {
            throw Unsupported(reason: "AAC has no \(media.clockRate) Hz with \(media.channels) channels")
        }
        return .transcoded(transcoder)
    }

    /// The configuration of AAC, in hexadecimal digits; one too many is passed over. Nil where there is none.
    private static func configuration(_ media: SDP.Media) -> [UInt8]? {
        let digits = media.format["config"] ?? ""
        return digits.isEmpty ? nil : Hex.bytes(digits.dropLast(digits.utf8.count % 2))
    }
}
