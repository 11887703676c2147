internal import Foundation
internal import HTTPTypes
internal import Wire

/// Takes the frames of one playlist of what was recorded, segment by segment. A list that is still growing is asked for again.
struct TrackFollower {
    /// What a step has brought.
    enum Step {
        /// The frames of a segment, in the order of decoding.
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

    private let vigil: Vigil
    /// The list, with its query.
    private let path: String
    private var list: MediaPlaylist?
    private var headers: [(resource: MediaPlaylist.Resource, header: MovieHeader)] = []
    /// The number of the segment that is taken next.
    private var next: Int?
    private var run: Int?
    private var isBroken = true
    private var anchor: WallAnchor?

    /// Follows the list at `path` from its begin.
    init(_ vigil: Vigil, path: String) { (self.vigil, self.path) = (vigil, path) }

    /// The frames of the next segment, as far as there is one.
    mutating func step() async throws -> Step {
        if let frames = try await take() { return .frames(frames) }
        if let list, list.isEnded { return .ended }
        try await load()
        if let frames = try await take() { return .frames(frames) }
        return list?.isEnded == true ? .ended : .nothing
    }

    private mutating func load() async throws {
        let response = try await vigil.send(.get, path)
        let bytes = try await vigil.collect(response, upTo: MediaPlaylist.bytesMax)
        guard let read = MediaPlaylist(String(decoding: bytes, as: UTF8.self)) else {
            throw VigilError.strangeAnswer(address: vigil.transport.address, reason: "no playlist at \(path)")
        }
        list = read
    }

    /// The frames of the next segment that the list has and that has some; nil where it has none.
    private mutating func take() async throws -> [Frame]? {
        while let segment = nextSegment() {
            guard let header = try await header(of: segment) else { continue }
            let bytes = try await fetch(segment.media, upTo: Self.pieceBytesMax)
            guard let frames = MovieFragment.frames(bytes, of: header) else {
                throw VigilError.strangeAnswer(address: vigil.transport.address, reason: "damaged media")
            }
            let placed = placed(frames, of: segment)
            if !placed.isEmpty { return placed }
        }
        return nil
    }

    /// Goes to the next segment that can be asked for.
    private mutating func nextSegment() -> MediaPlaylist.Segment? {
        guard let segments = list?.segments, let first = segments.first?.number else { return nil }
        // What is not listed any more was not taken in time.
        if let next, first > next { isBroken = true }
        // They are numbered without a gap.
        guard let segment = segments.dropFirst(max(0, (next ?? first) - first)).first(where: { !$0.isGap }) else {
            return nil
        }
        next = segment.number + 1
        return segment
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
        if let time = segment.time { anchor = WallAnchor(first, at: time) }
        var placed: [Frame] = []
        for var frame in frames {
            if isBroken {
                guard frame.isSync else { continue }
                (isBroken, frame.isDiscontinuous) = (false, true)
            }
            if let anchor { frame.time = anchor.time(of: frame) }
            placed.append(frame)
        }
        return placed
    }
}
