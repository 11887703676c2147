import GRDB

extension Catalog {
    /// The number of a session that a transport begins to push: greater than all before it, of whatever transport. Durable when it
    /// returns, so that no address is put under twice.
    public func beginSession(ofTransport id: Int64, atWallMs wallMs: Int64) throws(CatalogError) -> Int64 {
        try write(.write) { db in
            try db.execute(
                sql: "INSERT INTO transport_session (transport, began_wall_ms) VALUES (?, ?)",
                arguments: [id, wallMs])
            let number = db.lastInsertedRowID
            try db.execute(sql: "DELETE FROM transport_session WHERE id < ?", arguments: [number])
            return number
        }
    }
}
