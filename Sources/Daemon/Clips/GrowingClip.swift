internal import Catalog
internal import Media

/// The clip that a recorder writes, for those who look at it meanwhile.
struct GrowingClip: Sendable {
    /// The clip.
    let id: ClipID
    /// Its files' path below the root, without extension.
    let stem: String
    /// What is in its files so far.
    let written: WrittenClip

    /// Its files as they are now.
    func files(root: String) -> ClipFiles { written.files(root: root, stem: stem) }
}

extension ClipFiles {
    /// Bytes of all files.
    var bytes: Int64 { tracks.reduce(0) { $0 + Int64(clamping: $1.bytes) } }

    /// How long after the clip's start the media ends, in milliseconds.
    var durationMs: Int64 { max(0, (tracks.map(\.index.endMs).max() ?? 0) - leadMs) }

    /// Whether nothing can be read yet.
    var isEmpty: Bool { tracks.allSatisfy { $0.index.entries.isEmpty } }
}
