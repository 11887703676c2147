public import Machines

/// One track file of a clip.
public struct TrackInfo: Hashable, Sendable, Codable {
    /// Video or audio.
    public var kind: TrackKind
    /// The codec as RFC 6381 writes it, such as `avc1.64001f`.
    public var codec: String
    /// The file's path.
    public var path: String
    /// The file's size.
    public var bytes: Int64
    /// Whole fragments in it.
    public var fragments: Int64
    /// Media in it, in milliseconds.
    public var durationMs: Int64

    /// A track file.
    public init(kind: TrackKind, codec: String, path: String, bytes: Int64, fragments: Int64, durationMs: Int64) {
        self.kind = kind
        self.codec = codec
        self.path = path
        self.bytes = bytes
        self.fragments = fragments
        self.durationMs = durationMs
    }
}
