import GRDB
public import Machines

/// What one camera stores of one class; clips being deleted left out.
public struct Usage: Hashable, Sendable {
    /// Name of the camera.
    public let camera: String
    /// Which class.
    public let mediaClass: RetentionPlan.MediaClass
    /// Clips, open ones included.
    public let clips: Int64
    /// Their bytes; an open clip counts from its close.
    public let bytes: Int64
}

extension Catalog {
    /// Totals per camera and class, by name. Kept by the database; costs nothing however much is stored.
    public func usage() throws(CatalogError) -> [Usage] {
        try read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT camera, class, CAST(clips AS INTEGER), CAST(bytes AS INTEGER) FROM usage ORDER BY camera, class
                    """)
            var usage: [Usage] = []
            while let row = try rows.next() {
                usage.append(
                    try Usage(
                        camera: row.value(0), mediaClass: ClipRows.word(row, 1), clips: row.value(2),
                        bytes: row.value(3)))
            }
            return usage
        }
    }

    /// The oldest clips of a camera and class that may be deleted, by end: closed, not protected, not waiting for an upload.
    public func oldest(
        camera: String, mediaClass: RetentionPlan.MediaClass, limit: Int
    ) throws(CatalogError) -> [RetentionPlan.Clip] {
        try read { db in try Self.oldest(db, camera, mediaClass, limit) }
    }

    /// What a retention pass needs: of each camera and class the `limit` oldest clips that may be deleted, what all cameras
    /// store, and how much of it is protected or waits for an upload, at one moment.
    public func retentionWindow(limit: Int) throws(CatalogError) -> RetentionWindow {
        try read { db in
            var window = RetentionWindow()
            // The last clip of each camera and class that may have more.
            var last: Set<Int64> = []
            // A total is derived: whatever stands there must not keep the disk from being freed.
            let rows = try Row.fetchAll(
                db, sql: "SELECT camera, class, CAST(bytes AS INTEGER) FROM usage WHERE clips > 0")
            for row in rows {
                let camera: String = try row.value(0)
                let oldest = try Self.oldest(db, camera, ClipRows.word(row, 1), limit)
                if oldest.count >= limit {
                    window.truncated[camera] = oldest.isEmpty ? 0 : .max
                    if let clip = oldest.last { last.insert(clip.id) }
                }
                window.clips += oldest
                window.storedBytes[camera, default: 0] += try row.value(2)
            }
            window.clips.sort { ($0.endMs, $0.id) < ($1.endMs, $1.id) }
            for (index, clip) in window.clips.enumerated() where last.contains(clip.id) {
                window.truncated[clip.camera] = min(window.truncated[clip.camera] ?? .max, index + 1)
            }
            // What is stored and not in a whole window is protected or guarded: an open clip has no bytes before its close.
            var deletable: [String: Int64] = [:]
            for clip in window.clips { deletable[clip.camera, default: 0] += clip.bytes }
            for (camera, bytes) in window.storedBytes where window.truncated[camera] == nil {
                window.protectedBytes[camera] = max(0, bytes - deletable[camera, default: 0])
            }
            return window
        }
    }

    static let oldestSQL = """
        SELECT id, start_wall_ms, end_wall_ms, bytes FROM clip
        WHERE state = 'closed' AND protected = 0 AND camera = ? AND class = ? AND \(isUnguarded)
        ORDER BY end_wall_ms, id LIMIT ?
        """

    private static func oldest(
        _ db: Database, _ camera: String, _ mediaClass: RetentionPlan.MediaClass, _ limit: Int
    ) throws -> [RetentionPlan.Clip] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: oldestSQL), arguments: [camera, mediaClass.rawValue, max(limit, 0)])
        var clips: [RetentionPlan.Clip] = []
        while let row = try rows.next() {
            clips.append(
                try RetentionPlan.Clip(
                    id: row.value(0), camera: camera, mediaClass: mediaClass, startMs: row.value(1),
                    endMs: row.value(2), bytes: row.value(3)))
        }
        return clips
    }
}
