internal import Catalog
internal import Media

/// Lets a check compare track files with their indexes, which only Media understands.
enum TrackVerifying {
    /// Reads every fragment by the index. Blocking.
    static let verifier: TrackVerifier = { root, path, blob in
        let index = try FragmentIndex(decoding: blob)
        guard let kind = ClipPaths.kind(of: path), !index.entries.isEmpty else { throw Empty() }
        let track = ClipFiles.Track(kind: kind, path: path, index: index)
        try ClipReader(ClipFiles(root: root, tracks: [track])).tracks.first?.verify()
    }

    /// An index by which nothing can be read.
    private struct Empty: Error, CustomStringConvertible {
        var description: String { "it names no fragment" }
    }
}
