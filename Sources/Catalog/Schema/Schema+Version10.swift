extension Schema {
    static let version10Indexes = [
        """
        CREATE INDEX upload_sending ON upload ( -- Clips to send and copies to remove, in the order of the queue.
            standing, importance DESC, start_wall_ms, id
        ) WHERE phase <> 'encoding' OR removal IS NOT NULL
        """,
        """
        CREATE INDEX upload_encoding ON upload ( -- Clips to encode, in the same order.
            standing, importance DESC, start_wall_ms, id
        ) WHERE phase = 'encoding'
        """,
    ]
}
