/// What a live viewer gets, in the order of docs/design/live.md.
public enum LivePart: Hashable, Sendable {
    /// A run begins: what was sent before is over, and what follows has a time line of its own.
    case hello(LiveHello)
    /// What comes before the fragments of a track: `ftyp` and `moov`.
    case header(track: Int, bytes: [UInt8])
    /// A fragment of a track, whose first frame arrived at `at`.
    case fragment(track: Int, at: WallTime, bytes: [UInt8])
    /// So many frames were left out because the viewer was slow.
    case skipped(Int)
    /// The connection to the camera is over; `hello` follows when it is back.
    case lost
    /// Nothing follows.
    case ended(LiveEnd)
}

/// Why a live viewer gets nothing more.
public enum LiveEnd: String, Hashable, Sendable, Codable, CaseIterable {
    /// Live or hard privacy covers the picture.
    case privacy
    /// The daemon shuts down, or the camera was taken out of the configuration.
    case draining
    /// The configuration has no such stream any more.
    case removed
    /// It took what came too slowly, again and again.
    case slow
    /// The time of its session was over; another one may be asked for.
    case expired
    /// It left by itself.
    case left
}

/// How a run of live view is coded.
public struct LiveHello: Hashable, Sendable, Codable {
    /// A track; the place in `tracks` is its number.
    public struct Track: Hashable, Sendable, Codable {
        /// `video` or `audio`.
        public var kind: String
        /// By RFC 6381, such as `avc1.640028`.
        public var codec: String
        /// What a player is asked whether it can play it: `video/mp4; codecs="avc1.640028"`.
        public var mime: String
        /// Ticks a second of its times.
        public var timescale: Int
        /// In pixels; absent for sound.
        public var width: Int?
        /// In pixels; absent for sound.
        public var height: Int?
        /// Samples a second; absent for pictures.
        public var sampleRate: Int?
        /// Absent for pictures.
        public var channels: Int?

        /// A track.
        public init(
            kind: String, codec: String, timescale: Int, width: Int? = nil, height: Int? = nil, sampleRate: Int? = nil,
            channels: Int? = nil
        ) {
            (self.kind, self.codec, self.timescale) = (kind, codec, timescale)
            mime = "\(kind)/mp4; codecs=\"\(codec)\""
            (self.width, self.height, self.sampleRate, self.channels) = (width, height, sampleRate, channels)
        }
    }

    /// The camera.
    public var camera: String
    /// Which of its streams.
    public var stream: String
    /// The tracks.
    public var tracks: [Track]
    /// The part of the picture that is to be shown, as it is when the run begins; absent: the whole picture.
    public var viewport: Viewport?

    /// A run of `stream` with these tracks.
    public init(camera: String, stream: String, tracks: [Track], viewport: Viewport? = nil) {
        (self.camera, self.stream, self.tracks, self.viewport) = (camera, stream, tracks, viewport)
    }
}
