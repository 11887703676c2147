extension Schema {
    static let transportSession = """
        CREATE TABLE transport_session ( -- The numbers of the sessions that transports push: the newest one stays, and no number is used twice.
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- The number, which no other session of any transport has.
            transport INTEGER NOT NULL, -- The transport; no foreign key, since its number outlives it.
            began_wall_ms INTEGER NOT NULL -- When its first frame came, UTC epoch milliseconds.
        )
        """
}
