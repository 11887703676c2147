internal import Foundation
internal import HTTPTypes
internal import Wire

/// Takes the frames of one playlist, piece by piece, live or recorded.
struct TrackFollower {
    /// What a step has brought.
    enum Step {
        /// The frames of a piece, in the order of decoding.
        case frames([Frame])
        /// Nothing yet.
        case nothing
        /// Nothing more.
        case ended
    }

    /// The largest piece of media.
    static let pieceBytesMax = 64 << 20
    /// Headers that are kept.
    private static let headersMax = 4

    /// Where a moment of the media lies on the wall clock.
    struct Anchor {
        let run: Int
        let mediaUs: Int64
        let wallMs: Int64
    }

    private let vigil: Vigil
    /// The list, with its query.
    private let path: String
    private let isLive: Bool
    private var list: MediaPlaylist?
    private var headers: [(resource: MediaPlaylist.Resource, header: MovieHeader)] = []
    /// What is taken next: a segment, and so many parts of it are taken.
    private(set) var next: (number: Int, part: Int)?
    private var run: Int?
    private var isBroken = true
    /// The time of the media of this list; another track's may be used for it.
    var anchor: Anchor?
    private let anchorsItself: Bool

    /// Follows the list at `path`. A live one is begun at the newest segment at which decoding can begin, or at `number`.
    init(_ vigil: Vigil, path: String, isLive: Bool, from number: Int? = nil, anchorsItself: Bool = true) {
        (self.vigil, self.path, self.isLive, self.anchorsItself) = (vigil, path, isLive, anchorsItself)
        next = number.map { ($0, 0) }
    }

    /// The next piece; where there is none yet, it is waited for if that is wished and the server can.
    mutating func step(waiting: Bool) async throws -> Step {
        if let frames = try await take() { return .frames(frames) }
        if let list, list.isEnded { return .ended }
        try await load(waiting: waiting)
        if let frames = try await take() { return .frames(frames) }
        return list?.isEnded == true ? .ended : .nothing
    }

    private mutating func load(waiting: Bool) async throws {
        var path = path
        if waiting, let next, list?.canWait == true {
            path += "\(path.contains("?") ? "&" : "?")_HLS_msn=\(next.number)&_HLS_part=\(next.part)"
        }
        let response = try await vigil.send(.get, path)
        let bytes = try await vigil.collect(response, upTo: MediaPlaylist.bytesMax)
        guard let read = MediaPlaylist(String(decoding: bytes, as: UTF8.self)) else {
            throw VigilError.strangeAnswer(address: vigil.transport.address, reason: "no playlist at \(path)")
        }
        list = read
        if next == nil { next = isLive ? read.newestStart : read.segments.first.map { ($0.number, 0) } }
    }

    /// The frames of the next piece that the list has; nil where it has none.
    private mutating func take() async throws -> [Frame]? {
        while let (segment, piece) = nextPiece() {
            guard let header = try await header(of: segment) else { continue }
            let bytes = try await fetch(piece.resource, upTo: Self.pieceBytesMax)
            guard let frames = MovieFragment.frames(bytes, of: header) else {
                throw VigilError.strangeAnswer(address: vigil.transport.address, reason: "damaged media")
            }
            let placed = placed(frames, of: segment)
            if !placed.isEmpty { return placed }
        }
        return nil
    }

    /// Goes to the next piece that can be asked for.
    private mutating func nextPiece() -> (MediaPlaylist.Segment, MediaPlaylist.Piece)? {
        guard let list, let from = next else { return nil }
        for segment in list.segments where segment.number >= from.number {
            var part = next?.part ?? 0
            if segment.number != next?.number ?? from.number {
                // What is not listed any more was not taken in time.
                if segment.number > (next?.number ?? 0) { isBroken = true }
                part = 0
            }
            next = (segment.number, part)
            if !segment.isGap {
                if part == 0, let whole = segment.whole {
                    next = (segment.number + 1, 0)
                    return (segment, whole)
                }
                if part < segment.parts.count {
                    next = (segment.number, part + 1)
                    return (segment, segment.parts[part])
                }
                if segment.whole == nil { return nil }
                // Its parts are not listed any more, and some were not taken.
                if segment.parts.isEmpty { isBroken = true }
            }
            next = (segment.number + 1, 0)
        }
        return nil
    }

    private mutating func header(of segment: MediaPlaylist.Segment) async throws -> MovieHeader? {
        guard let resource = segment.header else { return nil }
        if let known = headers.first(where: { $0.resource == resource }) { return known.header }
        guard let header = MovieHeader(try await fetch(resource, upTo: MovieHeader.bytesMax)) else {
            throw VigilError.strangeAnswer(address: vigil.transport.address, reason: "a header that is not understood")
        }
        headers = headers.suffix(Self.headersMax - 1) + [(resource, header)]
        return header
    }

    /// Asks for what a list names. It lies at the daemon itself: nothing else is asked with its token.
    private func fetch(_ resource: MediaPlaylist.Resource, upTo most: Int) async throws -> [UInt8] {
        let base = URL(string: "http://vigil" + path)
        guard let url = URL(string: resource.uri, relativeTo: base)?.absoluteURL, url.scheme == "http",
            url.host == "vigil", url.port == nil, url.path.hasPrefix("/v1/"),
            let text = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else {
            throw VigilError.strangeAnswer(
                address: vigil.transport.address, reason: "a playlist that names what is not of the daemon")
        }
        let path = text.percentEncodedPath + (text.percentEncodedQuery.map { "?\($0)" } ?? "")
        let fields = resource.range.map { [("Range", "bytes=\($0.lowerBound)-\($0.upperBound - 1)")] } ?? []
        let response = try await vigil.send(.get, path, fields: fields)
        if resource.range != nil, response.head.status.code != 206 {
            throw VigilError.strangeAnswer(address: vigil.transport.address, reason: "no part of \(url.path)")
        }
        return try await vigil.collect(response, upTo: most)
    }

    /// Frames with their wall times, from the first one on that can be decoded.
    private mutating func placed(_ frames: [Frame], of segment: MediaPlaylist.Segment) -> [Frame] {
        if segment.run != run { (run, isBroken) = (segment.run, true) }
        guard let first = frames.first else { return [] }
        if anchorsItself, anchor?.run != segment.run || segment.time != nil, let time = segment.time,
            next?.part ?? 0 < 2
        {
            let mediaUs = Frame.microseconds(first.decodeTime, first.format.timescale)
            anchor = Anchor(run: segment.run, mediaUs: mediaUs, wallMs: time.ms)
        }
        var placed: [Frame] = []
        for var frame in frames {
            if isBroken {
                guard frame.isSync else { continue }
                (isBroken, frame.isDiscontinuous) = (false, true)
            }
            if let anchor {
                let us = Frame.microseconds(frame.presentationTime, frame.format.timescale) &- anchor.mediaUs
                frame.time = WallTime(ms: anchor.wallMs &+ us / 1_000)
            }
            placed.append(frame)
        }
        return placed
    }
}

extension MediaPlaylist {
    /// The newest segment at which decoding can begin, as far as the list says; else the first.
    var newestStart: (number: Int, part: Int)? {
        (segments.last { $0.parts.first?.isIndependent == true } ?? segments.first).map { ($0.number, 0) }
    }
}
