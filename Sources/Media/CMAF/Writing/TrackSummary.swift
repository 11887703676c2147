/// What a finished track file holds, for the catalog.
public struct TrackSummary: Hashable, Sendable {
    /// Bytes of the file.
    public let bytes: UInt64
    /// Ticks from the first sample to the end of the last.
    public let durationTicks: UInt64
    /// The same in milliseconds, rounded.
    public let durationMs: Int64
    /// The RFC 6381 codec string.
    public let codec: String
    /// Where the fragments are.
    public let index: FragmentIndex

    /// How many fragments the file has.
    public var fragments: Int { index.entries.count }
}
