import GRDB

extension Schema {
    static let eventZone = """
        CREATE TABLE event_zone ( -- The zones in which an event's detections were, to find the events of a zone.
            zone TEXT NOT NULL, -- Name of the zone; empty: the part outside every zone.
            began_wall_ms INTEGER NOT NULL, -- Begin of the event, UTC epoch milliseconds.
            event INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE, -- The event.
            camera TEXT NOT NULL, -- Its camera.
            PRIMARY KEY (zone, began_wall_ms, event)
        ) WITHOUT ROWID
        """

    static let version6Indexes = [
        """
        CREATE INDEX event_zone_by_camera ON event_zone ( -- One camera's events of a zone, by time.
            camera, zone, began_wall_ms, event
        )
        """,
        """
        CREATE INDEX event_zone_by_event ON event_zone ( -- The zones of an event.
            event, zone
        )
        """,
    ]

    /// Enters the zones of the events that an earlier version wrote.
    static func fillEventZones(_ db: Database) throws {
        let details = try Row.fetchCursor(db, sql: "SELECT event, zones FROM event_detail WHERE zones IS NOT NULL")
        while let row = try details.next() {
            try Catalog.enter(zones: EventDetail.zones(row.value(1)), of: EventID(rawValue: row.value(0)), db)
        }
    }
}
