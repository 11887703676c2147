/// The bytes of an export in order, in chunks of any size above 0.
public struct ExportBytes: Sendable {
    /// How many there are. Whoever sends them says so first, so that a file that breaks off is known to be torn.
    public let bytes: UInt64
    /// The chunks; consumed once. They end the export when nobody holds them any more.
    public let chunks: any AsyncSequence<[UInt8], any Error> & Sendable
    /// The clips that were left out because they cannot be read, each with the reason; empty: none.
    public let skipped: [String]
    /// What of the chunks that were taken so far is zeros because it could not be read, each with the reason.
    public let damaged: @Sendable () -> [String]

    /// An export of `bytes` that yields `chunks`.
    public init(
        bytes: UInt64, chunks: any AsyncSequence<[UInt8], any Error> & Sendable, skipped: [String] = [],
        damaged: @escaping @Sendable () -> [String] = { [] }
    ) {
        self.bytes = bytes
        self.chunks = chunks
        self.skipped = skipped
        self.damaged = damaged
    }
}
