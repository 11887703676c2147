import Foundation
import GRDB
import Machines

extension Catalog {
    /// Marks closed clips as deleting and writes the ledger, in one transaction that is durable when this returns. No
    /// file may be unlinked before. Protected clips, and those not closed, are left as they are.
    ///
    /// - Parameters:
    ///   - ids: the clips.
    ///   - rule: which rule asks: a `RetentionPlan.Rule`'s raw value, or the operator's word. Not empty.
    ///   - wallMs: the time, UTC epoch milliseconds.
    /// - Returns: the clips marked by this call.
    public func markDeleting(_ ids: [ClipID], rule: String, atWallMs wallMs: Int64) throws(CatalogError) -> [ClipID] {
        try write(.markDeleting) { db in
            let mark = try db.cachedStatement(
                sql: "UPDATE clip SET state = 'deleting' WHERE id = ? AND state = 'closed' AND protected = 0")
            let enter = try db.cachedStatement(
                sql: """
                    INSERT INTO deletion (clip, camera, start_wall_ms, end_wall_ms, rule, at_wall_ms)
                    SELECT id, camera, start_wall_ms, end_wall_ms, ?, ? FROM clip WHERE id = ?
                    """)
            return try ids.filter { id in
                try mark.execute(arguments: [id.rawValue])
                guard db.changesCount == 1 else { return false }
                try enter.execute(arguments: [rule, wallMs, id.rawValue])
                return true
            }
        }
    }

    /// Removes the row of a clip that is marked and whose files are gone. Does nothing if there is none.
    public func finishDeleting(_ id: ClipID) throws(CatalogError) {
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

    /// Marks an open clip that holds nothing; without a ledger row, since nothing was recorded.
    func discard(_ id: ClipID) throws(CatalogError) {
        try write(.recover) { db in
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
