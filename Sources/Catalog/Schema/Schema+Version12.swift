extension Schema {
    static let version12CameraSetting = """
        CREATE TABLE camera_setting ( -- What was set for one camera over its policy and the configuration, each time that somebody did. The newest row of a key holds.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Never used twice; grows with time.
            camera TEXT NOT NULL CHECK (length(camera) BETWEEN 1 AND 64), -- Name of the camera.
            key TEXT NOT NULL CHECK (key IN ('mode', 'sensitivity', 'maxEventLength', 'recordedSound', 'rotation')), -- What was set.
            value TEXT CHECK (length(value) BETWEEN 1 AND 40), -- To what, as policies write it; NULL: no longer, so the policy or the configuration holds.
            since_wall_ms INTEGER NOT NULL, -- When, UTC epoch milliseconds.
            by TEXT NOT NULL -- Who did.
        )
        """

    static let cameraSettingByKey = """
        CREATE INDEX camera_setting_by_key ON camera_setting ( -- The newest change of each key of a camera.
            camera, key, id
        )
        """
}
