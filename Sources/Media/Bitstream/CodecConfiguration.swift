public import Machines

/// What a decoder must know before the first sample of a track. Two configurations are equal exactly when the samples of one
/// may follow those of the other in the same clip.
public enum CodecConfiguration: Hashable, Sendable {
    /// H.264, stored as `avc1`.
    case h264(H264Configuration)
    /// H.265, stored as `hvc1`.
    case h265(H265Configuration)
    /// AAC, stored as `mp4a`.
    case aac(AudioSpecificConfig)
    /// Opus, stored as `Opus`.
    case opus(OpusConfiguration)

    /// From the parameter sets of a key frame or of codec extra data (Annex B, `avcC` or `hvcC`).
    public init(
        _ codec: VideoCodec, parameterSets bytes: UnsafeRawBufferPointer, framing: NALFraming = .annexB
    ) throws(BitstreamError) {
        switch codec {
        case .h264: self = .h264(try H264Configuration(parameterSets: bytes, framing: framing))
        case .h265: self = .h265(try H265Configuration(parameterSets: bytes, framing: framing))
        }
    }

    /// From the parameter sets of a key frame or of codec extra data (Annex B, `avcC` or `hvcC`).
    public init(
        _ codec: VideoCodec, parameterSets bytes: [UInt8], framing: NALFraming = .annexB
    ) throws(BitstreamError) {
        self = try withBytes(bytes) { buffer throws(BitstreamError) in
            try CodecConfiguration(codec, parameterSets: buffer, framing: framing)
        }
    }

    /// From an MPEG-4 AudioSpecificConfig.
    public init(audioSpecificConfig bytes: [UInt8]) throws(BitstreamError) {
        self = .aac(try AudioSpecificConfig(bytes))
    }

    /// From an `OpusHead`.
    public init(opusHead bytes: [UInt8]) throws(BitstreamError) {
        self = .opus(try OpusConfiguration(head: bytes))
    }

    /// Video or audio.
    public var kind: TrackKind {
        switch self {
        case .h264, .h265: .video
        case .aac, .opus: .audio
        }
    }

    /// The RFC 6381 string that browsers and playlists want: `avc1.64001f`, `hvc1.1.6.L93.B0`, `mp4a.40.2`, `opus`.
    public var codec: String {
        switch self {
        case .h264(let configuration): configuration.codec
        case .h265(let configuration): configuration.codec
        case .aac(let configuration): configuration.codec
        case .opus: "opus"
        }
    }

    /// The ticks per second that suit the track: 90 000 for video (what RTP counts in), the sampling rate for audio.
    public var timescale: UInt32 {
        switch self {
        case .h264, .h265: 90_000
        case .aac(let configuration): UInt32(truncatingIfNeeded: configuration.sampleRate)
        case .opus: 48_000
        }
    }

    /// Width in pixels; nil for audio.
    public var width: Int? {
        switch self {
        case .h264(let configuration): configuration.sps.width
        case .h265(let configuration): configuration.sps.width
        case .aac, .opus: nil
        }
    }

    /// Height in pixels; nil for audio.
    public var height: Int? {
        switch self {
        case .h264(let configuration): configuration.sps.height
        case .h265(let configuration): configuration.sps.height
        case .aac, .opus: nil
        }
    }

    /// The stated frame rate; nil for audio and where nothing is stated.
    public var frameRate: FrameRate? {
        switch self {
        case .h264(let configuration): configuration.sps.frameRate
        case .h265(let configuration): configuration.sps.frameRate
        case .aac, .opus: nil
        }
    }

    /// How many frames may be decoded before a frame and shown after it; 0 for audio and streams without B frames.
    var maxReorderFrames: Int {
        switch self {
        case .h264(let configuration): configuration.sps.maxReorderFrames
        case .h265(let configuration): configuration.sps.maxReorderFrames
        case .aac, .opus: 0
        }
    }

    /// Output sampling rate in Hz; nil for video.
    public var sampleRate: Int? {
        switch self {
        case .h264, .h265: nil
        case .aac(let configuration): configuration.sampleRate
        case .opus: 48_000
        }
    }

    /// Output channels; nil for video.
    public var channels: Int? {
        switch self {
        case .h264, .h265: nil
        case .aac(let configuration): configuration.channels
        case .opus(let configuration): configuration.channels
        }
    }

    /// The configuration after the parameter sets in `accessUnit` replaced those with the same id. Unequal to `self` means
    /// that this access unit needs a new clip. Audio never changes this way.
    func updated(
        by accessUnit: UnsafeRawBufferPointer, framing: NALFraming
    ) throws(BitstreamError) -> CodecConfiguration {
        switch self {
        case .h264(let configuration): .h264(try configuration.updated(by: accessUnit, framing: framing))
        case .h265(let configuration): .h265(try configuration.updated(by: accessUnit, framing: framing))
        case .aac, .opus: self
        }
    }
}
