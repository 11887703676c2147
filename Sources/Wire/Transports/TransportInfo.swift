/// A transport of a camera, as `GET /v1/cameras/{camera}/transports/{transport}` tells it.
public struct TransportInfo: Hashable, Sendable, Codable {
    /// The number of the camera's own recording, which is its first transport.
    public static let own = 0
    /// The greatest number of a transport.
    public static let numberMax = 65_534

    /// The camera.
    public var camera: String
    /// Its number: 0 for the camera's own recording, 1…65 534 for one that was allocated.
    public var connectionID: Int
    /// `active` or `inactive`.
    public var transportStatus: String
    /// What holds for it.
    public var transportOptions: TransportOptions
    /// Whether it records at this moment.
    public var recording: Bool
    /// When it is over by itself; absent: it is not.
    public var expires: WallTime?
    /// How what it records gets to its address; absent where nothing has been pushed since the daemon began.
    public var push: TransportPush?

    /// A transport.
    public init(
        camera: String, connectionID: Int, transportStatus: String, transportOptions: TransportOptions, recording: Bool,
        expires: WallTime?, push: TransportPush? = nil
    ) {
        self.push = push
        (self.camera, self.connectionID, self.transportStatus) = (camera, connectionID, transportStatus)
        (self.transportOptions, self.recording, self.expires) = (transportOptions, recording, expires)
    }
}

/// What transports a camera can have, as `GET /v1/cameras/{camera}/transports/capabilities` tells it.
public struct TransportCapabilities: Hashable, Sendable, Codable {
    /// A format that is taken.
    public struct Format: Hashable, Sendable, Codable {
        /// `cmaf`.
        public var containerFormat: String
        /// `cmafIngest`.
        public var ingestMethod: String

        /// A format.
        public init(containerFormat: String, ingestMethod: String) {
            (self.containerFormat, self.ingestMethod) = (containerFormat, ingestMethod)
        }
    }

    /// Something that Matter knows and that is not done here.
    public struct Unsupported: Hashable, Sendable, Codable {
        /// Its name.
        public var name: String
        /// What is done instead.
        public var why: String

        /// What is not done.
        public init(name: String, why: String) { (self.name, self.why) = (name, why) }
    }

    /// The camera.
    public var camera: String
    /// The formats that are taken.
    public var supportedFormats: [Format]
    /// What transports are for.
    public var streamUsages: [String]
    /// What can trigger one.
    public var triggerTypes: [String]
    /// The numbers of the video streams; empty where no video was seen.
    public var videoStreams: [Int]
    /// The numbers of the audio streams; empty where no sound was seen.
    public var audioStreams: [Int]
    /// The distance between the key frames that came last, in milliseconds; absent before two have come.
    public var keyFrameInterval: Int64?
    /// The zones of the camera.
    public var zones: [String]
    /// The most zones that one transport names.
    public var maxZones: Int
    /// The most transports of the camera beside its own recording.
    public var maxTransports: Int
    /// What is not done.
    public var unsupported: [Unsupported]
    /// How media can be pushed to an address: `cmafInterface`.
    public var cmafInterfaces: [String]?
    /// The numbers of the TLS endpoints that a transport can name.
    public var tlsEndpoints: [Int]?

    /// What a camera can have.
    public init(
        camera: String, supportedFormats: [Format], streamUsages: [String], triggerTypes: [String], videoStreams: [Int],
        audioStreams: [Int], keyFrameInterval: Int64?, zones: [String], maxZones: Int, maxTransports: Int,
        unsupported: [Unsupported], cmafInterfaces: [String]? = nil, tlsEndpoints: [Int]? = nil
    ) {
        (self.cmafInterfaces, self.tlsEndpoints) = (cmafInterfaces, tlsEndpoints)
        (self.camera, self.supportedFormats, self.streamUsages) = (camera, supportedFormats, streamUsages)
        (self.triggerTypes, self.videoStreams, self.audioStreams) = (triggerTypes, videoStreams, audioStreams)
        (self.keyFrameInterval, self.zones, self.maxZones) = (keyFrameInterval, zones, maxZones)
        (self.maxTransports, self.unsupported) = (maxTransports, unsupported)
    }
}
