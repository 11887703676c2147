extension Schema {
    static let uploadKey = """
        CREATE TABLE upload_key ( -- The key of the site with which a job encrypts its clip; one without a row sends it as it is. With a row, places and sizes in upload_object are those of the encrypted file.
            upload INTEGER PRIMARY KEY REFERENCES upload (id) ON DELETE CASCADE, -- The job.
            key_id TEXT NOT NULL CHECK (length(key_id) IN (0, 16)) -- The key's id, never the key; empty: the one that is configured when the job begins, because none could be read when its clip was opened.
        )
        """
}
