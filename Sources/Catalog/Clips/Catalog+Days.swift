import GRDB
import Machines

/// Sums of a camera's days. They are made by SQLite: a month has thousands of rows, and only the sums are wanted. The caller
/// computes midnights, since days belong to a time zone and are not all 24 h long.
extension Catalog {
    /// How much of each interval between two neighbours of `boundaries` (UTC epoch milliseconds, ascending) lies in a camera's
    /// closed clips, in milliseconds.
    public func recordedMs(camera: String, boundaries: [Int64]) throws(CatalogError) -> [Int64] {
        try read { db in
            let longest = try Self.longest(db, camera)
            let statement = try db.cachedStatement(sql: Self.recordedSQL)
            return try zip(boundaries, boundaries.dropFirst()).map { from, to in
                let sums = try Row.fetchOne(
                    statement, arguments: [camera, from.addingClamped(-longest), to, from])
                return try sums?.value(0) ?? 0
            }
        }
    }

    /// How many events of a camera began in each interval between two neighbours of `boundaries` (UTC epoch milliseconds,
    /// ascending).
    public func eventCounts(camera: String, boundaries: [Int64]) throws(CatalogError) -> [Int] {
        try read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT count(*) FROM event WHERE camera = ? AND began_wall_ms >= ? AND began_wall_ms < ?")
            return try zip(boundaries, boundaries.dropFirst()).map { from, to in
                try Row.fetchOne(statement, arguments: [camera, from, to])?.value(0) ?? 0
            }
        }
    }

    /// The parts of clips in [?4, ?3), those that began at ?2 or later.
    static let recordedSQL = """
        SELECT ifnull(sum(max(0, min(end_wall_ms, ?3) - max(start_wall_ms, ?4))), 0) FROM clip INDEXED BY clip_by_camera
        WHERE camera = ?1 AND start_wall_ms >= ?2 AND start_wall_ms < ?3 AND state <> 'deleting' AND end_wall_ms > ?4
        """
}
