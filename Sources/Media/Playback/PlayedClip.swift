public import Machines

/// A clip as playing sees it: where its files lie, what they hold, and where its time line lies on the clock.
public struct PlayedClip: Sendable {
    /// Its number in the catalog.
    public let id: Int64
    /// The wall time of its zero, in milliseconds since 1970.
    public let startMs: Int64
    /// Whether more of it may follow.
    public let isGrowing: Bool
    /// The codecs of its tracks, as RFC 6381 writes them.
    public let codecs: [TrackKind: String]
    /// Its files.
    public let files: ClipFiles

    /// A clip.
    public init(id: Int64, startMs: Int64, isGrowing: Bool, codecs: [TrackKind: String], files: ClipFiles) {
        self.id = id
        self.startMs = startMs
        self.isGrowing = isGrowing
        self.codecs = codecs
        self.files = files
    }
}

extension ClipFiles.Track {
    /// The part of the track that is read from its begin without meeting a hole in the file: all of it, unless somebody else
    /// wrote the file.
    public var played: ClipFiles.Track {
        var end = index.headerBytes
        let whole = index.entries.prefix { entry in
            defer { end = entry.endOffset }
            return entry.offset == end && entry.size > 0
        }
        guard whole.count < index.entries.count else { return self }
        var index = index
        index.entries = Array(whole)
        return ClipFiles.Track(kind: kind, path: path, index: index, durable: min(durable, whole.count))
    }
}
