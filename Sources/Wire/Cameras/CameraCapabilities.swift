/// What a camera can show and what can be asked of it, as `GET /v1/cameras/{camera}/capabilities` tells it.
public struct CameraCapabilities: Hashable, Sendable, Codable {
    /// The picture of a stream as its key frames describe it.
    public struct Video: Hashable, Sendable, Codable {
        /// How the camera names the coding, such as `H264`.
        public var sourceCodec: String
        /// RFC 6381, such as `avc1.64001f`; absent where clips cannot hold it.
        public var codec: String?
        /// In pixels.
        public var width: Int?
        /// In pixels.
        public var height: Int?
        /// Frames a second, counted as they come; absent while nothing comes, and in the first two seconds.
        public var frameRate: Double?

        /// A picture.
        public init(sourceCodec: String, codec: String?, width: Int?, height: Int?, frameRate: Double?) {
            self.sourceCodec = sourceCodec
            self.codec = codec
            self.width = width
            self.height = height
            self.frameRate = frameRate
        }
    }

    /// The sound of a stream.
    public struct Sound: Hashable, Sendable, Codable {
        /// How the camera names the coding, such as `PCMU`.
        public var sourceCodec: String
        /// RFC 6381 of what viewers and clips get, such as `mp4a.40.2`; absent before the first frame.
        public var codec: String?
        /// Samples a second, as the camera sends them; absent before that is known.
        public var sampleRate: Int?
        /// Channels, as the camera sends them.
        public var channels: Int?

        /// A sound.
        public init(sourceCodec: String, codec: String?, sampleRate: Int?, channels: Int?) {
            self.sourceCodec = sourceCodec
            self.codec = codec
            self.sampleRate = sampleRate
            self.channels = channels
        }
    }

    /// One stream, as it was seen last; a stream that was never seen has neither picture nor sound.
    public struct Stream: Hashable, Sendable, Codable {
        /// `main` or `sub`.
        public var stream: String
        /// The definition by which a session asks for it: `hd` or `sd`.
        public var definition: String
        /// Whether the camera sends it now.
        public var streaming: Bool
        /// Its picture.
        public var video: Video?
        /// Its sound.
        public var sound: Sound?

        /// A stream.
        public init(stream: String, definition: String, streaming: Bool, video: Video?, sound: Sound?) {
            self.stream = stream
            self.definition = definition
            self.streaming = streaming
            self.video = video
            self.sound = sound
        }
    }

    /// The camera's name.
    public var camera: String
    /// Its streams, the main one first.
    public var streams: [Stream]
    /// The definitions that a session may ask for.
    public var definitions: [String]
    /// Whether one can speak through it.
    public var talk: Bool
    /// The speeds of playback.
    public var speeds: [Double]
    /// By how many degrees its picture is turned, clockwise.
    public var rotation: Int
    /// The part of the picture that is shown; absent: the whole picture.
    public var viewport: Viewport?

    /// What a camera can do.
    public init(
        camera: String, streams: [Stream], definitions: [String], talk: Bool, speeds: [Double], rotation: Int,
        viewport: Viewport? = nil
    ) {
        self.camera = camera
        self.streams = streams
        self.definitions = definitions
        self.talk = talk
        self.speeds = speeds
        self.rotation = rotation
        self.viewport = viewport
    }
}
