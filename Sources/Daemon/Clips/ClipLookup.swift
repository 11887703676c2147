internal import Catalog
internal import Foundation
internal import Media
internal import Server

extension Clip {
    /// The wall time of zero of its files, in milliseconds since 1970.
    func zeroWallMs(of files: ClipFiles) -> Int64 { start.wallMs &- files.leadMs }
}

/// Finds clips and their files for those who read them: by the catalog's indexes where a clip is closed, by the recorder's while
/// it is written, by its description where only the cloud has it.
struct ClipLookup: Sendable {
    let catalog: Catalog
    let pool: CameraPool
    let remote: RemoteClips

    /// The clips that a query about one camera and a time finds on the disk, and those that only the cloud has, by start. Blocking.
    func clips(_ query: ClipQuery) throws -> [Clip] {
        let local = try catalog.clips(query)
        guard let camera = query.camera, let from = query.fromWallMs, let to = query.toWallMs else { return local }
        let remote = try remote.clips(camera, fromMs: from, toMs: to, limit: query.limit)
        if remote.isEmpty { return local }
        let all = (local + remote).sorted { ($0.start.wallMs, $0.id) < ($1.start.wallMs, $1.id) }
        return Array((query.order == .newestFirst ? all.reversed() : all).prefix(query.limit))
    }

    /// One clip; nil where there is none of this id. Blocking.
    func clip(_ id: ClipID) throws -> Clip? { try id.remote.map(remote.clip) ?? catalog.clip(id) }

    /// The first clip of a camera, by start, that ends after a moment or is being written; nil where none does. Blocking.
    func first(of camera: String, endingAfterMs fromMs: Int64) throws -> Clip? {
        let query = ClipQuery(
            camera: camera, fromWallMs: fromMs == .min ? nil : fromMs, limit: 1, includingOpen: true)
        let local = try catalog.clips(query).first
        return try remote.clips(camera, fromMs: fromMs, toMs: local?.start.wallMs ?? .max, limit: 1).first ?? local
    }

    /// The clip of the same camera that begins next; nil where none does yet. Blocking.
    func next(after clip: Clip) throws -> Clip? {
        let query = ClipQuery(
            camera: clip.camera, limit: 1, includingOpen: true,
            after: ClipQuery.Key(startWallMs: clip.start.wallMs, id: clip.id))
        let local = try catalog.clips(query).first
        let remote = try remote.clips(
            clip.camera, fromMs: clip.start.wallMs + 1, toMs: local?.start.wallMs ?? .max, limit: 2
        ).first { $0.start.wallMs > clip.start.wallMs }
        return remote ?? local
    }

    /// The files of a clip; nil where it is being deleted or gone, empty in the moment in which it is closed or while nothing
    /// is in it. `indexes`: those of its tracks, where they were read before. Blocking.
    func files(of clip: Clip, indexes: [Int: Data] = [:]) throws -> ClipFiles? {
        if let id = clip.id.remote { return try remote.files(of: id) }
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
        try catalog.fragmentIndexes(of: clips.lazy.filter { $0.state == .closed && $0.id.remote == nil }.map(\.id))
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
