public import Machines

/// What a camera offers, as a dial of a few seconds has seen it. No login is in it, and nothing that can hold one.
public struct ProbeReport: Hashable, Sendable, Encodable {
    /// A track that the camera offers.
    public struct Track: Hashable, Sendable, Encodable {
        /// What it carries.
        public let kind: TrackKind
        /// How the camera codes it, in its own words.
        public let sourceCodec: String
        /// How it is coded, as clips name it (RFC 6381); nil where no frame has come, or clips cannot hold it.
        public internal(set) var codec: String?
        /// Pixels.
        public internal(set) var width: Int?
        /// Pixels.
        public internal(set) var height: Int?
        /// Samples a second of sound.
        public internal(set) var sampleRate: Int?
        /// Channels of sound.
        public internal(set) var channels: Int?
        /// Frames that came.
        public internal(set) var frames = 0
        /// Frames a second, by the camera's clock; nil before two have come.
        public internal(set) var frameRate: Double?
        /// Bits a second, by the same clock.
        public internal(set) var bitRate: Double?
        /// Milliseconds from one frame on which a clip can begin to the next, the longest that was seen; nil before two came.
        public internal(set) var groupMs: Int64?
        /// Whether frames are shown in another order than they are sent.
        public internal(set) var isReordered = false
        /// Frames that packets are missing from.
        public internal(set) var damaged = 0
        /// How often its parameters changed.
        public internal(set) var changes = 0
        /// Why nothing of it is read; nil where it is.
        public let ignored: String?
        /// Whether Vigil makes it of another track, because clips cannot hold what the camera sends.
        public let isMade: Bool
        /// Whether it is recorded.
        public var isRecorded: Bool { codec != nil && ignored == nil }
    }

    /// What the camera calls itself; nil where it does not say.
    public internal(set) var server: String?
    /// How its packets come; nil where it was not reached, or is none that speaks RTSP.
    public internal(set) var transport: RTPTransport?
    /// Whether the connection is encrypted.
    public internal(set) var isEncrypted: Bool?
    /// The login that it takes; nil where it asks for none.
    public internal(set) var login: String?
    /// The requests that it may take for a sign of life, the one in use first.
    public internal(set) var keepAlive: [String] = []
    /// After how many milliseconds without one it forgets the session.
    public internal(set) var sessionMs: Int64?
    /// How long it took to answer until it played, in milliseconds.
    public internal(set) var dialMs: Int64?
    /// For how many milliseconds it was watched.
    public internal(set) var watchedMs: Int64 = 0
    /// The tracks.
    public internal(set) var tracks: [Track] = []
    /// What it does otherwise than RTSP says.
    public internal(set) var quirks: [CameraQuirk] = []
    /// Repairs of its time stamps, each with how often.
    public internal(set) var repairs: [String: Int] = [:]
    /// Packets that were lost on the way.
    public internal(set) var lostPackets: UInt64 = 0
    /// Units that clips cannot hold, with the reason.
    public internal(set) var refusals: [String] = []
    /// Why it was not reached or was lost; nil where it was watched to the end.
    public internal(set) var failure: LinkFailure?
    /// The same in words.
    public internal(set) var failureDetail: String?

    /// Whether video or sound of it can be recorded.
    public var isRecorded: Bool { tracks.contains(where: \.isRecorded) }
}
