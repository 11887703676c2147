/// What a viewer is to be sent, as the camera codes it, and whether it is heard.
public struct SentMedia: Hashable, Sendable {
    /// How the video is coded.
    public enum Video: Hashable, Sendable {
        /// H.264 of this `profile_idc` (ITU-T H.264, 7.4.2.1.1).
        case h264(profile: UInt8)
        /// H.265 of this `general_profile_idc`, tier and `general_level_idc` (ITU-T H.265, 7.4.4).
        case h265(profile: UInt8, isHighTier: Bool, level: UInt8)

        /// As packets have it.
        public var form: VideoForm {
            switch self {
            case .h264: .h264
            case .h265: .h265
            }
        }
    }

    /// How sound is coded that is sent.
    public enum Sound: String, Hashable, Sendable {
        /// G.711 µ-law, 8 000 samples a second.
        case pcmu = "PCMU"
        /// G.711 A-law, 8 000 samples a second.
        case pcma = "PCMA"
        /// Opus, 48 000 ticks a second; an offer always says two channels (RFC 7587, 7).
        case opus

        /// Ticks a second.
        public var clockRate: Int { self == .opus ? 48_000 : 8_000 }

        /// Whether that is a format of it.
        func isCoded(_ format: MediaOffer.Format) -> Bool {
            format.name == rawValue.uppercased() && format.clockRate == clockRate
                && format.channels == (self == .opus ? 2 : 1)
        }
    }

    /// The video; nil: in whatever form is offered.
    public var video: Video?
    /// The sound; nil for none.
    public var sound: Sound?
    /// Whether it has two channels.
    public var isStereo: Bool
    /// Whether sound of the viewer's own is taken.
    public var hears: Bool

    /// Video, and perhaps sound, one way or both.
    public init(_ video: Video?, sound: Sound? = nil, isStereo: Bool = false, hears: Bool = false) {
        (self.video, self.sound, self.isStereo, self.hears) = (video, sound, isStereo, hears)
    }
}
