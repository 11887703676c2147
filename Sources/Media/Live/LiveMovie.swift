public import Machines

/// A run of live view as one fragmented MP4 in one stream of bytes, for players that read nothing else: a header of all tracks,
/// then the fragments of all of them as they come. A stream has one header, so the movie is over with its run.
///
/// Each fragment says in its `prft` (flags 1) when its first frame came. Their numbers are without a gap but where frames were
/// left out, so that who reads it knows.
public struct LiveMovie: Sendable {
    private let wall: @Sendable (Instant) -> Int64
    private var hasBegun = false
    private var sequence: UInt32 = 0

    /// Of nothing yet. `wall` gives milliseconds since 1970 for an instant.
    public init(wall: @escaping @Sendable (Instant) -> Int64) { self.wall = wall }

    /// The bytes that follow, perhaps none; nil where the movie is over.
    public mutating func take(_ item: LiveFragments.Item) -> [UInt8]? {
        switch item {
        case .began(let tracks):
            guard !hasBegun else { return nil }
            hasBegun = true
            return TrackHeader.movie(of: tracks.map(\.header))
        case .piece(let piece):
            sequence &+= 1
            return piece.cut.bytes(
                track: UInt32(clamping: piece.track) &+ 1, sequence: sequence,
                arrival: WallClock(unixMs: wall(piece.arrival)))
        case .skipped:
            sequence &+= 1
            return []
        case .lost: return hasBegun ? nil : []
        case .ended: return nil
        }
    }
}
