internal import Foundation
internal import Machines
internal import Media

/// One track of a clip in the bucket as players fetch it: ranges of its objects.
struct PresentedTrack: Sendable {
    /// Fragments that a player fetches at once. They lie side by side in one object.
    struct Segment: Hashable, Sendable {
        /// Name of the object.
        let object: String
        /// Where it lies in the object.
        let bytes: Range<UInt64>
        /// Its begin on the clip's time line, in ticks.
        let start: Int64
        /// Ticks up to the next one in the same object, or to its own end.
        let duration: Int64
        /// Whether decoding can begin with it.
        let startsWithKey: Bool

        /// Ticks at which it ends.
        var end: Int64 { start &+ duration }
    }

    /// What it carries.
    let kind: TrackKind
    /// RFC 6381 codec string; nil where it is not known.
    let codec: String?
    /// Size of the picture, where it is known.
    let size: (width: Int, height: Int)?
    /// Where its fragments are in its objects.
    let index: FragmentIndex
    /// Name of the object that begins with the header; nil while nothing was sent.
    let header: String?
    /// Whether it was sent in pieces while the clip was open.
    let isInPieces: Bool
    /// The segments in order.
    let segments: [Segment]

    /// Of a track that was checked.
    init(_ track: ClipDescription.Track) throws(Defect) {
        do { index = try FragmentIndex(decoding: track.encryptedIndex ?? track.index) } catch {
            throw ClipDescription.json.defect("index", "is no fragment index")
        }
        kind = track.kind
        codec = track.codec == "unknown" ? nil : track.codec
        if let width = track.width, let height = track.height { size = (width, height) } else { size = nil }
        header = track.objects.first?.name
        isInPieces = header.map { $0 != CloudKeys.track(track.kind) } ?? false
        segments = Self.segments(index, track.objects)
    }

    private static func segments(_ index: FragmentIndex, _ objects: [ClipDescription.Object]) -> [Segment] {
        var segments: [Segment] = []
        var (first, object) = (0, 0)
        let entries = index.entries
        while first < entries.count, object < objects.count {
            let bounds = UInt64(clamping: objects[object].firstByte)..<UInt64(clamping: objects[object].endByte)
            // As many fragments as follow one another in this object.
            var end = first
            while end < entries.count, entries[end].endOffset <= bounds.upperBound,
                end == first || entries[end].offset == entries[end - 1].endOffset
            { end += 1 }
            let found = PlayedTrack.segments(of: index, first..<end, timescale: index.timescale, isOpen: false)
            segments += found.map {
                Segment(
                    object: objects[object].name,
                    bytes: $0.bytes.lowerBound - bounds.lowerBound..<$0.bytes.upperBound - bounds.lowerBound,
                    start: $0.start, duration: $0.duration, startsWithKey: $0.startsWithKey)
            }
            if end == first || end == entries.count || entries[end].offset >= bounds.upperBound { object += 1 }
            first = end
        }
        return segments
    }

    /// A length of the track in milliseconds, rounded.
    func milliseconds(_ ticks: Int64) -> Int64 { Ticks.rescale(ticks, from: index.timescale, to: 1_000) }

    /// The highest and the mean rate of its segments, in bits per second.
    var rates: (peak: UInt64, average: UInt64) {
        var (peak, bytes, ms): (UInt64, UInt64, UInt64) = (1, 0, 0)
        for segment in segments {
            let length = UInt64(max(1, milliseconds(segment.duration)))
            peak = max(peak, PlaybackTraits.bits(UInt64(segment.bytes.count), ms: length))
            bytes &+= UInt64(segment.bytes.count)
            ms &+= length
        }
        return (peak, max(1, PlaybackTraits.bits(bytes, ms: ms)))
    }

    /// The longest segment in whole seconds, rounded up; at least 1.
    static func longestSeconds(_ segments: [Segment], timescale: UInt32) -> Int64 {
        segments.reduce(1) { max($0, (Ticks.rescale($1.duration, from: timescale, to: 1_000) &+ 999) / 1_000) }
    }
}

extension ClipDescription {
    /// The wall time at which the time lines of its tracks begin: a clip starts with its first picture, and sound may begin before
    /// that.
    func zeroWallMs(_ tracks: [PresentedTrack]) -> Int64 {
        guard let video = tracks.first(where: { $0.kind == .video }), let first = video.segments.first else {
            return startWallMs
        }
        return startWallMs &- max(0, video.milliseconds(first.start))
    }
}
