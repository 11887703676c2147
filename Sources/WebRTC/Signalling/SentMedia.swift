/// What a viewer is to be sent, as the camera codes it, and whether it is heard.
public struct SentMedia: Hashable, Sendable {
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

    /// `profile_idc` of the H.264 that the video is coded in (ITU-T H.264, 7.4.2.1.1).
    public var profile: UInt8
    /// The sound; nil for none.
    public var sound: Sound?
    /// Whether it has two channels.
    public var isStereo: Bool
    /// Whether sound of the viewer's own is taken.
    public var hears: Bool

    /// Video in H.264 of a profile, and perhaps sound, one way or both.
    public init(profile: UInt8, sound: Sound? = nil, isStereo: Bool = false, hears: Bool = false) {
        (self.profile, self.sound, self.isStereo, self.hears) = (profile, sound, isStereo, hears)
    }
}
