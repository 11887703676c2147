import GRDB

/// A clip that was recorded and is gone.
public struct Deletion: Hashable, Sendable {
    /// The clip.
    public let clip: ClipID
    /// Its camera.
    public let camera: String
    /// Its first frame, UTC epoch milliseconds.
    public let startWallMs: Int64
    /// The end of its last frame, UTC epoch milliseconds.
    public let endWallMs: Int64
    /// The rule that asked for it.
    public let rule: String
    /// When, UTC epoch milliseconds.
    public let atWallMs: Int64
}

extension Catalog {
    /// Records that both clocks were read at one moment.
    public func recordClock(bootID: String, _ moment: Moment) throws(CatalogError) {
        try write(.write) { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO clock (boot_id, monotonic_ms, wall_ms) VALUES (?, ?, ?)",
                arguments: [bootID, moment.monotonicMs, moment.wallMs])
        }
    }

    /// Records that the daemon is alive.
    public func heartbeat(bootID: String, _ moment: Moment) throws(CatalogError) {
        try write(.write) { db in
            try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO heartbeat (id, boot_id, monotonic_ms, wall_ms) VALUES (1, ?, ?, ?)"
            ).execute(arguments: [bootID, moment.monotonicMs, moment.wallMs])
        }
    }

    /// The last moment at which the daemon was alive; nil on a new root. From there on the recorder was down.
    public func lastHeartbeat() throws(CatalogError) -> (bootID: String, at: Moment)? {
        try read { db in
            guard let row = try Row.fetchOne(db, sql: "SELECT boot_id, monotonic_ms, wall_ms FROM heartbeat") else {
                return nil
            }
            return try (row.value(0), Moment(monotonicMs: row.value(1), wallMs: row.value(2)))
        }
    }

    /// What a camera recorded in [`fromWallMs`, `toWallMs`) and is gone, by end.
    public func deletions(camera: String, fromWallMs: Int64, toWallMs: Int64) throws(CatalogError) -> [Deletion] {
        try read { db in
            try Row.fetchAll(
                db.cachedStatement(sql: Self.deletionsSQL), arguments: [camera, fromWallMs, toWallMs]
            ).map { row in
                try Deletion(
                    clip: ClipID(rawValue: row.value(0)), camera: camera, startWallMs: row.value(1),
                    endWallMs: row.value(2),
                    rule: row.value(3), atWallMs: row.value(4))
            }
        }
    }

    static let deletionsSQL = """
        SELECT clip, start_wall_ms, end_wall_ms, rule, at_wall_ms FROM deletion
        WHERE camera = ? AND end_wall_ms > ? AND start_wall_ms < ? ORDER BY end_wall_ms, start_wall_ms
        """

    /// Forgets deletions of media that ended before a moment, events that ended before it and have no clip left, suppressed
    /// detections and labels of coverage: keeps the ledger as long as anyone asks for coverage, and no longer.
    ///
    /// - Returns: rows removed.
    @discardableResult
    public func forget(beforeWallMs wallMs: Int64) throws(CatalogError) -> Int {
        try write(.write) { db in
            try db.execute(sql: "DELETE FROM deletion WHERE end_wall_ms < ?", arguments: [wallMs])
            var removed = db.changesCount
            try db.execute(
                sql: """
                    DELETE FROM event WHERE began_wall_ms < ?1 AND ended_wall_ms < ?1
                        AND NOT EXISTS (SELECT 1 FROM clip WHERE clip.event = event.id)
                    """, arguments: [wallMs])
            removed += db.changesCount
            try db.execute(sql: "DELETE FROM suppressed WHERE last_wall_ms < ?", arguments: [wallMs])
            removed += db.changesCount
            // The last label before the moment still holds after it.
            try db.execute(
                sql: """
                    DELETE FROM coverage WHERE from_wall_ms < ?1 AND id NOT IN
                        (SELECT max(id) FROM coverage WHERE from_wall_ms < ?1 GROUP BY camera)
                    """, arguments: [wallMs])
            removed += db.changesCount
            return removed
        }
    }
}
