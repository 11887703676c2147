extension Schema {
    static let cloudDay = """
        CREATE TABLE cloud_day ( -- A list of a day that the store may have, or is to get. The row goes when the store has none any more.
            store TEXT NOT NULL CHECK (store <> ''), -- The store.
            camera TEXT NOT NULL CHECK (length(camera) BETWEEN 1 AND 64), -- The camera.
            day TEXT NOT NULL CHECK (length(day) = 10), -- The day, such as 2026-11-23.
            stale INTEGER NOT NULL DEFAULT 1 CHECK (stale IN (0, 1)), -- 1: the list is to be made anew.
            PRIMARY KEY (store, camera, day)
        ) WITHOUT ROWID
        """

    static let cloudDayChange = """
        CREATE TABLE cloud_day_change ( -- A remote clip came, changed or went, and the list of its day is not called stale yet: which day that is, the time zone says.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Grows with each change.
            store TEXT NOT NULL, -- The clip's store.
            camera TEXT NOT NULL, -- Its camera.
            start_wall_ms INTEGER NOT NULL -- Its first frame, UTC epoch milliseconds.
        )
        """

    static let cloudDayZone = """
        CREATE TABLE cloud_day_zone ( -- The time zone whose days the lists in a store have; without a row all of them are to be made anew.
            store TEXT PRIMARY KEY CHECK (store <> ''), -- The store.
            zone TEXT NOT NULL -- The zone's name.
        ) WITHOUT ROWID
        """

    static let version9Indexes = [
        """
        CREATE INDEX cloud_day_stale ON cloud_day ( -- The lists that are to be made anew, those of the newest days first.
            store, day DESC, camera
        ) WHERE stale = 1
        """
    ]

    static let version9Triggers = [
        """
        CREATE TRIGGER cloud_day_entered AFTER INSERT ON remote_clip BEGIN -- A remote clip came.
            INSERT INTO cloud_day_change (store, camera, start_wall_ms) VALUES (new.store, new.camera, new.start_wall_ms);
        END
        """,
        """
        CREATE TRIGGER cloud_day_changed AFTER UPDATE ON remote_clip BEGIN -- It changed, perhaps its day too.
            INSERT INTO cloud_day_change (store, camera, start_wall_ms) VALUES (old.store, old.camera, old.start_wall_ms), (new.store, new.camera, new.start_wall_ms);
        END
        """,
        """
        CREATE TRIGGER cloud_day_left AFTER DELETE ON remote_clip BEGIN -- It went.
            INSERT INTO cloud_day_change (store, camera, start_wall_ms) VALUES (old.store, old.camera, old.start_wall_ms);
        END
        """,
    ]
}
