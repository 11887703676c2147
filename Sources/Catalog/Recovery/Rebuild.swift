import Foundation
import GRDB
import Machines

/// What a rebuild did.
public struct RebuildReport: Sendable {
    /// Where the old database is kept, relative to the root; nil if there was none.
    public internal(set) var keptAs: String?
    /// Clips in the new catalog.
    public internal(set) var clips = 0
    /// Of these, how many kept what the old database still told (class, cause, protection, monotonic times).
    var salvaged = 0
    /// Rows of other tables taken over, by table.
    var tables: [String: Int] = [:]
    /// Files that were brought back from `lost+found`, as they are called now.
    public internal(set) var broughtBack: [String] = []
    /// Files that could not be taken in. What holds not one whole fragment was moved into `lost+found`; what is unreadable, or no
    /// clip file, is left where it is.
    public internal(set) var leftOut: [(path: String, words: String)] = []
}

extension Catalog {
    /// Makes the catalog anew from the clip files, whose names tell camera and start, and from what the damaged database
    /// still tells. The new one is built beside the old and put in its place when it is complete; the old one is kept
    /// under another name. A clip of which nothing else is known counts as event media, because that is kept longest,
    /// and as interrupted. Blocking: every clip file is read.
    ///
    /// - Throws: `CatalogError`; `locked` if a daemon works on the root.
    public static func rebuild(root: String, scanner: @escaping ContentsScanner) throws -> RebuildReport {
        let folder = try StorageRoot(path: root, create: false)
        return try Rebuild(root: folder, lock: RootLock(root: root), scanner: scanner).run()
    }
}

/// One rebuild.
struct Rebuild {
    /// Stands for a word that nobody remembers.
    static let unknown = "unknown"

    let root: StorageRoot
    let lock: RootLock
    let scanner: ContentsScanner

    private static let newName = Catalog.fileName + ".new"

    func run() throws -> RebuildReport {
        for suffix in ["", "-wal", "-shm"] { _ = try root.unlink(Self.newName + suffix) }
        var report = RebuildReport()
        let catalog = try Catalog(folder: root, lock: nil, mode: .exclusive, fileName: Self.newName)
        let salvage = Salvage(path: root.absolute(Catalog.fileName))
        report.tables = try salvage.copyTables(into: catalog)
        try salvage.continueNumbers(in: catalog)
        try catalog.unlinkUploads()
        try bringBack(&report)
        try ClipFolders(root: root).walk { folder, entries in
            if entries.contains(where: { $0.name == nil }) {
                report.leftOut.append((folder, "a name that is not UTF-8"))
            }
            let paths = entries.compactMap { $0.name }.map { folder + "/" + $0 }
            for (name, files) in Dictionary(grouping: paths, by: Self.stem).sorted(by: { $0.key < $1.key }) {
                try takeIn(name, files.sorted { $0 > $1 }, catalog, salvage, &report)
            }
        } unreadable: { folder, error in
            report.leftOut.append((folder, "cannot be looked through: \(error.reason)"))
        }
        try catalog.orphanUploads()
        // Closing folds the log into the database, so that one rename moves all of it.
        try catalog.close()
        try replace(&report)
        return report
    }

    /// Clip files in `lost+found` had no row in a catalog that may have been another one: they come back to their places, where
    /// these are free.
    private func bringBack(_ report: inout RebuildReport) throws {
        let top = Recovery.lostAndFound + "/clips"
        try ClipFolders(root: root, top: top).walk { folder, entries in
            for entry in entries {
                guard let name = entry.name, entry.status?.isFile == true else { continue }
                let path = String((folder + "/" + name).dropFirst(Recovery.lostAndFound.count + 1))
                guard let paths = ClipPaths(parsing: path) else { continue }
                do throws(CatalogError) {
                    guard try root.status(path) == nil else { continue }
                    try root.makeFolder(paths.folder)
                    try root.move(folder + "/" + name, to: path)
                    try root.sync(paths.folder, folder: true)
                    try root.sync(folder, folder: true)
                    report.broughtBack.append(path)
                } catch {
                    report.leftOut.append((folder + "/" + name, "cannot be brought back: \(error.reason)"))
                }
            }
        } unreadable: { folder, error in
            report.leftOut.append((folder, "cannot be looked through: \(error.reason)"))
        }
    }

