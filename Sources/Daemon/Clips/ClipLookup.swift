internal import Catalog
internal import Foundation
internal import Media
internal import Server

extension Clip {
    /// The wall time of zero of its files, in milliseconds since 1970.
    func zeroWallMs(of files: ClipFiles) -> Int64 { start.wallMs &- files.leadMs }
}

/// Finds the files of clips for those who read them: by the catalog's indexes where a clip is closed, by the recorder's while
/// it is written.
struct ClipLookup: Sendable {
    let catalog: Catalog
    let pool: CameraPool

    /// The files of a clip; nil where it is being deleted or gone, empty in the moment in which it is closed or while nothing
    /// is in it. `indexes`: those of its tracks, where they were read before. Blocking.
    func files(of clip: Clip, indexes: [Int: Data] = [:]) throws -> ClipFiles? {
        switch clip.state {
        case .closed: return try closed(clip, indexes)
        case .deleting: return nil
        case .open:
            if let growing = growing(clip) { return growing }
            // It was closed, or began to be, since the catalog was asked.
            guard let now = try catalog.clip(clip.id) else { return nil }
            return now.state == .open ? ClipFiles(root: catalog.rootPath, tracks: []) : try files(of: now)
        }
    }

    /// The files of a clip as they are being written; nil where no recorder writes it.
    func growing(_ clip: Clip) -> ClipFiles? {
        guard clip.state == .open, let growing = pool.camera(clip.camera)?.shell.recorder.growing,
            growing.id == clip.id
        else { return nil }
        return growing.files(root: catalog.rootPath)
    }

    /// Bytes of all clips that are being written, which the catalog counts from their close.
    func growingBytes(in scope: CameraScope) -> Int64 {
        pool.all.filter { scope.contains($0.name) }
            .reduce(0) { $0 + ($1.shell.recorder.growing?.files(root: catalog.rootPath).bytes ?? 0) }
    }

    /// What the catalog has of the indexes of clips that are closed, for `files(of:indexes:)`. Blocking.
    func indexes(of clips: [Clip]) throws -> [ClipID: [Int: Data]] {
        try catalog.fragmentIndexes(of: clips.lazy.filter { $0.state == .closed }.map(\.id))
    }

    private func closed(_ clip: Clip, _ indexes: [Int: Data]) throws -> ClipFiles? {
        var tracks: [ClipFiles.Track] = []
        for track in clip.tracks {
            guard let blob = try indexes[track.ordinal] ?? catalog.fragmentIndex(of: clip.id, ordinal: track.ordinal)
            else {
                // It is gone since the catalog was asked, or was never known.
                if try catalog.clip(clip.id)?.state != .closed { return nil }
                throw NoIndex(path: track.path)
            }
            tracks.append(
                ClipFiles.Track(kind: track.kind, path: track.path, index: try FragmentIndex(decoding: blob)))
        }
        return ClipFiles(root: catalog.rootPath, tracks: tracks)
    }

    /// A clip of an earlier run whose file could not be read when it was closed.
    private struct NoIndex: Error, CustomStringConvertible {
        let path: String
        var description: String { "nothing is known of what is in \(path)" }
    }
}
