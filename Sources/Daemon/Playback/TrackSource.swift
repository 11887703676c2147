internal import Media
internal import Server

/// A track file that is played: by its index, a piece at a time.
///
/// `@unchecked Sendable`: its pieces are read one after another, as a `MediaSource` is used.
final class TrackSource: MediaSource, @unchecked Sendable {
    private let track: ShiftedTrack
    private let place: Places.Place
    private let threads: Blocking

    init(_ track: ShiftedTrack, _ place: Places.Place, on threads: Blocking) {
        self.track = track
        self.place = place
        self.threads = threads
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws {
        try track.fill(buffer, at: offset)
    }

    func apart<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await threads.run(work)
    }
}

/// A movie that is played. A movie that turns out to be damaged breaks off, as an export does.
///
/// `@unchecked Sendable`: its pieces are read one after another, as a `MediaSource` is used.
final class MovieSource: MediaSource, @unchecked Sendable {
    private let movie: ClipMovie
    private let place: Places.Place
    private let threads: Blocking
    /// Told why it broke off.
    private let tell: @Sendable (any Error) -> Void

    init(
        _ movie: ClipMovie, _ place: Places.Place, on threads: Blocking, tell: @escaping @Sendable (any Error) -> Void
    ) {
        self.movie = movie
        self.place = place
        self.threads = threads
        self.tell = tell
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws {
        do {
            try movie.fill(buffer, at: offset)
            if let damage = movie.damages.first { throw damage.why }
        } catch {
            tell(error)
            throw error
        }
    }

    func apart<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await threads.run(work)
    }
}
