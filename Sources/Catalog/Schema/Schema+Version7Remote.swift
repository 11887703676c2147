extension Schema {
    static let remoteClip = """
        CREATE TABLE remote_clip ( -- A clip that the store has: its upload counts, or a rebuild has found it there. It outlives the local clip.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Never used twice.
            key TEXT NOT NULL UNIQUE CHECK (key LIKE 'clips/%'), -- Where its objects lie in the store, below the store's prefix.
            store TEXT NOT NULL CHECK (store <> ''), -- The store.
            camera TEXT NOT NULL CHECK (length(camera) BETWEEN 1 AND 64), -- Its camera.
            start_wall_ms INTEGER NOT NULL, -- First frame, UTC epoch milliseconds.
            end_wall_ms INTEGER NOT NULL, -- End of the last frame, UTC epoch milliseconds.
            cause TEXT NOT NULL CHECK (cause IN ('continuous', 'detection', 'source', 'command')), -- Why it was begun.
            class TEXT NOT NULL CHECK (class IN ('event', 'continuous')), -- Whether it was recorded because of an event.
            complete INTEGER NOT NULL CHECK (complete IN (0, 1)), -- 0: its end is not in the store; it was sent live by a recorder that never came back.
            bytes INTEGER NOT NULL CHECK (bytes >= 0), -- Size of its media.
            url TEXT NOT NULL, -- Its play URL.
            verified TEXT NOT NULL CHECK (verified <> ''), -- How it was verified: the name of the checksum.
            verified_wall_ms INTEGER NOT NULL -- When, UTC epoch milliseconds.
        )
        """

    static let remoteDescription = """
        CREATE TABLE remote_description ( -- What the description of a remote clip says; apart from remote_clip, so that lists do not read it.
            remote INTEGER PRIMARY KEY REFERENCES remote_clip (id) ON DELETE CASCADE, -- The remote clip.
            body BLOB NOT NULL -- The description as it lies in the store, JSON; opaque to the catalog.
        )
        """

    static let remoteEvent = """
        CREATE TABLE remote_event ( -- An event that lies in remote clips. It goes with the last of them, whatever becomes of the local event.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Never used twice.
            camera TEXT NOT NULL CHECK (length(camera) BETWEEN 1 AND 64), -- Its camera.
            boot_id TEXT NOT NULL, -- Boot in which the monotonic time below counts.
            began_monotonic_ms INTEGER NOT NULL, -- Begin, milliseconds since that boot; with camera and boot it names the event on every machine.
            began_wall_ms INTEGER NOT NULL, -- Begin, UTC epoch milliseconds.
            ended_wall_ms INTEGER, -- End, UTC epoch milliseconds; NULL if it was active when its last clip was described.
            cause TEXT NOT NULL, -- What began it.
            level INTEGER CHECK (level IN (1, 5, 10)), -- Level of the detection that began it; NULL for other causes.
            detections INTEGER NOT NULL DEFAULT 0 CHECK (detections >= 0), -- Detections that passed.
            zones TEXT, -- Names of the zones in which they were, separated by line feeds, an empty one for the part outside every zone; NULL: not located.
            picture TEXT CHECK (picture <> ''), -- Where its picture lies in the store, below the store's prefix; NULL if it has none.
            UNIQUE (camera, boot_id, began_monotonic_ms)
        )
        """

    static let remoteEventClip = """
        CREATE TABLE remote_event_clip ( -- In which remote clips a remote event lies.
            event INTEGER NOT NULL REFERENCES remote_event (id) ON DELETE CASCADE, -- The remote event.
            remote INTEGER NOT NULL REFERENCES remote_clip (id) ON DELETE CASCADE, -- The remote clip.
            PRIMARY KEY (event, remote)
        ) WITHOUT ROWID
        """

    static let remoteUsage = """
        CREATE TABLE remote_usage ( -- Totals of remote clips per camera, kept by triggers.
            camera TEXT PRIMARY KEY, -- Name of the camera.
            clips INTEGER NOT NULL DEFAULT 0, -- Its remote clips.
            bytes INTEGER NOT NULL DEFAULT 0, -- Their sizes.
            longest_ms INTEGER NOT NULL DEFAULT 0 -- No remote clip of this camera was ever longer; bounds the search for those that reach into an interval.
        ) WITHOUT ROWID
        """

    static let remoteDeletion = """
        CREATE TABLE remote_deletion ( -- The ledger of what goes, or went, from the store. From its row on nobody lists the clip; the objects follow.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Never used twice.
            key TEXT NOT NULL CHECK (key LIKE 'clips/%'), -- Everything below this key goes.
            store TEXT NOT NULL CHECK (store <> ''), -- From this store.
            camera TEXT NOT NULL, -- The camera.
            start_wall_ms INTEGER NOT NULL, -- First frame, UTC epoch milliseconds.
            end_wall_ms INTEGER NOT NULL, -- End of the last frame, UTC epoch milliseconds.
            rule TEXT NOT NULL CHECK (rule <> ''), -- The rule that asked for it.
            at_wall_ms INTEGER NOT NULL, -- When, UTC epoch milliseconds.
            failure TEXT, -- Why the store has not done it yet, in words.
            done_wall_ms INTEGER -- When the store had nothing left of it, UTC epoch milliseconds; NULL until then.
        )
        """

    static let cloudSubscription = """
        CREATE TABLE cloud_subscription ( -- What a camera's subscription machine keeps over a restart, by wall time, and what its provider said last.
            camera TEXT PRIMARY KEY CHECK (length(camera) BETWEEN 1 AND 64), -- Name of the camera.
            plan TEXT NOT NULL CHECK (plan IN ('none', 'active', 'expired')), -- The plan that was last known.
            until_wall_ms INTEGER, -- End of an active plan, or when it ended, UTC epoch milliseconds; NULL if it has none.
            gone TEXT NOT NULL CHECK (gone IN ('unknown', 'at', 'over')), -- When what is stored is over: not known, at a time, already.
            gone_wall_ms INTEGER, -- That time, UTC epoch milliseconds.
            retention_ms INTEGER NOT NULL CHECK (retention_ms >= 0), -- How long what is stored outlives its plan.
            state TEXT NOT NULL CHECK (state <> ''), -- The one of six states that was reported last.
            plan_name TEXT, -- What the provider calls the plan.
            manage_url TEXT, -- Where the provider lets people manage it.
            loaded_wall_ms INTEGER, -- When the provider answered last, UTC epoch milliseconds; NULL: never.
            failure TEXT, -- Why the last load failed, in words; NULL if it did not.
            CHECK ((gone = 'at') = (gone_wall_ms IS NOT NULL)),
            CHECK (plan <> 'none' OR until_wall_ms IS NULL)
        ) WITHOUT ROWID
        """

    static let remoteIndexes = [
        """
        CREATE INDEX remote_clip_by_camera ON remote_clip ( -- One camera's remote clips by time; covers days and slices.
            camera, start_wall_ms, id, end_wall_ms, class, complete, bytes
        )
        """,
        """
        CREATE INDEX remote_clip_by_age ON remote_clip ( -- What cloud retention may delete, oldest first; covers its question.
            camera, end_wall_ms, id
        )
        """,
        """
        CREATE INDEX remote_event_by_camera ON remote_event ( -- One camera's remote events by time.
            camera, began_wall_ms, id
        )
        """,
        """
        CREATE INDEX remote_event_by_clip ON remote_event_clip ( -- The remote events of a remote clip.
            remote, event
        )
        """,
        """
        CREATE INDEX remote_deletion_owed ON remote_deletion ( -- What the store has not deleted yet.
            id
        ) WHERE done_wall_ms IS NULL
        """,
        """
        CREATE INDEX remote_deletion_by_key ON remote_deletion ( -- Whether something still goes from a key.
            key
        ) WHERE done_wall_ms IS NULL
        """,
    ]

    static let remoteTriggers = [
        """
        CREATE TRIGGER remote_clip_inserted AFTER INSERT ON remote_clip BEGIN -- A new remote clip counts.
            INSERT INTO remote_usage (camera, clips, bytes, longest_ms)
                VALUES (new.camera, 1, new.bytes, max(0, new.end_wall_ms - new.start_wall_ms))
                ON CONFLICT (camera) DO UPDATE SET
                    clips = clips + 1, bytes = bytes + excluded.bytes, longest_ms = max(longest_ms, excluded.longest_ms);
        END
        """,
        """
        CREATE TRIGGER remote_clip_changed AFTER UPDATE OF bytes, start_wall_ms, end_wall_ms ON remote_clip BEGIN -- It grew: a clip of which only the live part was known is complete.
            UPDATE remote_usage SET
                bytes = bytes + new.bytes - old.bytes, longest_ms = max(longest_ms, new.end_wall_ms - new.start_wall_ms)
                WHERE camera = new.camera;
        END
        """,
        """
        CREATE TRIGGER remote_clip_deleted BEFORE DELETE ON remote_clip BEGIN -- It counts no more; events that lie in no other go with it.
            UPDATE remote_usage SET clips = clips - 1, bytes = bytes - old.bytes WHERE camera = old.camera;
            DELETE FROM remote_event WHERE id IN (SELECT event FROM remote_event_clip WHERE remote = old.id)
                AND NOT EXISTS (SELECT 1 FROM remote_event_clip l WHERE l.event = remote_event.id AND l.remote <> old.id);
        END
        """,
    ]
}
