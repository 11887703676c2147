/// A clip to be exported.
public struct ExportClip: Hashable, Sendable {
    /// Where the clip's time line begins on the time line of the export's range (monotonic or wall), in milliseconds.
    public let startMs: Int64
    /// The paths of its track files; the first of each kind counts.
    public let tracks: [String]

    /// A clip.
    public init(startMs: Int64, tracks: [String]) {
        self.startMs = startMs
        self.tracks = tracks
    }
}

/// How far an export is.
public struct ExportProgress: Hashable, Sendable {
    /// Media bytes copied so far.
    public let bytesDone: UInt64
    /// Media bytes in all.
    public let bytesTotal: UInt64
}

/// What an export made.
public struct ExportSummary: Hashable, Sendable {
    /// Bytes of the file.
    public let bytes: UInt64
    /// Playing time in milliseconds, holes closed up.
    public let durationMs: Int64
    /// Video samples copied, those before the start that decoding needs included.
    public let videoSamples: Int
    /// Audio samples copied.
    public let audioSamples: Int
    /// How many clips took part.
    public let clips: Int
}
