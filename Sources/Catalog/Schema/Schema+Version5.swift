extension Schema {
    static let eventUnseen = """
        CREATE TABLE event_unseen ( -- Events that nobody has marked as seen; the row goes with the mark. Events from before version 5 count as seen.
            event INTEGER PRIMARY KEY REFERENCES event (id) ON DELETE CASCADE, -- The event.
            camera TEXT NOT NULL, -- Its camera.
            began_wall_ms INTEGER NOT NULL -- Its begin, UTC epoch milliseconds.
        )
        """

    static let message = """
        CREATE TABLE message ( -- What an operator should know, until somebody clears it: one row for each kind, camera and subject.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Never used twice.
            kind TEXT NOT NULL CHECK (kind <> ''), -- The message kind of the journal.
            camera TEXT CHECK (length(camera) BETWEEN 1 AND 64), -- Name of the camera; NULL: it is about the site.
            subject TEXT NOT NULL, -- What of it, where one kind has several: a condition, a limit, a listener; else empty.
            priority TEXT NOT NULL CHECK (priority IN ('emergency', 'alert', 'critical', 'error', 'warning')), -- How urgent it is.
            words TEXT NOT NULL, -- What the journal said last, in one line.
            count INTEGER NOT NULL CHECK (count > 0), -- How often it was said.
            first_wall_ms INTEGER NOT NULL, -- When it was said first, UTC epoch milliseconds.
            last_wall_ms INTEGER NOT NULL, -- When it was said last, UTC epoch milliseconds.
            over_wall_ms INTEGER -- When it was over, UTC epoch milliseconds; NULL while it holds.
        )
        """

    static let version5Indexes = [
        """
        CREATE INDEX event_unseen_by_camera ON event_unseen ( -- One camera's events that nobody has seen, by time.
            camera, began_wall_ms, event
        )
        """,
        """
        CREATE INDEX event_unseen_by_time ON event_unseen ( -- All cameras' events that nobody has seen, by time.
            began_wall_ms, event
        )
        """,
        """
        CREATE UNIQUE INDEX message_by_subject ON message ( -- The one row of a kind, camera and subject.
            kind, ifnull(camera, ''), subject
        )
        """,
        """
        CREATE INDEX message_by_time ON message ( -- The messages by the time at which they were said last.
            last_wall_ms, id
        )
        """,
    ]
}