    private func replace(_ report: inout RebuildReport) throws {
        if let log = try root.status(Self.newName + "-wal"), log.bytes > 0 {
            throw CatalogError(
                .rebuild, path: root.absolute(Self.newName), cause: .refused("another program has the new catalog open")
            )
        }
        if try root.status(Catalog.fileName) != nil {
            var number = 1
            while try root.status("\(Catalog.fileName).broken-\(number)") != nil { number += 1 }
            let kept = "\(Catalog.fileName).broken-\(number)"
            // The log first: a log that outlived its database would be played into the new one.
            for suffix in ["-wal", "-shm", ""] where try root.status(Catalog.fileName + suffix) != nil {
                try root.move(Catalog.fileName + suffix, to: kept + suffix)
            }
            report.keptAs = kept
        }
        try root.move(Self.newName, to: Catalog.fileName)
        try root.syncRoot()
    }

    private static func stem(_ path: String) -> String {
        path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
    }

    /// One clip from its files, the video before the audio.
    private func takeIn(
        _ stem: String, _ files: [String], _ catalog: Catalog, _ salvage: Salvage, _ report: inout RebuildReport
    ) throws {
        var tracks: [(NewTrack, TrackContents)] = []
        var incomplete = false
        let old = files.lazy.compactMap { salvage.clip(path: $0) }.first
        for path in files {
            guard ClipPaths(parsing: path) != nil, let kind = ClipPaths.kind(of: path) else {
                report.leftOut.append((path, "not the name of a clip file"))
                continue
            }
            do {
                guard try root.status(path)?.isFile == true else {
                    throw CatalogError(.rebuild, path: path, cause: .unsafePath)
                }
                let scanned = try scanner(root.absolute(path), true)
                guard scanned.fragments > 0 else {
                    // As the sweep of a start would, which cannot tell it from what a lost catalog knew.
                    report.leftOut.append((path, "not one whole fragment; it is \(try root.setAside(path)) now"))
                    continue
                }
                // What the old catalog has as closed was durable before its row was; an open clip may have had a failed sync.
                if old?.state == .open { try root.rewrite(path) }
                try root.sync(path, folder: false)
                // A sample entry that cannot be read has no codec; the media may be sound.
                let codec = scanned.codec.flatMap { $0.isEmpty ? nil : $0 } ?? Self.unknown
                let track = NewTrack(kind: kind, codec: codec, path: path)
                tracks.append((track, scanned))
            } catch {
                incomplete = true
                report.leftOut.append((path, "\(error)"))
            }
        }
        guard let first = tracks.first, let paths = ClipPaths(parsing: first.0.path) else { return }
        let duration = tracks.map(\.1.durationMs).max() ?? 0
        do { try insert(tracks, old, paths, duration, incomplete: incomplete, catalog) } catch let error
            as CatalogError
        {
            // What the schema refuses concerns this clip; all else concerns the catalog that is being built.
            guard case .refused = error.cause else { throw error }
            for (track, _) in tracks {
                report.leftOut.append((track.path, "cannot be entered: \(error.reason)"))
            }
            return
        }
        report.clips += 1
        if old != nil { report.salvaged += 1 }
    }

    private func insert(
        _ tracks: [(NewTrack, TrackContents)], _ old: Clip?, _ paths: ClipPaths, _ duration: Int64, incomplete: Bool,
        _ catalog: Catalog
    ) throws {
        let opened =
            old?.opened
            ?? NewClip(
                camera: paths.camera, bootID: Self.unknown, start: Moment(monotonicMs: 0, wallMs: paths.startWallMs),
                cause: .detection, policy: Self.unknown, policyRevision: Self.unknown, mediaClass: .event)
        var known = opened
        // Ids are given anew, so links by id would point at strangers.
        known.chainedTo = nil
        known.event = nil
        known.camera = paths.camera
        let id = try catalog.openClip(known, tracks: tracks.map(\.0))
        try catalog.linkUploads(to: id, key: paths.stem)
        do {
            try catalog.closeClip(
                id,
                ClosedClip(
                    end: known.start.advanced(by: duration), ended: old?.ended ?? .interrupted,
                    incomplete: incomplete || old?.incomplete == true, tracks: tracks.map(\.1)))
        } catch {
            // The row alone goes; the files stay where they are.
            try catalog.discard(id)
            try catalog.finishDeleting(id)
            throw error
        }
        if old?.protected == true { try catalog.protect([id], true) }
    }
}
