extension Schema {
    static let webhook = """
        CREATE TABLE webhook ( -- The receiver that is told each stage of each job over HTTP; without a row nothing waits for one.
            id INTEGER PRIMARY KEY CHECK (id = 1), -- One row.
            series TEXT NOT NULL CHECK (length(series) = 8), -- The end of each notice's id, drawn at random with the row, so that no other catalog gives one receiver the same ids.
            failing_wall_ms INTEGER -- Since when the receiver takes nothing, UTC epoch milliseconds; NULL while it does.
        )
        """

    static let webhookNotice = """
        CREATE TABLE webhook_notice ( -- A notice that the webhook's receiver has not taken yet; the row goes when it has.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- Grows with each notice, those of one job in their order.
            upload INTEGER NOT NULL, -- The job.
            number INTEGER NOT NULL, -- The notice's number in it.
            failure TEXT, -- Why the last try of the upload had failed when it reached the stage, in words.
            attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0), -- How often it was sent in vain.
            FOREIGN KEY (upload, number) REFERENCES upload_notice (upload, number) ON DELETE CASCADE
        )
        """

    static let version8Indexes = [
        """
        CREATE UNIQUE INDEX webhook_notice_by_upload ON webhook_notice ( -- What of a job the receiver has not taken.
            upload, number
        )
        """
    ]

    static let version8Triggers = [
        """
        CREATE TRIGGER webhook_notice_entered AFTER INSERT ON upload_notice WHEN EXISTS (SELECT 1 FROM webhook) BEGIN -- A stage is to be told to the receiver from the transaction on that reaches it.
            INSERT INTO webhook_notice (upload, number, failure) SELECT new.upload, new.number, failure FROM upload WHERE id = new.upload;
        END
        """
    ]
}
