extension Schema {
    static let coverage = """
        CREATE TABLE coverage ( -- The label that a camera's coverage had from a moment on, one row for each change.
            id INTEGER PRIMARY KEY, -- Grows with time.
            camera TEXT NOT NULL CHECK (length(camera) BETWEEN 1 AND 64), -- Name of the camera.
            boot_id TEXT NOT NULL, -- Boot in which the monotonic time below counts.
            from_monotonic_ms INTEGER NOT NULL, -- Since when, milliseconds since that boot.
            from_wall_ms INTEGER NOT NULL, -- Since when, UTC epoch milliseconds; an annotation.
            label TEXT CHECK (label IN ('recorded', 'idle', 'blind', 'offByPolicy', 'offBySchedule', 'disabled', 'privacy', 'linkLost', 'storage', 'recorderDown')) -- The label; NULL: the camera was not configured any more.
        )
        """

    static let coverageByCamera = """
        CREATE INDEX coverage_by_camera ON coverage ( -- One camera's labels by time; covers coverage's question.
            camera, from_wall_ms, id, label
        )
        """

    static let eventDetail = """
        CREATE TABLE event_detail ( -- What was learnt of an event while it was active; written at its end.
            event INTEGER PRIMARY KEY REFERENCES event (id) ON DELETE CASCADE, -- The event.
            detections INTEGER NOT NULL CHECK (detections >= 0), -- Detections that passed, the first one too.
            zones TEXT, -- Names of the zones in which they were, separated by line feeds, an empty one for the part outside every zone; NULL: not located.
            picture_monotonic_ms INTEGER -- Arrival of the frame with most motion, for its picture; NULL if no detector saw it.
        )
        """

    static let suppressed = """
        CREATE TABLE suppressed ( -- Detections that began and prolonged nothing, one row for each run with one reason.
            id INTEGER PRIMARY KEY, -- Grows with time.
            camera TEXT NOT NULL CHECK (length(camera) BETWEEN 1 AND 64), -- Name of the camera.
            event INTEGER REFERENCES event (id) ON DELETE SET NULL, -- The event that was active or whose blind time ran; NULL if none.
            boot_id TEXT NOT NULL, -- Boot in which the monotonic time below counts.
            first_monotonic_ms INTEGER NOT NULL, -- The first of them, milliseconds since that boot.
            first_wall_ms INTEGER NOT NULL, -- The first of them, UTC epoch milliseconds.
            last_wall_ms INTEGER NOT NULL, -- The last of them, UTC epoch milliseconds.
            count INTEGER NOT NULL CHECK (count > 0), -- How many.
            level INTEGER NOT NULL CHECK (level IN (1, 5, 10)), -- The least of their levels.
            why TEXT NOT NULL CHECK (why IN ('sensitivity', 'zone', 'blind', 'disabled', 'privacy', 'off', 'draining')) -- The rule.
        )
        """

    static let suppressedIndexes = [
        """
        CREATE INDEX suppressed_by_camera ON suppressed ( -- One camera's suppressed detections by time.
            camera, first_wall_ms, id
        )
        """,
        """
        CREATE INDEX suppressed_by_event ON suppressed ( -- What was suppressed during an event and its blind time.
            event
        ) WHERE event IS NOT NULL
        """,
    ]
}
