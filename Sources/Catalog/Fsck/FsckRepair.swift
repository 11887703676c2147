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
        return repairs + (try removeTrackless())
    }

    private func repair(_ finding: Finding) throws -> [String] {
        switch finding.kind {
        case .missingFile: try dropTrack(finding.subject)
        case .wrongSize, .wrongIndex: try rescan(finding.subject)
        case .wrongTotals: try recount()
        case .strayUpload: try catalog.settleStrayUploads().map { "upload \($0) settled" }
        case .corrupt, .schema, .openClip, .unfinishedDeletion, .activeEvent, .unclaimedFile, .strangeFile,
            .noTracks, .brokenChain, .overlap, .unreadable:
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

    /// Takes a file that is gone out of its clip. What stands in its place and is no plain file is set aside first.
    private func dropTrack(_ path: String) throws -> [String] {
        var report = RecoveryReport()
        if let status = try catalog.root.status(path) {
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
        return words(of: report) + (dropped ? ["\(path) is gone; taken out of its clip"] : [])
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

    private static func remeasure(_ clip: Int64, incomplete: Bool, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE clip SET incomplete = max(incomplete, ?2),
                    bytes = (SELECT ifnull(sum(bytes), 0) FROM track WHERE clip = ?1) WHERE id = ?1
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

    private func recount() throws -> [String] {
        try catalog.write(.check) { db in
            try db.execute(
                sql: """
                    UPDATE usage SET
                        clips = (SELECT count(*) FROM clip c WHERE c.camera = usage.camera AND c.class = usage.class AND c.state <> 'deleting'),
                        bytes = (SELECT ifnull(sum(c.bytes), 0) FROM clip c WHERE c.camera = usage.camera AND c.class = usage.class AND c.state <> 'deleting'),
                        longest_ms = max(longest_ms, (SELECT ifnull(max(c.end_wall_ms - c.start_wall_ms), 0) FROM clip c WHERE c.camera = usage.camera AND c.class = usage.class))
                    """)
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO usage (camera, class, clips, bytes, longest_ms)
                    SELECT camera, class, count(*), sum(bytes), max(0, ifnull(max(end_wall_ms - start_wall_ms), 0))
                    FROM clip WHERE state <> 'deleting' GROUP BY camera, class
                    """)
            try db.execute(sql: "DELETE FROM remote_usage")
            try db.execute(
                sql: """
                    INSERT INTO remote_usage (camera, clips, bytes, longest_ms)
                    SELECT camera, count(*), sum(bytes), max(0, max(end_wall_ms - start_wall_ms))
                    FROM remote_clip GROUP BY camera
                    """)
        }
        return ["totals counted anew"]
    }
}
