import Foundation
import GRDB
import Machines

/// Who asks for a deletion.
public enum DeletionRight: Hashable, Sendable {
    /// A rule: clips that wait for a verified upload stay, and remote copies too.
    case rule
    /// A person: both copies go.
    case person
    /// A check that has found no file left: there is nothing to wait for.
    case loss
}

extension Catalog {
    /// Marks closed clips as deleting and writes the ledger, in one transaction that is durable when this returns. No
    /// file may be unlinked before. Protected clips, and those not closed, are left as they are; by a rule those too that wait
    /// for a verified upload. In the same transaction the clips' jobs learn that their source goes, and for a person the
    /// remote copies go too, or as soon as they are there.
    ///
    /// - Parameters:
    ///   - ids: the clips.
    ///   - rule: which rule asks: a `RetentionPlan.Rule`'s raw value, or the operator's word. Not empty.
    ///   - right: who asks.
    ///   - wallMs: the time, UTC epoch milliseconds.
    /// - Returns: the clips marked by this call.
    func markDeleting(
        _ ids: [ClipID], rule: String, by right: DeletionRight = .rule, atWallMs wallMs: Int64
    ) throws(CatalogError) -> [ClipID] {
        try write(.markDeleting) { db in
            let guarding = right == .rule ? " AND " + Self.isUnguarded : ""
            let mark = try db.cachedStatement(
                sql: "UPDATE clip SET state = 'deleting' WHERE id = ? AND state = 'closed' AND protected = 0" + guarding
            )
            // No number is given twice, but a catalog that somebody has changed, or that an early rebuild has numbered anew, may have an
            // entry of another clip under it. That one goes on below zero: it must not keep the disk from being freed.
            let makeWay = try db.cachedStatement(
                sql: "UPDATE OR REPLACE deletion SET clip = -clip WHERE clip = ? AND clip > 0")
            let enter = try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO deletion (clip, camera, start_wall_ms, end_wall_ms, rule, at_wall_ms)
                    SELECT id, camera, start_wall_ms, end_wall_ms, ?, ? FROM clip WHERE id = ?
                    """)
            return try ids.filter { id in
                try mark.execute(arguments: [id.rawValue])
                guard db.changesCount == 1 else { return false }
                try makeWay.execute(arguments: [id.rawValue])
                try enter.execute(arguments: [rule, wallMs, id.rawValue])
                try Self.sourceGoes(id, remoteRule: right == .person ? rule : nil, atWallMs: wallMs, db)
                return true
            }
        }
    }

    /// Removes the row of a clip that is marked and whose files are gone. Does nothing if there is none.
    func finishDeleting(_ id: ClipID) throws(CatalogError) {
        try finishDeleting([id])
    }

    /// The same for several, in one transaction.
    func finishDeleting(_ ids: [ClipID]) throws(CatalogError) {
        try write(.deleteClip) { db in
            let delete = try db.cachedStatement(sql: "DELETE FROM clip WHERE id = ? AND state = 'deleting'")
            for id in ids { try delete.execute(arguments: [id.rawValue]) }
        }
    }

    /// Clips that are marked and whose files may or may not be gone yet.
    public func deletingClips() throws(CatalogError) -> [Clip] { try unsettled(.deleting) }

    /// Clips whose row is open. After a restart these are what a crash left.
    public func openClips() throws(CatalogError) -> [Clip] { try unsettled(.open) }

    /// That no rule has to wait for the upload of a row of `clip`: it has none, the upload counts, somebody has cancelled it,
    /// or no plan is active by which it could be sent. So local recording never depends on a subscription.
    static let isUnguarded = """
        NOT EXISTS (SELECT 1 FROM upload u INDEXED BY upload_guarding
            WHERE u.clip = clip.id AND u.guarded = 1 AND u.counted = 0 AND u.standing <> 'over'
            AND NOT EXISTS (SELECT 1 FROM cloud_subscription s WHERE s.camera = u.camera AND s.plan <> 'active'))
        """

    /// A clip was marked: its jobs learn it. With a rule the remote copy goes too, and its job is due for it: at once if the copy
    /// is there, else when the upload counts.
    private static func sourceGoes(
        _ id: ClipID, remoteRule: String?, atWallMs wallMs: Int64, _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                UPDATE upload SET source_gone = 1, removal = ifnull(removal, ?2),
                    standing = iif(?2 IS NULL, standing, 'due') WHERE clip = ?1 AND standing IN ('due', 'failed')
                """
        ).execute(arguments: [id.rawValue, remoteRule])
        guard let remoteRule,
            let path = try String.fetchOne(
                db.cachedStatement(sql: "SELECT min(path) FROM track WHERE clip = ?"), arguments: [id.rawValue]),
            let key = ClipPaths(parsing: path)?.stem, let remote = try remoteID(of: key, db)
        else { return }
        try removeRemote(remote, rule: remoteRule, atWallMs: wallMs, db)
    }

    /// Marks an open clip that holds nothing; without a ledger row, since nothing was recorded.
    func discard(_ id: ClipID) throws(CatalogError) {
        try write(.recover) { db in
            try Self.dropUpload(ofEmpty: id, db)
            try db.execute(
                sql: "UPDATE clip SET state = 'deleting', protected = 0 WHERE id = ? AND state = 'open'",
                arguments: [id.rawValue])
        }
    }

    private func unsettled(_ state: Clip.State) throws(CatalogError) -> [Clip] {
        try read { db in
            try ClipRows.fetch(
                db, "WHERE c.state = '\(state.rawValue)' ORDER BY c.camera, c.id, t.ordinal", [], limit: .max)
        }
    }
}
