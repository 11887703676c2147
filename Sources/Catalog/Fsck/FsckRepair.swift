import Foundation
import GRDB

/// Sets right what a check found: recovery first, then rows whose files are not as recorded. Deletes no media.
struct FsckRepair {
    let catalog: Catalog
    let scanner: ContentsScanner

    /// The rule under which lost media enters the ledger.
    static let missingRule = "missing"

    /// What was done, in words.
    func run(_ findings: [Finding]) throws -> [String] {
        var repairs = words(of: try Recovery(catalog: catalog, scanner: scanner).run())
        for finding in findings {
            do { repairs += try repair(finding) } catch let error as CatalogError
                where error.operation == .file
            {
                repairs.append("\(finding.subject): cannot be repaired: \(error.reason)")
            }
        }
        return repairs + (try removeTrackless()) + (try recount())
    }

    private func repair(_ finding: Finding) throws -> [String] {
        switch finding.kind {
        case .missingFile: try dropTrack(finding.subject)
        case .wrongSize, .wrongIndex: try rescan(finding.subject)
        case .strayUpload: try catalog.settleStrayUploads().map { "upload \($0) settled" }
        case .corrupt, .schema, .openClip, .unfinishedDeletion, .activeEvent, .unclaimedFile, .strangeFile,
            .noTracks, .brokenChain, .overlap, .wrongTotals, .unreadable:
            []
        }
    }

    private func words(of report: RecoveryReport) -> [String] {
        report.interrupted.map { "clip \($0) closed as interrupted" }
            + report.discarded.map { "clip \($0.clip) of \($0.camera) removed: not one whole fragment" }
            + report.deleted.map { "deletion of clip \($0) finished" }
            + report.eventsEnded.map { "event \($0) ended as interrupted" }
            + report.setAside.map { "\($0.from) moved to \($0.to)" }
            + report.problems.map { "\($0.path): \($0.words)" }
    }

    /// Takes a file that is gone out of its clip. What stands in its place and is no plain file is set aside first; what stands at
    /// a path that no clip file can have is none of the clip's, and stays.
    private func dropTrack(_ path: String) throws -> [String] {
        var report = RecoveryReport()
        let isPossible = ClipPaths(parsing: path) != nil
        if isPossible, let status = try catalog.root.status(path) {
            guard !status.isFile else { return [] }
            try Recovery(catalog: catalog, scanner: scanner).setAside(path, bytes: 0, &report)
            guard try catalog.root.status(path) == nil else { return words(of: report) }
        }
        let dropped = try catalog.write(.check) { db in
            guard
                let clip = try Int64.fetchOne(
                    db,
                    sql: """
                        SELECT t.clip FROM track t JOIN clip c ON c.id = t.clip WHERE t.path = ? AND c.state = 'closed'
                        """, arguments: [path])
            else { return false }
            try db.execute(sql: "DELETE FROM track WHERE path = ?", arguments: [path])
            try Self.remeasure(clip, incomplete: true, db)
            return true
        }
        let why = isPossible ? "is gone" : "is the path of no clip file"
        return words(of: report) + (dropped ? ["\(path) \(why); taken out of its clip"] : [])
    }

    /// Makes a track's rows anew from its file.
    private func rescan(_ path: String) throws -> [String] {
        guard try catalog.root.status(path)?.isFile == true else { return [] }
        guard let scanned = try? scanner(catalog.root.absolute(path), true) else { return [] }
        // As recovery does: another process may have left it after a failed sync.
        try catalog.root.rewrite(path)
        try catalog.root.sync(path, folder: false)
        let done = try catalog.write(.check) { db in
            guard
                let row = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT t.clip, t.ordinal, t.duration_ms FROM track t JOIN clip c ON c.id = t.clip
                        WHERE t.path = ? AND c.state = 'closed'
                        """, arguments: [path])
            else { return false }
            let clip = try row.value(0) as Int64
            try Catalog.fill(scanned, clip: ClipID(rawValue: clip), row.value(1), db)
            try Self.remeasure(clip, incomplete: scanned.durationMs < (row.value(2) as Int64), db)
            return true
        }
        return done ? ["\(path) measured anew"] : []
    }

    private static let totalBytes = "CAST(total(bytes) AS INTEGER)"
    private static let longest = "max(0, CAST(ifnull(max(end_wall_ms - start_wall_ms), 0) AS INTEGER))"

    private static func remeasure(_ clip: Int64, incomplete: Bool, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE clip SET incomplete = max(incomplete, ?2),
                    bytes = (SELECT \(totalBytes) FROM track WHERE clip = ?1) WHERE id = ?1
                """, arguments: [clip, incomplete])
    }

    /// Clips that lost every file leave the catalog by way of the ledger, so that coverage can say what became of them.
    /// A protected one stays: only its owner may let it go.
    private func removeTrackless() throws -> [String] {
        let ids = try catalog.read { db in
            try Int64.fetchAll(
                db,
                sql: """
                    SELECT id FROM clip WHERE state = 'closed'
                        AND NOT EXISTS (SELECT 1 FROM track WHERE track.clip = clip.id)
                    """)
        }.map(ClipID.init)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let report = try Deleter(catalog: catalog).delete(ids, rule: Self.missingRule, by: .loss, atWallMs: now)
        return report.deleted.map { "clip \($0) has no file left; entered in the ledger as missing" }
            + report.failures.map {
                "clip \($0.clip) has no file left and stays marked: \($0.error.reason)"
            }
    }

    /// Sizes from the tracks, then the totals from the sizes; last, since all before it changes them.
    private func recount() throws -> [String] {
        try catalog.write(.check) { db in
            try db.execute(
                sql: """
                    UPDATE clip SET bytes = (SELECT \(Self.totalBytes) FROM track WHERE track.clip = clip.id)
                    WHERE \(FsckRows.wrongSizes)
                    """)
            let sizes = db.changesCount
            guard try sizes > 0 || !FsckRows.totals(db).isEmpty else { return [] }
            let ofBoth = "clip c WHERE c.camera = usage.camera AND c.class = usage.class"
            let counted = ofBoth + " AND c.state <> 'deleting'"
            try db.execute(
                sql: """
                    UPDATE usage SET
                        clips = (SELECT count(*) FROM \(counted)),
                        bytes = (SELECT \(Self.totalBytes) FROM \(counted)),
                        longest_ms = (SELECT \(Self.longest) FROM \(ofBoth))
                    """)
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO usage (camera, class, clips, bytes, longest_ms)
                    SELECT camera, class, count(*), \(Self.totalBytes), \(Self.longest)
                    FROM clip WHERE state <> 'deleting' GROUP BY camera, class
                    """)
            try db.execute(sql: "DELETE FROM remote_usage")
            try db.execute(
                sql: """
                    INSERT INTO remote_usage (camera, clips, bytes, longest_ms)
                    SELECT camera, count(*), \(Self.totalBytes), \(Self.longest)
                    FROM remote_clip GROUP BY camera
                    """)
            return ["totals counted anew"]
        }
    }
}
