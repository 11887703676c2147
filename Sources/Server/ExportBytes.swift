/// The bytes of an export in order, in chunks of any size above 0.
public struct ExportBytes: Sendable {
    /// How many there are. Whoever sends them says so first, so that a file that breaks off is known to be torn.
    public let bytes: UInt64
    /// The chunks; consumed once. They end the export when nobody holds them any more.
    public let chunks: any AsyncSequence<[UInt8], any Error> & Sendable

    /// An export of `bytes` that yields `chunks`.
    public init(bytes: UInt64, chunks: any AsyncSequence<[UInt8], any Error> & Sendable) {
        self.bytes = bytes
        self.chunks = chunks
    }
}
