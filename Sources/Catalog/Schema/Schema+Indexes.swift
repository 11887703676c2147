extension Schema {
    /// The indexes, each for the queries that its comment names.
    static let indexes: [String] = [
        """
        CREATE INDEX clip_by_camera ON clip ( -- One camera's clips by time; covers the timeline, which reads nothing else.
            camera, start_wall_ms, id, end_wall_ms, state, class, protected, incomplete, bytes
        )
        """,
        """
        CREATE INDEX clip_by_time ON clip ( -- All cameras' clips by time; ids grow with time, so the rows lie side by side.
            start_wall_ms, id
        )
        """,
        """
        CREATE INDEX clip_by_age ON clip ( -- What retention may delete, oldest first; covers its question.
            camera, class, end_wall_ms, id, start_wall_ms, bytes, state, protected
        ) WHERE state = 'closed' AND protected = 0
        """,
        """
        CREATE INDEX clip_unsettled ON clip ( -- What recovery has to finish; a handful of rows.
            state, camera, id
        ) WHERE state <> 'closed'
        """,
        """
        CREATE INDEX clip_by_event ON clip ( -- The clips of an event.
            event
        ) WHERE event IS NOT NULL
        """,
        """
        CREATE INDEX event_by_camera ON event ( -- One camera's events by time.
            camera, began_wall_ms, id
        )
        """,
        """
        CREATE INDEX event_by_time ON event ( -- All cameras' events by time.
            began_wall_ms, id
        )
        """,
        """
        CREATE INDEX event_active ON event ( -- What recovery has to end.
            id
        ) WHERE why IS NULL
        """,
        """
        CREATE INDEX deletion_by_camera ON deletion ( -- One camera's deleted stretches by time; covers coverage's question.
            camera, end_wall_ms, start_wall_ms, rule, at_wall_ms
        )
        """,
    ]

    static let clipWithoutEvent = """
        CREATE INDEX clip_without_event ON clip ( -- Clips of continuous mode by the clock of their boot, to find those in which an event lies.
            camera, boot_id, start_monotonic_ms, id, end_monotonic_ms, state
        ) WHERE event IS NULL
        """

    /// The triggers that keep `usage`. A clip that is being deleted counts no more: its room is as good as free.
    static let triggers: [String] = [
        """
        CREATE TRIGGER clip_inserted AFTER INSERT ON clip BEGIN -- A new clip counts.
            INSERT INTO usage (camera, class, clips, bytes, longest_ms)
                VALUES (new.camera, new.class, new.state <> 'deleting', CASE new.state WHEN 'deleting' THEN 0 ELSE new.bytes END, max(0, ifnull(new.end_wall_ms - new.start_wall_ms, 0)))
                ON CONFLICT (camera, class) DO UPDATE SET
                    clips = clips + excluded.clips, bytes = bytes + excluded.bytes, longest_ms = max(longest_ms, excluded.longest_ms);
        END
        """,
        """
        CREATE TRIGGER clip_changed AFTER UPDATE OF state, bytes, start_wall_ms, end_wall_ms ON clip BEGIN -- A clip's size, length or state changed.
            UPDATE usage SET
                clips = clips + (new.state <> 'deleting') - (old.state <> 'deleting'),
                bytes = bytes + CASE new.state WHEN 'deleting' THEN 0 ELSE new.bytes END - CASE old.state WHEN 'deleting' THEN 0 ELSE old.bytes END,
                longest_ms = max(longest_ms, ifnull(new.end_wall_ms - new.start_wall_ms, 0))
                WHERE camera = new.camera AND class = new.class;
        END
        """,
        """
        CREATE TRIGGER clip_deleted AFTER DELETE ON clip WHEN old.state <> 'deleting' BEGIN -- A clip went without a mark (an empty one).
            UPDATE usage SET clips = clips - 1, bytes = bytes - old.bytes WHERE camera = old.camera AND class = old.class;
        END
        """,
    ]
}
