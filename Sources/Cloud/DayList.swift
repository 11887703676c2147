internal import Foundation
internal import Machines
internal import Media

/// The list of the clips of one camera and day in the bucket, `days/<camera>/<yyyy-mm-dd>.m3u8`. It is an HLS list that plays
/// the pictures of all of them one after another; a clip without pictures plays its sound. Before each clip a comment names its
/// own list, which has both. It is derived: losing it costs nothing.
public struct DayList: Sendable {
    /// The most bytes that a list has, but for its first and last lines: it is put again and again, and players read it as a whole.
    public static let bytesMax = 8 << 20

    /// Its key below the store's prefix.
    public let key: String
    /// How many clips it plays.
    public private(set) var clips = 0
    /// Whether a clip found no room in it: then no later one is taken either, and its last comment says so.
    public private(set) var isFull = false

    private var entries: PlaylistText
    private var target: Int64 = 1
    private var isIndependent = true
    /// Whether the last clip is encrypted.
    private var isEncrypted = false

    /// From how many milliseconds on a segment ends at the next one that decoding can begin with. They are longer than those of a
    /// clip's own list, because this list is put again and again while the day grows.
    private static let segmentMs: Int64 = 20_000

    /// The list of a day without clips.
    ///
    /// - Parameters:
    ///   - camera: name of the camera.
    ///   - date: the day in the site's time zone, `yyyy-mm-dd`.
    /// - Throws: what is wrong with the camera's name or the date.
    public init(camera: String, date: String) throws(Defect) {
        guard let key = CloudKeys.day(camera: camera, date: date) else {
            throw Defect(
                "the list of a day", key: "", "has no key: the camera's name or the date is none",
                remedy: "Give a camera's name and a date such as 2026-11-23.")
        }
        self.key = key
        entries = PlaylistText(capacity: 4_096)
    }

    /// The list of a day with these clips, in any order, each with its key without the store's prefix (`ClipPaths.stem`).
    ///
    /// - Throws: what is wrong with the camera's name, the date, a key, or a description.
    public init(
        camera: String, date: String, clips: [(key: String, description: ClipDescription)]
    ) throws(Defect) {
        try self.init(camera: camera, date: date)
        for clip in clips.sorted(by: { ($0.description.startWallMs, $0.key) < ($1.description.startWallMs, $1.key) }) {
            try add(clip.key, clip.description)
        }
    }

    /// Adds a clip, which begins after those that were added before. One without media is passed over.
    ///
    /// - Throws: what is wrong with its key (`ClipPaths.stem`) or its description; the list stays as it was.
    public mutating func add(_ key: String, _ description: ClipDescription) throws(Defect) {
        guard CloudKeys.isClip(key) else {
            throw Defect(
                "the list of a day", key: "", "names a clip by what is no key",
                remedy: "Give the path of its track files without their ending.")
        }
        let presentation = try ClipPresentation(description)
        let tracks = presentation.tracks
        guard !isFull, let track = tracks.first(where: { !$0.segments.isEmpty }) else { return }
        let segments = Self.joined(track)
        let folder = "../../\(CloudKeys.folder(of: key))"
        var text = PlaylistText(capacity: 160 * (4 + segments.count))
        if clips > 0 { text.line("#EXT-X-DISCONTINUITY") }
        text.line("# \(folder)\(CloudKeys.index)")
        let key = presentation.kid.map { _ in folder + CloudKeys.key }
        if key == nil, isEncrypted { text.line("#EXT-X-KEY:METHOD=NONE") }
        MediaList.segments(
            segments, of: track, zeroWallMs: description.zeroWallMs(tracks), key: key, &text
        ) { folder + $0 }
        guard entries.bytes.count + text.bytes.count <= Self.bytesMax else { return isFull = true }
        entries.add(text)
        isEncrypted = key != nil
        clips += 1
        target = max(target, PresentedTrack.longestSeconds(segments, timescale: track.index.timescale))
        isIndependent = isIndependent && segments.allSatisfy(\.startsWithKey)
    }

    /// The list; its name is the last part of the key.
    public var part: ClipPresentation.Part {
        var text = PlaylistText(capacity: entries.bytes.count + 512)
        MediaList.head(target: target, type: nil, isIndependent: isIndependent, &text)
        text.add(entries)
        if isFull { text.line("# The day has more clips than this list has room for; each has its own list.") }
        text.line("#EXT-X-ENDLIST")
        return ClipPresentation.Part(
            String(key.split(separator: "/").last ?? ""), contentType: ClipPresentation.hls, text)
    }

    private static func joined(_ track: PresentedTrack) -> [PresentedTrack.Segment] {
        track.segments.reduce(into: []) { joined, next in
            guard let last = joined.last, track.milliseconds(last.duration) < segmentMs || !next.startsWithKey,
                let both = last.joined(next)
            else { return joined.append(next) }
            joined[joined.count - 1] = both
        }
    }
}
