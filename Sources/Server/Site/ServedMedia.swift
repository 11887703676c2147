/// Media that can be read at any place, in memory that its reader brings.
public protocol MediaSource: Sendable {
    /// Fills all of `buffer` with the bytes from `offset` on. Blocking: called by what `apart` runs, and once at a time.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws
    /// Runs `work` on a thread that may block. Throws `unavailable` where too much waits.
    func apart<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result
}

/// Media as a client may take it: all of it, or a range of its bytes.
public struct ServedMedia: Sendable {
    /// How many bytes it has.
    public let bytes: UInt64
    /// Its media type.
    public let type: String
    /// Names its bytes: changes when any of them does, or when there are more. Visible ASCII without quotes.
    public let tag: String
    /// What of the wish was left out because it cannot be read, each with the reason.
    public let skipped: [String]
    /// Gives the bytes. What it holds, it holds until nobody refers to it.
    public let source: any MediaSource

    /// Media of `bytes` bytes that `source` gives.
    public init(bytes: UInt64, type: String, tag: String, skipped: [String] = [], source: any MediaSource) {
        self.bytes = bytes
        self.type = type
        self.tag = tag
        self.skipped = skipped
        self.source = source
    }
}
