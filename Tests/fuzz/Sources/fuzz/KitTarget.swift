@testable import VigilKit

/// What a server may send to an app: media, playlists, and streams of events.
enum KitTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        switch feed.byte() % 4 {
        case 0: playlist(feed.text())
        case 1: events(&feed)
        default: media(Array(feed.rest()))
        }
    }

    private static func media(_ bytes: [UInt8]) {
        guard let header = MovieHeader(bytes) else { return }
        hold(header.format.timescale > 0, "a clock that ticks")
        hold(header.format.parameterSets.count <= bytes.count, "parameter sets out of nothing")
        hold((0...4).contains(header.format.lengthBytes), "a length of \(header.format.lengthBytes) bytes")
        guard let frames = MovieFragment.frames(bytes, of: header) else { return }
        hold(frames.count <= MovieFragment.framesMax, "\(frames.count) frames")
        for frame in frames {
            hold(frame.data.count <= bytes.count, "a frame larger than what came")
            hold(frame.decodeTime >= 0 && frame.duration >= 0, "a time before the begin")
        }
    }

    private static func playlist(_ text: String) {
        guard let list = MediaPlaylist(text) else { return }
        for segment in list.segments {
            hold(segment.number >= 0 && segment.run >= 0, "a place in a list")
            for piece in segment.parts + [segment.whole].compactMap({ $0 }) {
                hold(piece.durationUs >= 0 && piece.resource.range?.isEmpty != true, "a piece that is something")
            }
        }
        for (before, after) in zip(list.segments, list.segments.dropFirst()) {
            hold(before.run <= after.run, "runs in order")
        }
    }

    /// The same bytes in pieces of any size are the same events.
    private static func events(_ feed: inout Feed) {
        let size = Int(feed.byte()) + 1
        let bytes = Array(feed.rest())
        var (whole, inPieces) = (ServerSentEvents(), ServerSentEvents())
        let expected = whole.take(bytes)
        var events: [ServerSentEvents.Event]? = []
        var rest = bytes[...]
        while !rest.isEmpty, events != nil {
            events = inPieces.take(rest.prefix(size)).map { (events ?? []) + $0 }
            rest = rest.dropFirst(size)
        }
        hold(events == expected, "pieces decide")
    }
}
