import GRDB

/// What a rebuild and a check do with jobs whose clips are others now.
extension Catalog {
    /// Ids of clips are given anew by a rebuild: until a job's clip is found by its key, it names none that can be.
    func unlinkUploads() throws(CatalogError) {
        try write(.rebuild) { db in try db.execute(sql: "UPDATE upload SET clip = -id") }
    }

    /// A clip was found: the jobs of its key are about it.
    func linkUploads(to clip: ClipID, key: String) throws(CatalogError) {
        try write(.rebuild) { db in
            try db.cachedStatement(sql: "UPDATE upload SET clip = ? WHERE key = ? AND clip < 0")
                .execute(arguments: [clip.rawValue, key])
        }
    }

    /// No clip was found for what is left. Jobs of clips that were being written go, unless the store has something of them.
    func orphanUploads() throws(CatalogError) {
        try write(.rebuild) { db in
            for clip in try Int64.fetchAll(db, sql: "SELECT clip FROM upload WHERE standing = 'open' AND clip < 0") {
                try Self.dropUpload(ofEmpty: ClipID(rawValue: clip), db)
            }
            try db.execute(sql: "UPDATE upload SET clip = NULL, source_gone = 1 WHERE clip < 0")
        }
    }

    /// Jobs that wait for the end of a clip that nobody writes.
    static let strayUploadsSQL = """
        SELECT u.id, u.camera, u.clip, c.bytes, c.end_wall_ms FROM upload u LEFT JOIN clip c ON c.id = u.clip
        WHERE u.standing = 'open' AND ifnull(c.state, '') <> 'open' ORDER BY u.id
        """

    /// Settles them as the end of their clips would have done. Gives their ids.
    func settleStrayUploads() throws(CatalogError) -> [UploadID] {
        try write(.check) { db in
            try Row.fetchAll(db, sql: Self.strayUploadsSQL).map { row in
                let clip = try ClipID(rawValue: row.value(2))
                if let end = try row.value(4) as Int64? {
                    try Self.settleUpload(of: clip, bytes: row.value(3), endWallMs: end, db)
                } else {
                    try Self.dropUpload(ofEmpty: clip, db)
                }
                return try UploadID(rawValue: row.value(0))
            }
        }
    }
}
