extension Schema {
    static let eventLabel = """
        CREATE TABLE event_label ( -- What programs recognised during an event, one row for each name: the first time that it was told.
            label TEXT NOT NULL CHECK (length(label) BETWEEN 1 AND 32), -- What it is: person, car, parcel.
            began_wall_ms INTEGER NOT NULL, -- Begin of the event, UTC epoch milliseconds.
            event INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE, -- The event.
            camera TEXT NOT NULL, -- Its camera.
            monotonic_ms INTEGER NOT NULL, -- When it was told, milliseconds since the event's boot.
            wall_ms INTEGER NOT NULL, -- When it was told, UTC epoch milliseconds.
            x REAL CHECK (x BETWEEN 0 AND 1), -- Left edge of where it was, as a part of the picture's width; NULL where nobody said.
            y REAL CHECK (y BETWEEN 0 AND 1), -- Upper edge, as a part of its height.
            width REAL CHECK (width BETWEEN 0 AND 1), -- How wide, as a part of its width.
            height REAL CHECK (height BETWEEN 0 AND 1), -- How high, as a part of its height.
            PRIMARY KEY (label, began_wall_ms, event)
        ) WITHOUT ROWID
        """

    static let version13Indexes = [
        """
        CREATE INDEX event_label_by_camera ON event_label ( -- One camera's events with a label, by time.
            camera, label, began_wall_ms, event
        )
        """,
        """
        CREATE INDEX event_label_by_event ON event_label ( -- The labels of an event.
            event, label
        )
        """,
    ]
}
