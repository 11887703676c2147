/// What an export holds.
public struct ExportSummary: Hashable, Sendable {
    /// Bytes of the movie.
    public let bytes: UInt64
    /// Playing time in milliseconds, holes closed up.
    public let durationMs: Int64
    /// Video samples, those before the start that decoding needs included.
    let videoSamples: Int
    /// Audio samples.
    let audioSamples: Int
    /// How many clips took part.
    public let clips: Int
}
