import Foundation
import GRDB
import Machines

/// What recovery found and did. Everything in it is worth a line in the journal.
public struct RecoveryReport: Sendable {
    /// A file that no row claims.
    public struct SetAside: Hashable, Sendable {
        /// Where it was, relative to the root.
        public let from: String
        /// Where it is now, relative to the root.
        public let to: String
        /// Its size.
        public let bytes: Int64
    }

    /// Clips closed as interrupted.
    public internal(set) var interrupted: [ClipID] = []
    /// Clips removed because they held not one whole fragment, with their camera.
    public internal(set) var discarded: [(clip: ClipID, camera: String)] = []
    /// Clips whose deletion was finished.
    public internal(set) var deleted: [ClipID] = []
    /// Events ended as interrupted.
    var eventsEnded: [EventID] = []
    /// Files moved into lost+found.
    public internal(set) var setAside: [SetAside] = []
    /// What could not be done, in words, with the file it is about.
    public internal(set) var problems: [(path: String, words: String)] = []
}

/// Brings a root to order after a crash, before anything new begins: finishes deletions, closes what was being written as
/// `interrupted`, ends active events, and moves files that no row claims into `lost+found`. It deletes nothing but what
/// was marked, and clips without a single whole fragment. Running it again, or after a crash within it, is harmless.
public struct Recovery: Sendable {
    /// Folder below the root for files that no row claims.
    static let lostAndFound = "lost+found"

    let catalog: Catalog
    let scanner: ContentsScanner
    let hook: StepHook

    /// Recovery of a catalog that was opened exclusively, with Media's scanner.
    public init(catalog: Catalog, scanner: @escaping ContentsScanner) {
        self.init(catalog: catalog, scanner: scanner, hook: { _ in })
    }

    /// Recovery that calls `hook` at each of its steps.
    package init(catalog: Catalog, scanner: @escaping ContentsScanner, hook: @escaping StepHook) {
        self.catalog = catalog
        self.scanner = scanner
        self.hook = hook
    }

    /// Does all of it. Blocking, for as long as the open clips take to read.
    ///
    /// - Parameter whom: whom the end of an interrupted event is told to, as for `Catalog.endEvent`.
    public func run(
        notifying whom: (NewEvent, Int64) -> [NewNotification] = { _, _ in [] }
    ) throws -> RecoveryReport {
        var report = RecoveryReport()
        try finishDeletions(&report)
        for clip in try catalog.openClips() {
            do { try settle(clip, &report) } catch let error as CatalogError
                where error.operation == .file
            {
                // One bad file is one bad file (H5): its clip stays open, and the next start tries again.
                report.problems.append((error.path, "\(error.reason); clip \(clip.id) stays open"))
            }
        }
        report.eventsEnded = try catalog.endInterruptedEvents(notifying: whom)
        try hook("eventsEnded")
        try sweep(&report)
        return report
    }

    private func finishDeletions(_ report: inout RecoveryReport) throws {
        let deletions = try Deleter(catalog: catalog, hook: hook).resume()
        report.deleted = deletions.deleted
        for failure in deletions.failures {
            report.problems.append((failure.error.path, failure.error.description))
        }
    }

    /// What a scan says of one track of an open clip.
    private enum Finding {
        case whole(TrackContents)
        case empty
        case missing
        case unreadable(TrackContents)
    }

