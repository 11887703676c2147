import Foundation
import GRDB

extension Recovery {
    /// Moves files below `clips/` that no row claims into `lost+found`, their relative path kept, and removes folders
    /// that hold nothing. Clip files that began before all that the catalog knows of stay: another catalog knew them.
    func sweep(_ report: inout RecoveryReport) throws {
        // A lost database must not turn a whole archive into lost property, whatever the new one has recorded since.
        guard let oldestMs = try catalog.oldestKnownWallMs() else {
            if let first = try ClipFolders(root: catalog.root).first() {
                let words = "there are clip files, but the catalog knows of no clip; run `vigil fsck --rebuild`"
                report.problems.append((first, words))
            }
            return
        }
        var older: (first: String, count: Int)?
        try ClipFolders(root: catalog.root).walk { folder, entries in
            let claimed = try catalog.claims(in: folder)
            for entry in entries {
                guard let name = entry.name, let status = entry.status else {
                    report.problems.append((folder, "a name that is not UTF-8, or cannot be read; left alone"))
                    continue
                }
                let path = folder + "/" + name
                if claimed[path] != nil { continue }
                if status.isFile, let paths = ClipPaths(parsing: path), paths.startWallMs < oldestMs {
                    older = (older?.first ?? path, (older?.count ?? 0) + 1)
                } else if status.isFile {
                    try setAside(path, bytes: status.bytes, &report)
                } else {
                    report.problems.append((path, "neither a file nor a folder; left alone"))
                }
            }
        } afterFolder: { folder in
            // Not the camera's own folder: it is the one that a new clip needs first.
            if folder.split(separator: "/").count > 2 { _ = try? catalog.root.removeIfEmpty(folder) }
        } unreadable: { folder, error in
            report.problems.append((folder, "cannot be looked through: \(error.reason)"))
        }
        if let (first, count) = older {
            let words = "\(count) clip files are older than all that the catalog knows; run `vigil fsck --rebuild`"
            report.problems.append((first, words))
        }
    }

    /// Moves what stands at a path below `clips/` into `lost+found`, whatever it is; where that fails the report says so.
    func setAside(_ path: String, bytes: Int64, _ report: inout RecoveryReport) throws {
        do throws(CatalogError) {
            let target = try catalog.root.setAside(path)
            report.setAside.append(RecoveryReport.SetAside(from: path, to: target, bytes: bytes))
        } catch {
            report.problems.append((path, "no row claims it, and it cannot be set aside: \(error)"))
        }
        try hook("setAside")
    }
}

extension StorageRoot {
    /// Moves what stands at a path below `clips/` into `lost+found`, durably; returns where it is now.
    func setAside(_ path: String) throws(CatalogError) -> String {
        let target = try freeName(for: "\(Recovery.lostAndFound)/\(path)")
        let folder = String(target[..<(target.lastIndex(of: "/") ?? target.endIndex)])
        try makeFolder(folder)
        try move(path, to: target)
        // The new name first: a crash in between shows the file twice rather than not at all.
        try sync(folder, folder: true)
        try sync(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), folder: true)
        return target
    }

    /// The path itself, or with the first number behind it that is not taken.
    private func freeName(for path: String) throws(CatalogError) -> String {
        var candidate = path
        var number = 1
        while try status(candidate) != nil {
            candidate = "\(path).\(number)"
            number += 1
        }
        return candidate
    }
}

/// The files below `clips/`, or below another folder that is made like it, folder by folder.
struct ClipFolders {
    let root: StorageRoot
    /// The folder.
    var top = "clips"

    /// Deeper than a clip's folder nothing of ours lies; what is deeper still is not entered.
    static let depthMax = 8

    /// `clips/<camera>/<yyyy>/<mm>/<dd>`.
    static let dayDepth = 5

    /// Visits each folder with what it holds besides folders; `afterFolder` follows when those below are done. A folder that
    /// cannot be listed is told to `unreadable`, and the walk goes on with the next.
    func walk(
        _ visit: (_ folder: String, _ entries: [StorageRoot.Entry]) throws -> Void,
        afterFolder: (_ folder: String) throws -> Void = { _ in },
        unreadable: (_ folder: String, _ error: CatalogError) throws -> Void
    ) throws {
        do throws(CatalogError) {
            guard let status = try root.status(top) else { return }
            guard status.isFolder else {
                throw CatalogError(.file, path: root.absolute(top), cause: .notPlain)
            }
        } catch { return try unreadable(top, error) }
        try walk(top, depth: 1, visit, afterFolder, unreadable)
    }

    private func walk(
        _ folder: String, depth: Int, _ visit: (String, [StorageRoot.Entry]) throws -> Void,
        _ afterFolder: (String) throws -> Void, _ unreadable: (String, CatalogError) throws -> Void
    ) throws {
        let entries: [StorageRoot.Entry]
        do throws(CatalogError) { entries = try root.list(folder) } catch {
            return try unreadable(folder, error)
        }
        for entry in entries where entry.status?.isFolder == true && depth < Self.depthMax {
            if let name = entry.name { try walk(folder + "/" + name, depth: depth + 1, visit, afterFolder, unreadable) }
        }
        try visit(folder, entries.filter { $0.status?.isFolder != true })
        try afterFolder(folder)
    }

    /// The first file, if there is any.
    func first() throws -> String? {
        struct Found: Error { let path: String }
        do {
            try walk { folder, entries in
                for entry in entries {
                    if let name = entry.name, entry.status?.isFile == true { throw Found(path: folder + "/" + name) }
                }
            } unreadable: { _, _ in
            }
        } catch let found as Found {
            return found.path
        }
        return nil
    }
}

/// What the catalog says of one track file.
struct Claim: Hashable {
    let clip: ClipID
    let ordinal: Int
    let state: Clip.State
    let bytes: Int64
}

extension Catalog {
    /// The start of the first clip that is known of, here or in the ledger of deletions, UTC epoch milliseconds; nil where none is.
    func oldestKnownWallMs() throws(CatalogError) -> Int64? {
        try read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT min(start_wall_ms) FROM (
                        SELECT * FROM (SELECT start_wall_ms FROM clip ORDER BY id LIMIT 1)
                        UNION ALL SELECT * FROM (SELECT start_wall_ms FROM deletion ORDER BY clip LIMIT 1))
                    """)
        }
    }

    /// The track files that rows claim in one folder (not below it), by path.
    func claims(in folder: String) throws(CatalogError) -> [String: Claim] {
        // Clip files lie in day folders alone (`ClipPaths`); a range above them would read the whole catalog.
        guard folder.split(separator: "/").count == ClipFolders.dayDepth else { return [:] }
        return try read { db in
            // '0' follows '/': the range holds exactly the paths that begin with the folder and a slash.
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: Self.claimsSQL), arguments: [folder + "/", folder + "0"])
            var claims: [String: Claim] = [:]
            while let row = try rows.next() {
                claims[try row.value(0) as String] = try Claim(
                    clip: ClipID(rawValue: row.value(1)), ordinal: row.value(2), state: ClipRows.word(row, 3),
                    bytes: row.value(4))
            }
            return claims
        }
    }

    static let claimsSQL = """
        SELECT t.path, t.clip, t.ordinal, c.state, t.bytes FROM track t JOIN clip c ON c.id = t.clip
        WHERE t.path >= ? AND t.path < ? ORDER BY t.path
        """
}
