import GRDB

/// Something that was set for a camera over its policy and the configuration, or no longer is.
public struct CameraSetting: Hashable, Sendable {
    /// Name of the camera.
    public var camera: String
    /// What was set: a key of `CameraSettings`.
    public var key: String
    /// To what, as policies write it; nil: no longer.
    public var value: String?
    /// When, UTC epoch milliseconds.
    public var sinceWallMs: Int64
    /// Who did: a user, a token's name.
    public var by: String

    /// A setting.
    public init(camera: String, key: String, value: String?, sinceWallMs: Int64, by: String) {
        self.camera = camera
        self.key = key
        self.value = value
        self.sinceWallMs = sinceWallMs
        self.by = by
    }
}

extension Catalog {
    /// How many changes of one key are kept for each camera.
    static let settingsKept = 100

    /// What was last set of each key of a camera, in the order of the keys; where `wallMs` is given, by what was set till then.
    public func settings(of camera: String, atWallMs wallMs: Int64 = .max) throws(CatalogError) -> [CameraSetting] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT camera, key, value, since_wall_ms, by FROM camera_setting
                    WHERE id IN (SELECT max(id) FROM camera_setting WHERE camera = ? AND since_wall_ms <= ? GROUP BY key)
                    ORDER BY key
                    """,
                arguments: [camera, wallMs]
            ).map { row in
                try CameraSetting(
                    camera: row.value(0), key: row.value(1), value: row.value(2), sinceWallMs: row.value(3),
                    by: row.value(4))
            }
        }
    }

    /// Sets keys of a camera, all or none. Durable when it returns. Of each key the newest `settingsKept` changes are kept.
    public func set(_ settings: [CameraSetting]) throws(CatalogError) {
        try write(.write) { db in
            for setting in settings {
                try db.execute(
                    sql: "INSERT INTO camera_setting (camera, key, value, since_wall_ms, by) VALUES (?, ?, ?, ?, ?)",
                    arguments: [setting.camera, setting.key, setting.value, setting.sinceWallMs, setting.by])
                try db.execute(
                    sql: """
                        DELETE FROM camera_setting WHERE camera = ?1 AND key = ?2 AND id <= (
                            SELECT id FROM camera_setting WHERE camera = ?1 AND key = ?2
                            ORDER BY id DESC LIMIT 1 OFFSET ?3)
                        """,
                    arguments: [setting.camera, setting.key, Self.settingsKept])
            }
        }
    }
}
