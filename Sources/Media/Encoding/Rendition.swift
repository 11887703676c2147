/// One size in which a clip is encoded: H.264 in track files of its own.
public struct Rendition: Hashable, Sendable {
    /// What its files are called, such as `720p`.
    public let name: String
    /// Its pictures are never higher than this, in pixels.
    public let heightMax: Int
    /// The mean rate of its pictures, in kbit/s.
    public let kilobits: Int

    /// A size. Values below 16 are taken as 16.
    public init(name: String, heightMax: Int, kilobits: Int) {
        self.name = name
        self.heightMax = max(16, heightMax)
        self.kilobits = max(16, kilobits)
    }

    /// Those of `renditions` that say something about pictures of this height: a size above it has its height, and of several such
    /// sizes only the lowest is made. From the highest to the lowest.
    public static func fitting(_ renditions: [Rendition], height: Int) -> [Rendition] {
        let sorted = renditions.sorted { $0.heightMax > $1.heightMax }
        let first = sorted.lastIndex { $0.heightMax >= height } ?? 0
        return Array(sorted[first...])
    }
}

/// One track that was made of a clip.
public struct EncodedTrack: Sendable {
    /// The rendition's name, or `audio`.
    public let name: String
    /// The file.
    public let path: String
    /// What a decoder must know.
    public let configuration: CodecConfiguration
    /// Bytes, fragments, duration and index.
    public let summary: TrackSummary
}

/// Why a clip was not encoded.
public struct ClipEncodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In words, with the remedy where there is one.
    public let description: String

    init(_ description: String) { self.description = description }
}
