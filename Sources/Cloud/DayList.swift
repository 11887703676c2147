internal import Foundation
internal import Machines
internal import Media

/// The list of the clips of one camera and day in the bucket, `days/<camera>/<yyyy-mm-dd>.m3u8`. It is an HLS list that plays
/// the pictures of all of them one after another; a clip without pictures plays its sound. Before each clip a comment names its
/// own list, which has both. It is derived: losing it costs nothing.
public struct DayList: Sendable {
    /// Its key below the store's prefix.
    public let key: String
    /// The list; its name is the last part of the key.
    public let part: ClipPresentation.Part

    /// From how many milliseconds on a segment ends at the next one that decoding can begin with. They are longer than those of a
    /// clip's own list, because this list is put again and again while the day grows.
    private static let segmentMs: Int64 = 20_000

    /// The list of a day.
    ///
    /// - Parameters:
    ///   - camera: name of the camera.
    ///   - date: the day in the site's time zone, `yyyy-mm-dd`.
    ///   - clips: its clips in any order, each with its key without the store's prefix (`ClipPaths.stem`).
    /// - Throws: what is wrong with the camera's name, the date, a key, or a description.
    public init(
        camera: String, date: String, clips: [(key: String, description: ClipDescription)]
    ) throws(Defect) {
        guard let key = CloudKeys.day(camera: camera, date: date) else {
            throw Defect(
                "the list of a day", key: "", "has no key: the camera's name or the date is none",
                remedy: "Give a camera's name and a date such as 2026-11-23.")
        }
        var runs: [(key: String, zeroWallMs: Int64, track: PresentedTrack, segments: [PresentedTrack.Segment])] = []
        for clip in clips.sorted(by: { ($0.description.startWallMs, $0.key) < ($1.description.startWallMs, $1.key) }) {
            guard CloudKeys.isClip(clip.key) else {
                throw Defect(
                    "the list of a day", key: "", "names a clip by what is no key",
                    remedy: "Give the path of its track files without their ending.")
            }
            let tracks = try ClipPresentation(clip.description).tracks
            guard let track = tracks.first(where: { !$0.segments.isEmpty }) else { continue }
            runs.append((clip.key, clip.description.zeroWallMs(tracks), track, Self.joined(track)))
        }
        var text = PlaylistText(capacity: 512 + 160 * runs.reduce(0) { $0 + 4 + $1.segments.count })
        MediaList.head(
            target: runs.reduce(1) {
                max($0, PresentedTrack.longestSeconds($1.segments, timescale: $1.track.index.timescale))
            }, type: nil, isIndependent: runs.allSatisfy { $0.segments.allSatisfy(\.startsWithKey) }, &text)
        for (place, run) in runs.enumerated() {
            let folder = "../../\(CloudKeys.folder(of: run.key))"
            if place > 0 { text.line("#EXT-X-DISCONTINUITY") }
            text.line("# \(folder)\(CloudKeys.index)")
            MediaList.segments(run.segments, of: run.track, zeroWallMs: run.zeroWallMs, &text) { folder + $0 }
        }
        text.line("#EXT-X-ENDLIST")
        self.key = key
        part = ClipPresentation.Part(
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
