public import Machines

/// Reads a clip, closed or still written, by the index of its fragments: a header, any run of fragments as a range of bytes,
/// the samples of a fragment. Never looks for anything in the files, and never at what the index does not name.
///
///     ClipFiles ──► ClipReader ──► TrackReader   header │ fragment 0 │ fragment 1 │ … │ (what is being written)
///     (catalog, recorder)             by bytes   ───────┴────────────┴────────────┴───┘
///
/// What it was made of stays as it is: to see more of a clip that grows, make another. Blocking, and used from one thread at
/// a time. It holds a descriptor a track, so that a file which is deleted meanwhile can be read to its end.
public final class ClipReader {
    /// The tracks that hold a fragment, in the order of the files.
    public let tracks: [TrackReader]

    /// Opens the files of a clip, or only that of one kind. A file into which nothing was written yet is passed over.
    ///
    /// - Throws: `TrackFileError` when a file is gone, lies outside of the root, is damaged at its start, or is shorter than
    ///   its index.
    public init(_ files: ClipFiles, only kind: TrackKind? = nil) throws(TrackFileError) {
        var tracks: [TrackReader] = []
        for track in files.tracks where (kind == nil || track.kind == kind) && !track.index.entries.isEmpty {
            tracks.append(try TrackReader(track, at: files.place))
        }
        self.tracks = tracks
    }

    /// The video track; nil where the clip has none.
    public var video: TrackReader? { tracks.first { $0.track.kind == .video } }
    /// The audio track; nil where the clip has none.
    public var audio: TrackReader? { tracks.first { $0.track.kind == .audio } }
}
