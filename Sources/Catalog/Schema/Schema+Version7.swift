extension Schema {
    static let upload = """
        CREATE TABLE upload ( -- One job of the upload queue: a clip that is to go to the cloud, goes there, or went. A job that is over stays for the list, until newer ones need its place.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Never used twice.
            clip INTEGER, -- The clip; no foreign key, since the job outlives it. NULL: a rebuild did not find it.
            camera TEXT NOT NULL CHECK (length(camera) BETWEEN 1 AND 64), -- Its camera.
            key TEXT NOT NULL CHECK (key LIKE 'clips/%'), -- Where its objects lie in the store, below the store's prefix: the path of its track files without their ending.
            store TEXT NOT NULL CHECK (store <> ''), -- The store that it goes to.
            url TEXT NOT NULL, -- Its play URL, known from the beginning.
            standing TEXT NOT NULL CHECK (standing IN ('open', 'due', 'failed', 'over')), -- open: its clip is being written; due: there is work for it; failed: rests until somebody asks; over: nothing is owed.
            wanted INTEGER NOT NULL CHECK (wanted IN (0, 1)), -- 0: nothing in the open clip is to be sent so far; such a job goes with the clip's end.
            levels TEXT, -- Levels of detections whose events make the clip wanted, separated by commas; NULL: every one.
            causes TEXT, -- Causes of events that make the clip wanted, separated by commas; NULL: every one.
            live INTEGER NOT NULL CHECK (live IN (0, 1)), -- 1: fragments go up while the clip is still open.
            guarded INTEGER NOT NULL CHECK (guarded IN (0, 1)), -- 1: no rule deletes the local clip before this upload counts.
            source_gone INTEGER NOT NULL DEFAULT 0 CHECK (source_gone IN (0, 1)), -- 1: the local clip is gone or going.
            removal TEXT CHECK (removal <> ''), -- Rule by which the remote copy is to go: at once, or as soon as it is there; NULL if it may stay.
            importance INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 4), -- 4: somebody asked for it, 3: a command's event, 2: an event, 1: neither.
            owner TEXT NOT NULL, -- Who asked: the policy, or a person.
            note TEXT, -- What they wrote beside it.
            start_wall_ms INTEGER NOT NULL, -- First frame of the clip, UTC epoch milliseconds: the older of two goes first.
            queued_wall_ms INTEGER, -- Since when the clip is closed and waits, UTC epoch milliseconds; NULL while it is open.
            bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0), -- Size of its track files; 0 while it is open.
            sent_bytes INTEGER NOT NULL DEFAULT 0 CHECK (sent_bytes >= 0), -- How much of that the store has.
            phase TEXT NOT NULL CHECK (phase <> ''), -- The phase of its machine.
            record TEXT NOT NULL, -- What its machine keeps over a restart, as JSON; opaque to the catalog.
            failure TEXT, -- Why the last try failed, in words.
            counted INTEGER NOT NULL DEFAULT 0 CHECK (counted IN (0, 1)), -- 1: the upload counts: the store has every byte, verified. 0 again once its removal is ordered.
            verified TEXT CHECK (verified <> ''), -- How it was verified: the name of the checksum; NULL until it counts.
            verified_wall_ms INTEGER, -- When, UTC epoch milliseconds; NULL until it counts.
            CHECK (counted = (verified IS NOT NULL) AND counted = (verified_wall_ms IS NOT NULL)),
            CHECK (standing <> 'open' OR (counted = 0 AND clip IS NOT NULL)),
            CHECK ((standing = 'open') = (queued_wall_ms IS NULL)),
            CHECK (wanted = 1 OR standing = 'open')
        )
        """

    static let uploadObject = """
        CREATE TABLE upload_object ( -- One object of a job that is not counted yet: there, or under way in parts.
            upload INTEGER NOT NULL REFERENCES upload (id) ON DELETE CASCADE, -- The job.
            name TEXT NOT NULL CHECK (name <> ''), -- Its name below the job's key.
            track INTEGER CHECK (track BETWEEN 0 AND 15), -- The track whose bytes it holds; NULL if it holds no media.
            first_byte INTEGER NOT NULL DEFAULT 0 CHECK (first_byte >= 0), -- Where in the track file its bytes begin.
            bytes INTEGER NOT NULL CHECK (bytes >= 0), -- Its size.
            sha256 TEXT NOT NULL CHECK (length(sha256) IN (0, 64)), -- SHA-256 of its bytes, hexadecimal; empty until it is known.
            multipart TEXT CHECK (multipart <> ''), -- The store's id of the multipart upload; NULL if there is none under way.
            there INTEGER NOT NULL DEFAULT 0 CHECK (there IN (0, 1)), -- 1: the store has it, verified.
            PRIMARY KEY (upload, name)
        ) WITHOUT ROWID
        """

    static let uploadPart = """
        CREATE TABLE upload_part ( -- One part of a multipart upload. Nothing writes it any more: the store is asked for its parts.
            upload INTEGER NOT NULL, -- The job.
            name TEXT NOT NULL, -- The object.
            number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 10000), -- The part's number, from 1.
            bytes INTEGER NOT NULL CHECK (bytes > 0), -- Its size.
            etag TEXT NOT NULL CHECK (etag <> ''), -- What the store answered for it.
            checksum TEXT, -- Its checksum as the store has it; NULL if the store has none.
            PRIMARY KEY (upload, name, number),
            FOREIGN KEY (upload, name) REFERENCES upload_object (upload, name) ON DELETE CASCADE
        ) WITHOUT ROWID
        """

    static let uploadNotice = """
        CREATE TABLE upload_notice ( -- Each stage that a job has reached, written with the record that says so, and whether it was told outside. Job and number go with what is told, so that a receiver knows a repeat.
            upload INTEGER NOT NULL REFERENCES upload (id) ON DELETE CASCADE, -- The job.
            number INTEGER NOT NULL CHECK (number > 0), -- Grows with each notice of the job; some are left out, none is given twice.
            stage TEXT NOT NULL CHECK (stage <> ''), -- The stage.
            at_wall_ms INTEGER NOT NULL, -- When, UTC epoch milliseconds.
            told INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1)), -- 1: everybody who is to know has been told.
            PRIMARY KEY (upload, number)
        ) WITHOUT ROWID
        """

    static let uploadIndexes = [
        """
        CREATE INDEX upload_due ON upload ( -- The queue in its order: importance, then age.
            standing, importance DESC, start_wall_ms, id
        )
        """,
        """
        CREATE INDEX upload_guarding ON upload ( -- The clips that no rule may delete yet; retention asks it for each clip.
            clip, camera
        ) WHERE guarded = 1 AND counted = 0 AND standing <> 'over'
        """,
        """
        CREATE UNIQUE INDEX upload_by_key ON upload ( -- One job at a time works on a key.
            key
        ) WHERE standing <> 'over'
        """,
        """
        CREATE INDEX upload_by_clip ON upload ( -- The jobs of a clip.
            clip, standing
        )
        """,
        """
        CREATE INDEX upload_by_camera ON upload ( -- One camera's jobs, for lists and for its open clips.
            camera, standing, id
        )
        """,
        """
        CREATE INDEX upload_notice_untold ON upload_notice ( -- What is still to be told, in its order; a handful of rows.
            at_wall_ms, upload, number
        ) WHERE told = 0
        """,
    ]
}
