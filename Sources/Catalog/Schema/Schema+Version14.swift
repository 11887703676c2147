extension Schema {
    static let notification = """
        CREATE TABLE notification ( -- What a receiver of the section notify is told, or was. The newest that are over stay.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Never used twice; grows with time.
            token TEXT NOT NULL DEFAULT (lower(hex(randomblob(8)))) CHECK (length(token) = 16), -- What names it for its receiver, the same each time that it is sent.
            receiver TEXT NOT NULL CHECK (length(receiver) BETWEEN 1 AND 64), -- Name of the receiver.
            kind TEXT NOT NULL CHECK (kind IN ('begin', 'end', 'problem', 'problemOver')), -- What it tells.
            camera TEXT CHECK (length(camera) BETWEEN 1 AND 64), -- Name of the camera; NULL: it is about the site.
            event INTEGER, -- The event; NULL for a problem.
            problem TEXT, -- The message kind of the problem; NULL for an event.
            words TEXT, -- What the journal said of the problem; NULL for an event.
            at_wall_ms INTEGER NOT NULL, -- When it happened, UTC epoch milliseconds.
            state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'taken', 'givenUp')), -- What became of it.
            attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0), -- How often it was sent in vain.
            plain INTEGER NOT NULL DEFAULT 0 CHECK (plain IN (0, 1)), -- 1: it goes without a picture, because the receiver took none.
            why TEXT, -- Why it was not taken the last time, in words; NULL where that has not happened.
            over_wall_ms INTEGER, -- When it was taken or given up, UTC epoch milliseconds; NULL while it waits.
            CHECK ((kind IN ('begin', 'end')) = (event IS NOT NULL) AND (event IS NULL) = (problem IS NOT NULL)),
            CHECK ((state = 'waiting') = (over_wall_ms IS NULL))
        )
        """

    static let version14Indexes = [
        """
        CREATE INDEX notification_waiting ON notification ( -- What waits for a receiver, the oldest first.
            receiver, id
        ) WHERE state = 'waiting'
        """,
        """
        CREATE INDEX notification_by_camera ON notification ( -- When a receiver was last told of a camera's events.
            receiver, camera, at_wall_ms
        ) WHERE event IS NOT NULL
        """,
        """
        CREATE UNIQUE INDEX notification_by_event ON notification ( -- Nothing of an event is told twice.
            event, receiver, kind
        ) WHERE event IS NOT NULL
        """,
    ]
}