    private func settle(_ clip: Clip, _ report: inout RecoveryReport) throws {
        var kept: [(ordinal: Int, track: TrackContents)] = []
        var empty: [Clip.Track] = []
        let strangers = clip.tracks.filter { ClipPaths(parsing: $0.path) == nil }
        var incomplete = !strangers.isEmpty
        for track in strangers {
            // What stands there may be all that a camera has recorded: it is left alone.
            report.problems.append((track.path, "is not the name of a clip file; taken out of open clip \(clip.id)"))
        }
        if incomplete { try catalog.dropTracks(strangers.map(\.ordinal), of: clip.id) }
        for track in clip.tracks where !strangers.contains(track) {
            switch try scan(track, &report) {
            case .whole(let scanned): kept.append((track.ordinal, scanned))
            case .unreadable(let scanned):
                kept.append((track.ordinal, scanned))
                incomplete = true
            case .empty: empty.append(track)
            case .missing:
                empty.append(track)
                incomplete = true
            }
        }
        try hook("scanned")
        if kept.isEmpty {
            try catalog.discard(clip.id)
            try hook("discarded")
            guard let marked = try catalog.clip(clip.id) else { return }
            let removed = try Deleter(catalog: catalog, hook: hook).remove([marked])
            for failure in removed.failures {
                report.problems.append((failure.error.path, failure.error.description))
            }
            report.discarded.append((clip.id, clip.camera))
            return
        }
        // What the row is about to promise must be on the disk before the row is. The process that wrote the file may have died
        // of a failed sync: only what is written again is synced again. Where the disk refuses, the row says so.
        for track in clip.tracks where kept.contains(where: { $0.ordinal == track.ordinal }) {
            do {
                try catalog.root.rewrite(track.path)
                try hook("rewritten \(track.path)")
                try catalog.root.sync(track.path, folder: false)
            } catch let error as CatalogError {
                report.problems.append((track.path, "cannot be made durable: \(error.reason)"))
                incomplete = true
            }
        }
        // Sound alone is not what the clip was to hold.
        if empty.contains(where: { $0.kind == .video }) { incomplete = true }
        let duration = kept.map(\.track.durationMs).max() ?? 0
        let closed = ClosedClip(
            end: clip.start.advanced(by: duration), ended: .interrupted, incomplete: incomplete,
            tracks: kept.map(\.track))
        try catalog.closeInterrupted(clip.id, closed, ordinals: kept.map(\.ordinal), dropping: empty.map(\.ordinal))
        try hook("closed")
        // Their rows are gone; a crash here leaves an empty file that the sweep sets aside.
        for track in empty {
            do { _ = try catalog.root.unlink(track.path) } catch {
                report.problems.append((track.path, "holds nothing and cannot be removed: \(error.reason)"))
            }
        }
        try hook("emptyTracksRemoved")
        report.interrupted.append(clip.id)
    }

    private func scan(_ track: Clip.Track, _ report: inout RecoveryReport) throws -> Finding {
        let found: StorageRoot.Status?
        do { found = try catalog.root.status(track.path) } catch {
            // A folder above it is a link or cannot be entered: what is in it may come back.
            report.problems.append(
                (track.path, "the file of an open clip cannot be reached: \(error.reason)"))
            return .unreadable(TrackContents(bytes: 0, fragments: 0, durationMs: 0, index: Data()))
        }
        guard let status = found else {
            report.problems.append((track.path, "the file of an open clip is missing"))
            return .missing
        }
        guard status.isFile else {
            report.problems.append((track.path, "no plain file stands in the place of an open clip's"))
            try setAside(track.path, bytes: 0, &report)
            return .missing
        }
        if status.bytes == 0 { return .empty }
        do {
            let scanned = try scanner(catalog.root.absolute(track.path), true)
            return scanned.fragments > 0 ? .whole(scanned) : .empty
        } catch {
            // The media may be sound and the reader or the disk at fault: keep it, say so, let a deep check try again.
            report.problems.append((track.path, "cannot be read: \(error)"))
            return .unreadable(TrackContents(bytes: status.bytes, fragments: 0, durationMs: 0, index: Data()))
        }
    }
}

extension Catalog {
    /// Closes a clip without the tracks that hold nothing, in one transaction.
    func closeInterrupted(
        _ id: ClipID, _ closed: ClosedClip, ordinals: [Int], dropping dropped: [Int]
    ) throws(CatalogError) {
        try write(.recover) { db in
            try Self.drop(dropped, of: id, db)
            try self.close(id, closed, ordinals: ordinals, db)
        }
    }

    /// Takes tracks out of a clip; their files stay as they are.
    func dropTracks(_ ordinals: [Int], of id: ClipID) throws(CatalogError) {
        try write(.recover) { db in try Self.drop(ordinals, of: id, db) }
    }

    private static func drop(_ ordinals: [Int], of id: ClipID, _ db: Database) throws {
        for ordinal in ordinals {
            try db.execute(sql: "DELETE FROM track WHERE clip = ? AND ordinal = ?", arguments: [id.rawValue, ordinal])
        }
    }
}
