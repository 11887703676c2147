public import Foundation
import GRDB
public import Machines

/// What is asked of the remote clips. All of it is in the catalog, so days and events are there while the store is away.
extension Catalog {
    /// How much of each interval between two neighbours of `boundaries` (UTC epoch milliseconds, ascending) lies in a camera's
    /// remote clips, in milliseconds. The caller computes midnights of the site's time zone.
    ///
    /// - Parameter isGone: only those of which the disk has nothing any more.
    public func remoteMs(
        camera: String, boundaries: [Int64], isGone: Bool = false
    ) throws(CatalogError) -> [Int64] {
        try read { db in
            let longest = try Self.longestRemote(db, camera)
            guard longest > 0 else { return Array(repeating: 0, count: max(boundaries.count - 1, 0)) }
            let statement = try db.cachedStatement(sql: isGone ? Self.remoteMsSQL + Self.isGoneSQL : Self.remoteMsSQL)
            return try zip(boundaries, boundaries.dropFirst()).map { from, to in
                try Row.fetchOne(statement, arguments: [camera, from.addingClamped(-longest), to, from])?.value(0) ?? 0
            }
        }
    }

    static let remoteMsSQL = """
        SELECT ifnull(sum(max(0, min(end_wall_ms, ?3) - max(start_wall_ms, ?4))), 0)
        FROM remote_clip r INDEXED BY remote_clip_by_camera
        WHERE camera = ?1 AND start_wall_ms >= ?2 AND start_wall_ms < ?3 AND end_wall_ms > ?4
        """

    /// The condition that the disk has nothing of a remote clip `r`.
    private static let isGoneSQL = """
         AND NOT EXISTS (
            SELECT 1 FROM track t JOIN clip c ON c.id = t.clip
            WHERE t.path IN (r.key || '.cmfv', r.key || '.cmfa') AND c.state <> 'deleting')
        """

