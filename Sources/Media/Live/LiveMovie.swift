/// A run of live view as one fragmented MP4 in one stream of bytes, for players that read nothing else: a header of all tracks,
/// then the fragments of all of them as they come. A stream has one header, so the movie is over with its run.
public struct LiveMovie: Sendable {
    private var hasBegun = false
    private var sequence: UInt32 = 0

    /// Of nothing yet.
    public init() {}

    /// The bytes that follow, perhaps none; nil where the movie is over.
    public mutating func take(_ item: LiveFragments.Item) -> [UInt8]? {
        switch item {
        case .began(let tracks):
            guard !hasBegun else { return nil }
            hasBegun = true
            return TrackHeader.movie(of: tracks.map(\.header))
        case .piece(let piece):
            sequence &+= 1
            return piece.cut.bytes(track: UInt32(clamping: piece.track) &+ 1, sequence: sequence)
        case .skipped: return []
        case .lost: return hasBegun ? nil : []
        case .ended: return nil
        }
    }
}
