import Machines

/// Small pictures of key frames, side by side in one JPEG: what is shown under the finger while somebody scrubs. Blocking: not
/// for the cooperative pool.
public struct ThumbnailSheet: Hashable, Sendable {
    /// A key frame of which there is a picture.
    public struct Tile: Hashable, Sendable {
        /// The wall time of the frame, in milliseconds since 1970.
        public let wallMs: Int64
        /// The left edge of its tile, in pixels.
        public let x: Int
        /// The upper edge.
        public let y: Int
    }

    /// The widest tile, in pixels.
    public static let widthMax = 160
    /// The highest tile, in pixels.
    public static let heightMax = 120
    /// Tiles in a row.
    static let columns = 16
    /// The most tiles.
    public static let most = 256

    /// The bytes of a JPEG file.
    public let jpeg: [UInt8]
    /// Width of a tile, in pixels.
    public let width: Int
    /// Height of a tile, in pixels.
    public let height: Int
    /// The tiles, in the order in which they were asked for; at least one.
    public let tiles: [Tile]

    /// Of these key frames, at most `most`. What cannot be read or decoded is left out; nil where nothing is left.
    public init?(of frames: [KeyFrame]) {
        var pictures: [(wallMs: Int64, frame: PictureFrame)] = []
        var open: (clip: Int, reader: TrackReader, decoder: VideoDecoder, aspect: Double)?
        for frame in frames.prefix(Self.most) {
            if open?.clip != frame.clip {
                open = nil
                guard let reader = try? ClipReader(frame.files, only: .video).video,
                    let configuration = reader.configuration,
                    let decoder = VideoDecoder(configuration, fast: true)
                else { continue }
                open = (frame.clip, reader, decoder, configuration.pixelAspect)
            }
            guard let open, let sample = try? open.reader.samples(of: frame.fragment).samples.first,
                let bytes = try? open.reader.frame(sample)
            else { continue }
            var small: PictureFrame?
            let take = { (picture: VideoDecoder.Picture) in
                if small == nil {
                    small = PictureFrame(picture, aspect: open.aspect, rotation: open.reader.rotation)
                }
            }
            bytes.withUnsafeBytes { _ = open.decoder.decode($0, pts: 0, isKey: true, each: take) }
            open.decoder.drain(each: take)
            if let small { pictures.append((frame.wallMs, small)) }
        }
        guard let first = pictures.first else { return nil }
        (width, height) = (
            pictures.reduce(first.frame.width) { max($0, $1.frame.width) },
            pictures.reduce(first.frame.height) { max($0, $1.frame.height) }
        )
        let columns = min(Self.columns, pictures.count)
        let rows = (pictures.count + columns - 1) / columns
        guard let sheet = PictureFrame(width: columns * width, height: rows * height) else { return nil }
        var tiles: [Tile] = []
        for (number, picture) in pictures.enumerated() {
            let (x, y) = (number % columns * width, number / columns * height)
            sheet.draw(picture.frame, x: x, y: y)
            tiles.append(Tile(wallMs: picture.wallMs, x: x, y: y))
        }
        guard let jpeg = JPEGEncoder.encode(sheet, quantizer: 6) else { return nil }
        self.jpeg = jpeg
        self.tiles = tiles
    }

    /// A key frame of a clip.
    public struct KeyFrame: Sendable {
        /// Tells clips apart.
        let clip: Int
        let files: ClipFiles
        let fragment: Int
        /// Its wall time, in milliseconds since 1970.
        public let wallMs: Int64
    }

    /// The key frames of a clip that are shown first in each step of `stepMs` from `fromMs` to `toMs`. `startMs`: the wall time
    /// of the clip's zero; `clip`: tells it apart from others.
    public static func keyFrames(
        of files: ClipFiles, clip: Int, startMs: Int64, fromMs: Int64, toMs: Int64, stepMs: Int64
    ) -> [KeyFrame] {
        guard let track = files.track(.video), stepMs > 0 else { return [] }
        var frames: [KeyFrame] = []
        var last: Int64?
        for (number, entry) in track.index.entries.enumerated() where entry.startsWithKey {
            let ticks = Int64(clamping: entry.decodeTime) - Int64(track.index.primingTicks)
            let wall = startMs &+ Ticks.rescale(ticks, from: track.index.timescale, to: 1_000)
            guard wall >= fromMs, wall < toMs else { continue }
            let step = (wall - fromMs) / stepMs
            guard step != last else { continue }
            last = step
            frames.append(KeyFrame(clip: clip, files: files, fragment: number, wallMs: wall))
        }
        return frames
    }
}
