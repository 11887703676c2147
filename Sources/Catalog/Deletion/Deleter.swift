import Foundation
import Machines

/// A place between two steps of a procedure, where a crash test cuts. The default does nothing.
package typealias StepHook = @Sendable (_ step: String) throws -> Void

/// What a deletion did.
public struct DeletionReport: Sendable {
    /// Clips whose files and rows are gone.
    public internal(set) var deleted: [ClipID] = []
    /// Their sizes together, in bytes.
    var freedBytes: Int64 = 0
    /// Clips that stay marked because a file could not be removed; the next run tries again.
    public internal(set) var failures: [(clip: ClipID, error: CatalogError)] = []
}

/// Deletes clips so that a crash at any moment leaves either the clip as it was, or a mark from which `resume` goes on:
/// mark durably, unlink, make the folders durable, delete the rows. All functions block.
public struct Deleter: Sendable {
    private let catalog: Catalog
    private let hook: StepHook
    /// Small pictures of what goes are gone with it.
    private var thumbnails: ThumbnailStore { ThumbnailStore(catalog: catalog) }

    /// A deleter on a catalog that was opened exclusively.
    public init(catalog: Catalog) { self.init(catalog: catalog, hook: { _ in }) }

    /// A deleter that calls `hook` at each of its steps.
    package init(catalog: Catalog, hook: @escaping StepHook) {
        self.catalog = catalog
        self.hook = hook
    }

    /// Deletes clips by a rule. Protected clips, open ones and unknown ids are passed over.
    ///
    /// - Parameters:
    ///   - ids: the clips; a few hundred at a time keep the transaction short.
    ///   - rule: which rule asks (S12).
    ///   - right: who asks.
    ///   - wallMs: the time, UTC epoch milliseconds, for the ledger.
    public func delete(
        _ ids: [ClipID], rule: String, by right: DeletionRight = .rule, atWallMs wallMs: Int64
    ) throws -> DeletionReport {
        try hook("mark")
        let marked = try catalog.markDeleting(ids, rule: rule, by: right, atWallMs: wallMs)
        try hook("marked")
        return try remove(marked.compactMap { id in try catalog.clip(id) })
    }

    /// Removes an open clip into which nothing was written: no row and no file is left, and the ledger has nothing to tell.
    public func discard(_ id: ClipID) throws {
        try catalog.discard(id)
        try hook("marked")
        guard let clip = try catalog.clip(id) else { return }
        if let failure = try remove([clip]).failures.first { throw failure.error }
    }

    /// Finishes what an earlier run left marked.
    public func resume() throws -> DeletionReport { try remove(catalog.deletingClips()) }

    /// Steps 2 to 4 for clips that are durably marked.
    func remove(_ clips: [Clip]) throws -> DeletionReport {
        var report = DeletionReport()
        // Which clips' files were in which folder.
        var unlinked: [(clip: Clip, folders: Set<String>)] = []
        for clip in clips where clip.state == .deleting {
            do throws(CatalogError) {
                var folders: Set<String> = []
                for track in clip.tracks { folders.insert(try unlink(track)) }
                thumbnails.forget(
                    camera: clip.camera, fromMs: clip.start.wallMs, toMs: clip.end?.wallMs ?? clip.start.wallMs)
                unlinked.append((clip, folders))
            } catch {
                report.failures.append((clip.id, error))
            }
            try hook("unlinked")
        }
        var failed: [String: CatalogError] = [:]
        for folder in unlinked.reduce(into: Set(), { $0.formUnion($1.folders) }).sorted() {
            do throws(CatalogError) { try catalog.root.sync(folder, folder: true) } catch {
                failed[folder] = error
            }
        }
        try hook("synced")
        for (clip, folders) in unlinked {
            // Where the folder did not become durable the file may come back with the next start; the mark stays until then.
            if let error = folders.sorted().lazy.compactMap({ failed[$0] }).first {
                report.failures.append((clip.id, error))
            } else {
                report.deleted.append(clip.id)
                report.freedBytes = report.freedBytes.addingClamped(clip.bytes)
            }
        }
        try catalog.finishDeleting(report.deleted)
        try hook("finished")
        return report
    }

    /// Unlinks one track file and gives its folder. A path that is no clip file is refused before it is touched.
    private func unlink(_ track: Clip.Track) throws(CatalogError) -> String {
        guard let paths = ClipPaths(parsing: track.path) else {
            throw CatalogError(.deleteClip, path: track.path, cause: .unsafePath)
        }
        _ = try catalog.root.unlink(track.path)
        return paths.folder
    }
}
