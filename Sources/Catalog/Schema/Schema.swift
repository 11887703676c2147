/// The catalog's schema, one readable text. SQLite stores the comments with each table, so `sqlite3 catalog.sqlite
/// .schema` explains itself; docs/reference/schema.md holds the same text, and a test keeps the two equal.
///
/// Never change a text that was released: add a migration (`Schema+Migrations.swift`).
package enum Schema {
    /// "VIGL": marks the file as a catalog of Vigil, so that no other database is taken for one.
    static let applicationID: Int32 = 0x5649_474C

    /// Every statement, in order. What version 12 made was made anew since (`cameraSettings`).
    package static let statements: [String] =
        version1 + version2 + version3 + version4 + version5 + version6 + version7 + version8 + version9 + version10
        + version11 + version13 + version14 + version15 + cameraSettings + version17

    /// The statements of version 1.
    static let version1: [String] = tables + indexes + triggers
    /// Version 2: the labels of coverage, and what is known of events and suppressed detections beyond version 1.
    static let version2: [String] = [coverage, eventDetail, suppressed] + [coverageByCamera] + suppressedIndexes

    /// Version 3: how the clips in which an event lies are found where none was opened for it.
    static let version3: [String] = [clipWithoutEvent]

    /// Version 4: the frames that packets are missing from.
    static let version4: [String] = [trackDamage]

    /// Version 5: the events that nobody has seen, and the messages.
    static let version5: [String] = [eventUnseen, message] + version5Indexes

    /// Version 6: the zones of events.
    static let version6: [String] = [eventZone] + version6Indexes

    /// Version 7: the upload queue, what the cloud has, and the subscriptions.
    static let version7: [String] =
        [upload, uploadObject, uploadPart, uploadNotice] + uploadIndexes
        + [remoteClip, remoteDescription, remoteEvent, remoteEventClip, remoteUsage, remoteDeletion, cloudSubscription]
        + remoteIndexes + remoteTriggers

    /// Version 8: what the webhook's receiver has not taken yet.
    static let version8: [String] = [webhook, webhookNotice] + version8Indexes + version8Triggers

    /// Version 9: which lists of days in the store are stale.
    static let version9: [String] = [cloudDay, cloudDayChange, cloudDayZone] + version9Indexes + version9Triggers

    /// Version 10: the queue apart from what waits for an encoder.
    static let version10: [String] = version10Indexes

    /// Version 11: with which key a job encrypts its clip.
    static let version11: [String] = [uploadKey]

    /// Version 12: what is set for single cameras.
    static let version12: [String] = [version12CameraSetting, cameraSettingByKey]

    /// Version 13: what was recognised during events.
    static let version13: [String] = [eventLabel] + version13Indexes

    /// Version 14: what is told outside of events and problems.
    static let version14: [String] = [notification] + version14Indexes

    /// Version 15: transports, and what they recorded.
    static let version15: [String] = [transport, transportRecording] + version15Indexes

    /// Version 16: what is set for single cameras, under any key. It takes the place of version 12.
    static let cameraSettings: [String] = [cameraSetting, cameraSettingByKey]

    /// Version 17: the numbers of the sessions that transports push.
    static let version17: [String] = [transportSession]

    /// The tables.
    static let tables: [String] = [event, clip, track, trackIndex, usage, cameraOverride, clock, heartbeat, deletion]

    private static let event = """
        CREATE TABLE event ( -- One interval in which a camera's trigger was active.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Never used twice.
            camera TEXT NOT NULL CHECK (length(camera) BETWEEN 1 AND 64), -- Name of the camera.
            boot_id TEXT NOT NULL, -- Boot in which the monotonic times below count.
            began_monotonic_ms INTEGER NOT NULL, -- Begin, milliseconds since that boot.
            ended_monotonic_ms INTEGER CHECK (ended_monotonic_ms >= began_monotonic_ms), -- End; NULL while active.
            began_wall_ms INTEGER NOT NULL, -- Begin, UTC epoch milliseconds; an annotation.
            ended_wall_ms INTEGER, -- End, UTC epoch milliseconds; NULL while active.
            cause TEXT NOT NULL, -- What began it: detection, source, command, with a detail if there is one.
            level INTEGER CHECK (level IN (1, 5, 10)), -- Level of the detection that began it; NULL for other causes.
            why TEXT CHECK (why IN ('quiet', 'limit', 'disabled', 'privacy', 'policy', 'draining', 'interrupted')), -- Why it ended; NULL while active.
            CHECK ((ended_monotonic_ms IS NULL) = (why IS NULL) AND (ended_wall_ms IS NULL) = (why IS NULL))
        )
        """

    private static let clip = """
        CREATE TABLE clip ( -- One stretch of media of one camera without a hole.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Never used twice, so a stale reference cannot name another clip.
            camera TEXT NOT NULL CHECK (length(camera) BETWEEN 1 AND 64), -- Name of the camera.
            state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed', 'deleting')), -- open: being written; closed: files are whole and durable; deleting: files are going, nothing may read them.
            boot_id TEXT NOT NULL, -- Boot in which the monotonic times below count.
            start_monotonic_ms INTEGER NOT NULL, -- First frame, milliseconds since that boot.
            end_monotonic_ms INTEGER CHECK (end_monotonic_ms >= start_monotonic_ms), -- End of the last frame; NULL while open.
            start_wall_ms INTEGER NOT NULL, -- First frame, UTC epoch milliseconds; an annotation.
            end_wall_ms INTEGER, -- End of the last frame, UTC epoch milliseconds; NULL while open.
            cause TEXT NOT NULL CHECK (cause IN ('continuous', 'detection', 'source', 'command')), -- Why it was begun.
            ended TEXT CHECK (ended IN ('quiet', 'limit', 'length', 'disabled', 'privacy', 'policy', 'linkLost', 'streamChanged', 'storage', 'draining', 'interrupted')), -- Why it ended; NULL while open.
            chained_to INTEGER, -- The clip that it continues without a hole; no foreign key, since that clip may be deleted first.
            event INTEGER REFERENCES event (id) ON DELETE SET NULL, -- The event it belongs to; NULL in continuous mode.
            policy TEXT NOT NULL, -- Name of the policy in force when it was opened.
            policy_revision TEXT NOT NULL, -- Revision of that policy.
            class TEXT NOT NULL CHECK (class IN ('event', 'continuous')), -- Which retention rule it falls under.
            pre_roll_promised_ms INTEGER NOT NULL DEFAULT 0 CHECK (pre_roll_promised_ms >= 0), -- Pre-roll that the policy promised.
            pre_roll_delivered_ms INTEGER NOT NULL DEFAULT 0 CHECK (pre_roll_delivered_ms >= 0), -- Pre-roll that it holds.
            shortfall TEXT CHECK (shortfall IN ('linkYoung', 'previousClip', 'notAllowed', 'memory', 'openedLate')), -- Why less was delivered than promised; NULL if not.
            protected INTEGER NOT NULL DEFAULT 0 CHECK (protected IN (0, 1)), -- 1: no rule may delete it.
            incomplete INTEGER NOT NULL DEFAULT 0 CHECK (incomplete IN (0, 1)), -- 1: media that it should hold is known to be missing, or could not be read.
            bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0), -- Size of all track files; 0 while open.
            CHECK ((state = 'open') = (ended IS NULL) OR state = 'deleting'),
            CHECK ((ended IS NULL) = (end_monotonic_ms IS NULL) AND (ended IS NULL) = (end_wall_ms IS NULL)),
            CHECK (protected = 0 OR state <> 'deleting')
        )
        """

    private static let track = """
        CREATE TABLE track ( -- One track file of a clip.
            clip INTEGER NOT NULL REFERENCES clip (id) ON DELETE CASCADE, -- The clip.
            ordinal INTEGER NOT NULL CHECK (ordinal BETWEEN 0 AND 15), -- Place among the clip's tracks, from 0.
            kind TEXT NOT NULL CHECK (kind IN ('video', 'audio')), -- What it carries.
            codec TEXT NOT NULL CHECK (codec <> ''), -- RFC 6381 codec string: avc1.64001f, hvc1.1.6.L93.B0, mp4a.40.2, opus; 'unknown' where a rebuild could not tell.
            path TEXT NOT NULL UNIQUE CHECK (path LIKE 'clips/%'), -- Track file, relative to the storage root.
            bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0), -- Size of the file; 0 while the clip is open.
            fragments INTEGER NOT NULL DEFAULT 0 CHECK (fragments >= 0), -- Whole fragments in the file; 0 while the clip is open.
            duration_ms INTEGER NOT NULL DEFAULT 0 CHECK (duration_ms >= 0), -- Length of the media; 0 while the clip is open.
            PRIMARY KEY (clip, ordinal)
        ) WITHOUT ROWID
        """

    private static let trackIndex = """
        CREATE TABLE track_index ( -- Where each fragment of a track lies; apart from track, so that listing clips does not read it.
            clip INTEGER NOT NULL, -- The clip.
            ordinal INTEGER NOT NULL, -- The track.
            fragments BLOB NOT NULL, -- The fragment index as Media encodes it; opaque to the catalog.
            UNIQUE (clip, ordinal),
            FOREIGN KEY (clip, ordinal) REFERENCES track (clip, ordinal) ON DELETE CASCADE
        )
        """

    private static let usage = """
        CREATE TABLE usage ( -- Totals per camera and class, kept by triggers, so that retention need not add up millions of rows.
            camera TEXT NOT NULL, -- Name of the camera.
            class TEXT NOT NULL, -- event or continuous.
            clips INTEGER NOT NULL DEFAULT 0, -- Clips that are open or closed.
            bytes INTEGER NOT NULL DEFAULT 0, -- Their sizes.
            longest_ms INTEGER NOT NULL DEFAULT 0, -- No clip of this camera and class was ever longer by wall time; bounds the search for clips that reach into an interval.
            PRIMARY KEY (camera, class)
        ) WITHOUT ROWID
        """

    private static let cameraOverride = """
        CREATE TABLE camera_override ( -- Switches that were set by a person or a controller and outlive a restart.
            camera TEXT NOT NULL CHECK (length(camera) BETWEEN 1 AND 64), -- Name of the camera.
            key TEXT NOT NULL CHECK (key IN ('enabled', 'hard', 'softRecording', 'softLive')), -- Which switch.
            value INTEGER NOT NULL CHECK (value IN (0, 1)), -- 1: on.
            since_wall_ms INTEGER NOT NULL, -- When it was set, UTC epoch milliseconds.
            by TEXT NOT NULL, -- Who set it.
            PRIMARY KEY (camera, key)
        ) WITHOUT ROWID
        """

    private static let clock = """
        CREATE TABLE clock ( -- Pairs of monotonic and wall time: how far the wall times of a boot are to be trusted. Nothing corrects them.
            boot_id TEXT NOT NULL, -- The boot.
            monotonic_ms INTEGER NOT NULL, -- Milliseconds since that boot.
            wall_ms INTEGER NOT NULL, -- UTC epoch milliseconds read at the same moment.
            PRIMARY KEY (boot_id, monotonic_ms)
        ) WITHOUT ROWID
        """

    private static let heartbeat = """
        CREATE TABLE heartbeat ( -- The last moment at which the daemon was alive; from there on the recorder was down.
            id INTEGER PRIMARY KEY CHECK (id = 1), -- One row.
            boot_id TEXT NOT NULL, -- The boot.
            monotonic_ms INTEGER NOT NULL, -- Milliseconds since that boot.
            wall_ms INTEGER NOT NULL -- UTC epoch milliseconds.
        )
        """

    private static let deletion = """
        CREATE TABLE deletion ( -- The ledger of what was recorded and is gone: one row for each clip deleted, written with the mark.
            clip INTEGER PRIMARY KEY, -- The clip.
            camera TEXT NOT NULL, -- Its camera.
            start_wall_ms INTEGER NOT NULL, -- Its first frame, UTC epoch milliseconds.
            end_wall_ms INTEGER NOT NULL, -- The end of its last frame, UTC epoch milliseconds.
            rule TEXT NOT NULL CHECK (rule <> ''), -- The rule that asked for it.
            at_wall_ms INTEGER NOT NULL -- When, UTC epoch milliseconds.
        )
        """
}
