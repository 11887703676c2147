public import Machines

/// How a track is coded.
public enum TrackCodec: String, Hashable, Sendable, Codable, CaseIterable {
    case h264
    case h265
    case aac
    case opus
    /// G.711 µ-law, eight bits a sample.
    case pcmu
    /// G.711 A-law, eight bits a sample.
    case pcma
    /// G.726, packed as RFC 3551 says.
    case g726
    /// Linear PCM of 16 bits in network order.
    case l16

    /// Whether clips can hold it. What they cannot hold is what cameras send of sound besides AAC and Opus.
    public var isStored: Bool {
        switch self {
        case .h264, .h265, .aac, .opus: true
        case .pcmu, .pcma, .g726, .l16: false
        }
    }
}

/// What a decoder must know before the first frame of a track.
public struct TrackParameters: Hashable, Sendable {
    /// What the track carries.
    public var kind: TrackKind
    /// How it is coded.
    public var codec: TrackCodec
    /// Video: the VPS, SPS and PPS NAL units in this order, without start codes or lengths.
    public var parameterSets: [[UInt8]]
    /// Audio: the AudioSpecificConfig (ISO/IEC 14496-3) of AAC, the OpusHead packet (RFC 7845) of Opus, one byte with the bits
    /// of a sample (2…5) of G.726.
    public var codecConfiguration: [UInt8]
    /// Audio: samples a second; 0 for video.
    public var sampleRate: Int
    /// Audio: channels; 0 for video.
    public var channels: Int
    /// Ticks a second of the track's times: 90 000 for video, the sample rate for audio.
    public var timescale: Int32
    /// Audio: samples that the encoder put before the first real one; they are to be cut at the begin of the stream.
    var primingSamples: Int
    /// Video: how its pictures are to be turned for people.
    public var rotation: PictureRotation = .none

    /// Parameters of a track; what does not apply is empty or 0.
    public init(
        kind: TrackKind, codec: TrackCodec, parameterSets: [[UInt8]] = [], codecConfiguration: [UInt8] = [],
        sampleRate: Int = 0, channels: Int = 0, timescale: Int32, primingSamples: Int = 0
    ) {
        self.kind = kind
        self.codec = codec
        self.parameterSets = parameterSets
        self.codecConfiguration = codecConfiguration
        self.sampleRate = sampleRate
        self.channels = channels
        self.timescale = timescale
        self.primingSamples = primingSamples
    }
}

/// The parameters that hold for a run of frames. Two frames belong to one run exactly when they carry the same object.
public final class TrackConfiguration: Sendable {
    /// Number of the configuration within its track and dial, from 0.
    public let id: UInt32
    /// The parameters.
    public let parameters: TrackParameters
    /// What the writer of clips makes of them; nil where clips cannot hold the track.
    public let coded: CodecConfiguration?

    /// Configuration number `id`.
    public init(id: UInt32, parameters: TrackParameters) {
        self.id = id
        self.parameters = parameters
        coded = try? parameters.coded()
    }
}

extension TrackParameters {
    /// What the writer of clips makes of them.
    ///
    /// - Throws: where they are broken, or of a codec that clips cannot hold.
    func coded() throws(BitstreamError) -> CodecConfiguration {
        switch codec {
        case .h264: try CodecConfiguration(.h264, parameterSets: annexB)
        case .h265: try CodecConfiguration(.h265, parameterSets: annexB)
        case .aac: try CodecConfiguration(audioSpecificConfig: codecConfiguration)
        case .opus: try CodecConfiguration(opusHead: codecConfiguration)
        case .pcmu, .pcma, .g726, .l16:
            throw BitstreamError(codec.rawValue, .unsupported("sound that clips hold as AAC only"))
        }
    }

    private var annexB: [UInt8] { parameterSets.flatMap { [0, 0, 0, 1] + $0 } }
}
