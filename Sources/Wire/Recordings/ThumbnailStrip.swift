/// Small pictures of an hour, side by side in one JPEG.
public struct ThumbnailStrip: Hashable, Sendable {
    /// Where they are in it, and of when.
    public var map: ThumbnailMap
    /// The bytes of the JPEG file.
    public var jpeg: [UInt8]

    /// A strip.
    public init(map: ThumbnailMap, jpeg: [UInt8]) {
        self.map = map
        self.jpeg = jpeg
    }
}

/// What a strip of small pictures shows, as `GET /v1/cameras/{camera}/thumbnails.json` tells it.
public struct ThumbnailMap: Hashable, Sendable, Codable {
    /// A picture of the strip.
    public struct Tile: Hashable, Sendable, Codable {
        /// Of which moment it is.
        public var at: WallTime
        /// Its left edge in the strip, in pixels.
        public var x: Int
        /// Its upper edge.
        public var y: Int

        /// A tile.
        public init(at: WallTime, x: Int, y: Int) {
            (self.at, self.x, self.y) = (at, x, y)
        }
    }

    /// The camera's name.
    public var camera: String
    /// The begin of the hour.
    public var from: WallTime
    /// Its end.
    public var to: WallTime
    /// How far two pictures are apart at least, in milliseconds, where there is media.
    public var stepMs: Int64
    /// Whether the hour is over, so that the strip will not change unless clips are deleted.
    public var complete: Bool
    /// Width of a picture, in pixels.
    public var width: Int
    /// Height of a picture, in pixels.
    public var height: Int
    /// The pictures by time.
    public var tiles: [Tile]
    /// The clips of which they are.
    public var clips: [Int64]

    /// A map.
    public init(
        camera: String, from: WallTime, to: WallTime, stepMs: Int64, complete: Bool, width: Int, height: Int,
        tiles: [Tile], clips: [Int64]
    ) {
        self.camera = camera
        self.from = from
        self.to = to
        self.stepMs = stepMs
        self.complete = complete
        self.width = width
        self.height = height
        self.tiles = tiles
        self.clips = clips
    }
}
