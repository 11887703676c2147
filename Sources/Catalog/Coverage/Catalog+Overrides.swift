import GRDB

/// A switch of a camera that was set by a person or a controller and outlives a restart.
public struct CameraOverride: Hashable, Sendable {
    /// Which switch.
    public enum Key: String, Hashable, Sendable, Codable, CaseIterable {
        /// The recording toggle.
        case enabled
        /// Hard privacy: everything stops.
        case hard
        /// Recording privacy.
        case softRecording
        /// Live privacy.
        case softLive
    }

    /// Name of the camera.
    public var camera: String
    /// Which switch.
    public var key: Key
    /// On or off.
    public var value: Bool
    /// When it was set, UTC epoch milliseconds.
    public var sinceWallMs: Int64
    /// Who set it: a user, a token's name, `cli`.
    public var by: String

    /// An override.
    public init(camera: String, key: Key, value: Bool, sinceWallMs: Int64, by: String) {
        self.camera = camera
        self.key = key
        self.value = value
        self.sinceWallMs = sinceWallMs
        self.by = by
    }
}

extension Catalog {
    /// All overrides, by camera and key.
    public func overrides() throws(CatalogError) -> [CameraOverride] {
        try read { db in
            try Row.fetchAll(
                db, sql: "SELECT camera, key, value, since_wall_ms, by FROM camera_override ORDER BY camera, key"
            ).map { row in
                try CameraOverride(
                    camera: row.value(0), key: ClipRows.word(row, 1), value: row.value(2), sinceWallMs: row.value(3),
                    by: row.value(4))
            }
        }
    }

    /// Sets a switch. Durable when it returns.
    public func setOverride(_ override: CameraOverride) throws(CatalogError) {
        try write(.write) { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO camera_override (camera, key, value, since_wall_ms, by)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    override.camera, override.key.rawValue, override.value, override.sinceWallMs, override.by,
                ])
        }
    }
}
