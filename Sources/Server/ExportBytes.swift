/// The bytes of an export in order, in chunks of any size above 0.
public struct ExportBytes: Sendable {
    /// The chunks; consumed once.
    public let chunks: any AsyncSequence<[UInt8], any Error> & Sendable

    /// An export that yields `chunks`.
    public init(chunks: any AsyncSequence<[UInt8], any Error> & Sendable) { self.chunks = chunks }
}