    /// The remote clips of one camera that reach into [`fromWallMs`, `toWallMs`), by start. All of them are read from one index.
    ///
    /// - Parameter isGone: only those of which the disk has nothing any more.
    public func remoteSlices(
        camera: String, fromWallMs: Int64, toWallMs: Int64, isGone: Bool = false, limit: Int = ClipQuery.limitMax
    ) throws(CatalogError) -> [RemoteSlice] {
        try read { db in
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: isGone ? Self.remoteSlicesGoneSQL : Self.remoteSlicesSQL),
                arguments: [
                    camera, fromWallMs.addingClamped(-(try Self.longestRemote(db, camera))), toWallMs, fromWallMs,
                    min(max(limit, 0), ClipQuery.limitMax),
                ])
            var slices: [RemoteSlice] = []
            while let row = try rows.next() {
                slices.append(
                    try RemoteSlice(
                        id: RemoteClipID(rawValue: row.value(0)), startWallMs: row.value(1), endWallMs: row.value(2),
                        mediaClass: ClipRows.word(row, 3), isComplete: row.value(4), bytes: row.value(5)))
            }
            return slices
        }
    }

    static let remoteSlicesSQL = remoteSlicesSQL("")
    static let remoteSlicesGoneSQL = remoteSlicesSQL(isGoneSQL)

    private static func remoteSlicesSQL(_ condition: String) -> String {
        """
        SELECT id, start_wall_ms, end_wall_ms, class, complete, bytes FROM remote_clip r INDEXED BY remote_clip_by_camera
        WHERE camera = ?1 AND start_wall_ms >= ?2 AND start_wall_ms < ?3
            AND (end_wall_ms > ?4 OR start_wall_ms >= ?4)\(condition)
        ORDER BY start_wall_ms, id LIMIT ?5
        """
    }

    /// A camera's events that began in [`fromWallMs`, `toWallMs`) and lie in remote clips, by time: after the first `offset`,
    /// `limit` of them.
    ///
    /// - Parameter isGone: only those of which the disk has no row any more, or no clip.
    public func remoteEvents(
        camera: String, fromWallMs: Int64, toWallMs: Int64, isGone: Bool = false,
        order: ClipQuery.Order = .oldestFirst, offset: Int = 0, limit: Int = ClipQuery.limitMax
    ) throws(CatalogError) -> [RemoteEvent] {
        try read { db in
            let statement = try db.cachedStatement(sql: Self.remoteEventsSQL(isGone: isGone, order))
            let clips = try db.cachedStatement(
                sql: "SELECT remote FROM remote_event_clip WHERE event = ? ORDER BY remote")
            return try Row.fetchAll(
                statement,
                arguments: [camera, fromWallMs, toWallMs, min(max(limit, 0), ClipQuery.limitMax), max(offset, 0)]
            ).map { row in
                let id = try row.value(0) as Int64
                let remotes = try Row.fetchAll(clips, arguments: [id]).map { RemoteClipID(rawValue: try $0.value(0)) }
                return try Self.remoteEvent(
                    row, id: id, remotes, local: (row.value(11) as Int64?).map(EventID.init(rawValue:)))
            }
        }
    }

    static func remoteEventsSQL(isGone: Bool, _ order: ClipQuery.Order) -> String {
        let way = order == .newestFirst ? "DESC" : "ASC"
        return """
            SELECT id, camera, boot_id, began_monotonic_ms, began_wall_ms, ended_wall_ms, cause, level, detections, zones,
                picture, (\(localEventSQL)) AS local
            FROM remote_event o INDEXED BY remote_event_by_camera
            WHERE camera = ? AND began_wall_ms >= ? AND began_wall_ms < ?\(isGone ? " AND (\(isGoneEventSQL))" : "")
            ORDER BY began_wall_ms \(way), id \(way) LIMIT ? OFFSET ?
            """
    }

    /// The disk's row of a remote event `o`: camera, boot and begin name it, and its begin by wall time finds it.
    static let localEventSQL = """
        SELECT e.id FROM event e INDEXED BY event_by_camera WHERE e.camera = o.camera AND e.began_wall_ms = o.began_wall_ms
            AND e.boot_id = o.boot_id AND e.began_monotonic_ms = o.began_monotonic_ms
        """

    /// The condition that the disk has no row of a remote event `o`, or none of its clips.
    private static let isGoneEventSQL = """
        local IS NULL OR NOT EXISTS (
            SELECT 1 FROM remote_event_clip l JOIN remote_clip r ON r.id = l.remote
            JOIN track t ON t.path IN (r.key || '.cmfv', r.key || '.cmfa') JOIN clip c ON c.id = t.clip
            WHERE l.event = o.id AND c.state <> 'deleting')
        """

    /// One event that lies in remote clips; nil if there is none of this number.
    public func remoteEvent(_ id: Int64) throws(CatalogError) -> RemoteEvent? {
        try read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT id, camera, boot_id, began_monotonic_ms, began_wall_ms, ended_wall_ms, cause, level, detections, zones,
                        picture FROM remote_event WHERE id = ?
                    """, arguments: [id])
            return try row.map { try Self.remoteEvent($0, id: id, []) }
        }
    }

    /// How many events of a camera that lie in remote clips began in each interval between two neighbours of `boundaries` (UTC
    /// epoch milliseconds, ascending).
    ///
    /// - Parameter isUnknown: only those of which the disk has no row.
    public func remoteEventCounts(
        camera: String, boundaries: [Int64], isUnknown: Bool = false
    ) throws(CatalogError) -> [Int] {
        try read { db in
            let condition = isUnknown ? " AND NOT EXISTS (\(Self.localEventSQL))" : ""
            let statement = try db.cachedStatement(sql: Self.remoteEventCountSQL + condition)
            return try zip(boundaries, boundaries.dropFirst()).map { from, to in
                try Row.fetchOne(statement, arguments: [camera, from, to])?.value(0) ?? 0
            }
        }
    }

    static let remoteEventCountSQL =
        "SELECT count(*) FROM remote_event o WHERE camera = ? AND began_wall_ms >= ? AND began_wall_ms < ?"

    private static func remoteEvent(
        _ row: Row, id: Int64, _ clips: [RemoteClipID], local: EventID? = nil
    ) throws -> RemoteEvent {
        let level = try (row.value(7) as Int64?).flatMap { Sensitivity(rawValue: Int(truncatingIfNeeded: $0)) }
        return try RemoteEvent(
            id: id, camera: row.value(1),
            event: NewRemoteEvent(
                bootID: row.value(2), beganMonotonicMs: row.value(3), beganWallMs: row.value(4),
                endedWallMs: row.value(5), cause: row.value(6), level: level, detections: row.value(8),
                zones: EventDetail.zones(row.value(9)), picture: row.value(10)), clips: clips, local: local)
    }

    /// One remote clip; nil if there is none of that id.
    public func remoteClip(_ id: RemoteClipID) throws(CatalogError) -> RemoteClip? {
        try read { db in try Self.remoteClip(db, "id = ?", [id.rawValue]) }
    }

    /// The remote copy of what lies below a key; nil if there is none.
    public func remoteClip(key: String) throws(CatalogError) -> RemoteClip? {
        try read { db in try Self.remoteClip(db, "key = ?", [key]) }
    }

    /// The description of a remote clip; nil if there is none of that id.
    public func remoteDescription(of id: RemoteClipID) throws(CatalogError) -> Data? {
        try read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: "SELECT body FROM remote_description WHERE remote = ?"),
                arguments: [id.rawValue])?.value(0)
        }
    }

    /// What each camera has in the cloud, by name. Kept by the database.
    public func remoteUsage() throws(CatalogError) -> [RemoteUsage] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT camera, clips, bytes FROM remote_usage WHERE clips > 0 ORDER BY camera")
                .map { try RemoteUsage(camera: $0.value(0), clips: $0.value(1), bytes: $0.value(2)) }
        }
    }

    /// The oldest remote clips of a camera, by end: what cloud retention plans with.
    public func oldestRemote(camera: String, limit: Int) throws(CatalogError) -> [CloudRetentionPlan.Clip] {
        try read { db in
            try Row.fetchAll(
                db.cachedStatement(sql: Self.oldestRemoteSQL), arguments: [camera, max(limit, 0)]
            ).map { try CloudRetentionPlan.Clip(id: $0.value(0), camera: camera, endMs: $0.value(1)) }
        }
    }

    static let oldestRemoteSQL =
        "SELECT id, end_wall_ms FROM remote_clip WHERE camera = ? ORDER BY end_wall_ms, id LIMIT ?"

    /// Which of a camera's remote clips have no local copy that is whole, by end, after `after`: what a lapse would lose.
    public func remoteOnly(
        camera: String, after: RemoteClipID? = nil, limit: Int = 1_000
    ) throws(CatalogError) -> [RemoteClip] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(Self.remoteColumns) FROM remote_clip r WHERE camera = ?1 AND id > ?2 AND NOT EXISTS (
                        SELECT 1 FROM track t JOIN clip c ON c.id = t.clip
                        WHERE t.path IN (r.key || '.cmfv', r.key || '.cmfa') AND c.state = 'closed')
                    ORDER BY id LIMIT ?3
                    """, arguments: [camera, after?.rawValue ?? 0, min(max(limit, 0), ClipQuery.limitMax)]
            ).map(Self.remoteClip)
        }
    }

    /// The remote clips of a camera that reach into [`fromWallMs`, `toWallMs`) and are not on the disk any more, by start, each with
    /// its description. Nothing is read of a camera that has no remote clips.
    public func remoteOnly(
        camera: String, fromWallMs: Int64, toWallMs: Int64, limit: Int = ClipQuery.limitMax
    ) throws(CatalogError) -> [(clip: RemoteClip, description: Data)] {
        try read { db in
            let longest = try Self.longestRemote(db, camera)
            guard longest > 0 else { return [] }
            return try Row.fetchAll(
                db.cachedStatement(sql: Self.remoteOnlySQL),
                arguments: [
                    camera, fromWallMs.addingClamped(-longest), toWallMs, fromWallMs,
                    min(max(limit, 0), ClipQuery.limitMax),
                ]
            ).map { try (Self.remoteClip($0), $0.value(13)) }
        }
    }

    static let remoteOnlySQL = """
        SELECT \(remoteColumns), d.body FROM remote_clip r INDEXED BY remote_clip_by_camera
        JOIN remote_description d ON d.remote = r.id
        WHERE camera = ?1 AND start_wall_ms >= ?2 AND start_wall_ms < ?3 AND end_wall_ms > ?4\(isGoneSQL)
        ORDER BY start_wall_ms, id LIMIT ?5
        """

    /// The clips of the disk that are the same as remote ones, of those that are there.
    public func localClips(of ids: [RemoteClipID]) throws(CatalogError) -> [RemoteClipID: ClipID] {
        try read { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT min(c.id) FROM remote_clip r JOIN track t ON t.path IN (r.key || '.cmfv', r.key || '.cmfa')
                    JOIN clip c ON c.id = t.clip WHERE r.id = ? AND c.state <> 'deleting'
                    """)
            var found: [RemoteClipID: ClipID] = [:]
            for id in ids {
                let clip: Int64? = try Row.fetchOne(statement, arguments: [id.rawValue])?.value(0)
                if let clip { found[id] = ClipID(rawValue: clip) }
            }
            return found
        }
    }

    /// A remote clip with its description; nil if there is none of that id.
    public func remoteOnly(_ id: RemoteClipID) throws(CatalogError) -> (clip: RemoteClip, description: Data)? {
        guard let clip = try remoteClip(id), let description = try remoteDescription(of: id) else { return nil }
        return (clip, description)
    }

    static let remoteColumns = """
        id, key, store, camera, start_wall_ms, end_wall_ms, cause, class, complete, bytes, url, verified, verified_wall_ms
        """

    static func remoteClip(_ db: Database, _ condition: String, _ arguments: StatementArguments) throws -> RemoteClip? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(remoteColumns) FROM remote_clip WHERE \(condition)"), arguments: arguments
        ).map(remoteClip)
    }

    private static func remoteClip(_ row: Row) throws -> RemoteClip {
        try RemoteClip(
            id: RemoteClipID(rawValue: row.value(0)), key: row.value(1), store: row.value(2), camera: row.value(3),
            startWallMs: row.value(4), endWallMs: row.value(5), cause: ClipRows.word(row, 6),
            mediaClass: ClipRows.word(row, 7), isComplete: row.value(8), bytes: row.value(9), url: row.value(10),
            verified: Verification(how: row.value(11), wallMs: row.value(12)))
    }

    private static func longestRemote(_ db: Database, _ camera: String) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT longest_ms FROM remote_usage WHERE camera = ?")
        return try Row.fetchOne(statement, arguments: [camera])?.value(0) ?? 0
    }
}
