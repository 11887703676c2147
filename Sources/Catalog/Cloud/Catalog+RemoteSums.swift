import GRDB

/// What a camera has in the cloud of a time.
public struct RemoteSum: Hashable, Sendable {
    /// Clips that begin in it, and their size.
    public let clips: Int64, bytes: Int64
    /// Those of them that ended by the given time.
    public let agedClips: Int64, agedBytes: Int64
    /// Those of which the disk has no copy that is whole.
    public let aloneClips: Int64, aloneBytes: Int64
    /// The first and the last end of a clip, UTC epoch milliseconds.
    public let firstEndMs: Int64, lastEndMs: Int64
}

extension Catalog {
    /// The first start of a camera's remote clips at or after a time, UTC epoch milliseconds; nil where there is none.
    public func remoteStart(camera: String, fromWallMs: Int64) throws(CatalogError) -> Int64? {
        try read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: Self.remoteStartSQL), arguments: [camera, fromWallMs])?.value(0)
        }
    }

    static let remoteStartSQL =
        "SELECT min(start_wall_ms) FROM remote_clip WHERE camera = ? AND start_wall_ms >= ?"

    /// What the remote clips of a camera come to that begin in [`fromWallMs`, `toWallMs`); nil where there are none.
    ///
    /// - Parameter endedByWallMs: those that ended by this time are counted apart.
    public func remoteSum(
        camera: String, fromWallMs: Int64, toWallMs: Int64, endedByWallMs: Int64
    ) throws(CatalogError) -> RemoteSum? {
        try read { db in
            let row = try Row.fetchOne(
                db.cachedStatement(sql: Self.remoteSumSQL), arguments: [camera, fromWallMs, toWallMs, endedByWallMs])
            guard let row, let clips = try row.value(0) as Int64?, clips > 0 else { return nil }
            return try RemoteSum(
                clips: clips, bytes: row.value(1), agedClips: row.value(2), agedBytes: row.value(3),
                aloneClips: row.value(4), aloneBytes: row.value(5), firstEndMs: row.value(6), lastEndMs: row.value(7))
        }
    }

    static let remoteSumSQL = """
        SELECT count(*), CAST(total(bytes) AS INTEGER), sum(end_wall_ms <= ?4),
            CAST(total(iif(end_wall_ms <= ?4, bytes, 0)) AS INTEGER), sum(alone),
            CAST(total(iif(alone, bytes, 0)) AS INTEGER), min(end_wall_ms), max(end_wall_ms)
        FROM (
            SELECT bytes, end_wall_ms, NOT EXISTS (
                SELECT 1 FROM track t JOIN clip c ON c.id = t.clip
                WHERE t.path IN (r.key || '.cmfv', r.key || '.cmfa') AND c.state = 'closed') AS alone
            FROM remote_clip r INDEXED BY remote_clip_by_camera
            WHERE camera = ?1 AND start_wall_ms >= ?2 AND start_wall_ms < ?3)
        """
}
