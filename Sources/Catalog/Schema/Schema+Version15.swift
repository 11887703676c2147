extension Schema {
    static let transport = """
        CREATE TABLE transport ( -- A transport of a camera beside its own recording; those that are gone stay while their recordings are kept.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Never used twice.
            camera TEXT NOT NULL CHECK (length(camera) BETWEEN 1 AND 64), -- Name of the camera.
            number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 65534), -- By which clients name it; given again when all others are taken.
            status TEXT NOT NULL DEFAULT 'inactive' CHECK (status IN ('active', 'inactive')), -- Whether it may record.
            options TEXT NOT NULL CHECK (length(options) BETWEEN 2 AND 16384), -- What holds for it, as JSON of the HTTP interface.
            allocated_wall_ms INTEGER NOT NULL, -- When it was allocated, UTC epoch milliseconds.
            by TEXT NOT NULL, -- Who allocated it.
            expires_wall_ms INTEGER, -- When it is over by itself, UTC epoch milliseconds; NULL: it is not.
            removed_wall_ms INTEGER -- When it was deallocated or over, UTC epoch milliseconds; NULL while it is there.
        )
        """

    static let transportRecording = """
        CREATE TABLE transport_recording ( -- A stretch in which a transport recorded; the media are clips of its camera.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Never used twice; grows with time.
            transport INTEGER NOT NULL REFERENCES transport (id) ON DELETE CASCADE, -- The transport.
            camera TEXT NOT NULL CHECK (length(camera) BETWEEN 1 AND 64), -- Its camera.
            began_wall_ms INTEGER NOT NULL, -- When it was triggered, UTC epoch milliseconds.
            ended_wall_ms INTEGER, -- When it ended, UTC epoch milliseconds; NULL while it goes on.
            pre_roll_ms INTEGER NOT NULL DEFAULT 0 CHECK (pre_roll_ms >= 0), -- What was asked for of the time before.
            cause TEXT NOT NULL CHECK (cause IN ('motion', 'command', 'continuous')), -- What began it.
            reason TEXT CHECK (length(reason) BETWEEN 1 AND 32), -- Why it was triggered by command; NULL where it was not.
            why TEXT CHECK (why IN ('quiet', 'limit', 'inactive', 'modified', 'privacy', 'disabled', 'off', 'deallocated', 'expired', 'draining', 'interrupted')), -- Why it ended; NULL while it goes on.
            CHECK ((ended_wall_ms IS NULL) = (why IS NULL))
        )
        """

    static let version15Indexes = [
        """
        CREATE UNIQUE INDEX transport_by_number ON transport ( -- The transports that are there.
            camera, number
        ) WHERE removed_wall_ms IS NULL
        """,
        """
        CREATE INDEX transport_recording_by_transport ON transport_recording ( -- The recordings of a transport by time.
            transport, id
        )
        """,
        """
        CREATE INDEX transport_recording_open ON transport_recording ( -- What goes on, or went on when the daemon was killed.
            id
        ) WHERE ended_wall_ms IS NULL
        """,
    ]
}
