/// What a camera sends now as one fragmented MP4, in pieces.
public struct LiveMovieBytes: Sendable {
    /// The pieces in order, for one task.
    public let pieces: any AsyncSequence<[UInt8], Never> & Sendable
    /// Ends them; from any thread.
    public let leave: @Sendable () -> Void

    /// Pieces that `leave` ends.
    public init(_ pieces: any AsyncSequence<[UInt8], Never> & Sendable, leave: @escaping @Sendable () -> Void) {
        (self.pieces, self.leave) = (pieces, leave)
    }
}
