import GRDB

extension Schema {
    static let cameraSetting = """
        CREATE TABLE camera_setting ( -- What was set for one camera over its policy and the configuration, each time that somebody did. The newest row of a key holds.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Never used twice; grows with time.
            camera TEXT NOT NULL CHECK (length(camera) BETWEEN 1 AND 64), -- Name of the camera.
            key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 40), -- What was set; a key that this version does not know sets nothing.
            value TEXT CHECK (length(value) BETWEEN 1 AND 40), -- To what, as policies write it; NULL: no longer, so the policy or the configuration holds.
            since_wall_ms INTEGER NOT NULL, -- When, UTC epoch milliseconds.
            by TEXT NOT NULL -- Who did.
        )
        """

    /// Writes the table of version 12 anew, without its list of keys.
    static func replaceCameraSettings(_ db: Database) throws {
        try db.execute(
            sql: "DROP INDEX camera_setting_by_key; ALTER TABLE camera_setting RENAME TO camera_setting_before")
        for statement in cameraSettings { try db.execute(sql: statement) }
        try db.execute(
            sql: """
                INSERT INTO camera_setting (id, camera, key, value, since_wall_ms, by)
                    SELECT id, camera, key, value, since_wall_ms, by FROM camera_setting_before;
                DROP TABLE camera_setting_before
                """)
    }
}
