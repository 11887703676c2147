extension Schema {
    static let trackDamage = """
        CREATE TABLE track_damage ( -- Frames of a track file that packets are missing from; a track without a row has none.
            clip INTEGER NOT NULL, -- The clip.
            ordinal INTEGER NOT NULL, -- The track.
            frames INTEGER NOT NULL CHECK (frames > 0), -- How many; the file marks each of them, and the fragment index counts them by fragment.
            PRIMARY KEY (clip, ordinal),
            FOREIGN KEY (clip, ordinal) REFERENCES track (clip, ordinal) ON DELETE CASCADE
        ) WITHOUT ROWID
        """
}
