import Wire

@testable import VigilKit

/// What a server may send to an app: media, playlists, and streams of events.
enum KitTarget {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var feed = Feed(bytes)
        let kind = feed.byte()
        if kind == .max { return decoded(&feed) }
        switch kind % 4 {
        case 0: playlist(feed.text())
        case 1: events(&feed)
        case 2: media(Array(feed.rest()))
        default: growing(&feed)
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

    /// The same bytes in pieces of any size are the same frames.
    private static func growing(_ feed: inout Feed) {
        let size = Int(feed.byte()) + 1
        let bytes = Array(feed.rest())
        func frames(inPiecesOf size: Int) -> [Frame]? {
            var (movie, frames, rest) = (GrowingMovie(), [Frame](), bytes[...])
            while !rest.isEmpty {
                guard let taken = movie.take(Array(rest.prefix(size))) else { return nil }
                frames += taken
                rest = rest.dropFirst(size)
            }
            return frames
        }
        let whole = frames(inPiecesOf: max(1, bytes.count))
        hold(whole == frames(inPiecesOf: size), "pieces decide")
        for frame in whole ?? [] { hold(frame.data.count <= bytes.count, "a frame larger than what came") }
    }

    /// The same bytes in pieces of any size are the same heads and frames.
    private static func decoded(_ feed: inout Feed) {
        let size = Int(feed.byte()) + 1
        let bytes = Array(feed.rest())
        func items(inPiecesOf size: Int) -> [FramesReader.Item]? {
            var (reader, items, rest) = (FramesReader(), [FramesReader.Item](), bytes[...])
            while !rest.isEmpty {
                guard let taken = reader.take(Array(rest.prefix(size))) else { return nil }
                items += taken
                rest = rest.dropFirst(size)
            }
            return items
        }
        let whole = items(inPiecesOf: max(1, bytes.count))
        hold(whole == items(inPiecesOf: size), "pieces decide")
        for item in whole ?? [] {
            hold(FrameHead(item.head.bytes) == item.head, "a head is read as it was written")
            hold(
                item.content.count == item.head.count && item.head.count <= bytes.count, "a frame larger than what came"
            )
        }
    }

    private static func playlist(_ text: String) {
        if let part = ContentRange(text) {
            hold(!part.bytes.isEmpty && part.bytes.lowerBound >= 0 && part.bytes.upperBound <= part.size, "a part")
        }
        guard let list = MediaPlaylist(text) else { return }
        for segment in list.segments {
            hold(segment.number >= 0 && segment.run >= 0, "a place in a list")
            let ranges = [segment.media.range, segment.header?.range]
            hold(!ranges.contains { $0?.isEmpty == true }, "bytes that are some")
        }
        for (before, after) in zip(list.segments, list.segments.dropFirst()) {
            hold(before.run <= after.run && before.number + 1 == after.number, "segments in order")
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
