import GRDB

extension Catalog {
    /// Keeps with which key a job encrypts its clip, where that was left open when it was made. Durable when it returns: what is sent
    /// from then on is encrypted with it.
    ///
    /// - Throws: `refused` if there is no such job, or its key is known.
    public func recordKey(_ keyID: String, of id: UploadID) throws(CatalogError) {
        try write(.write) { db in
            try db.execute(
                sql: "UPDATE upload_key SET key_id = ? WHERE upload = ? AND key_id = ''",
                arguments: [keyID, id.rawValue])
            guard db.changesCount == 1 else { throw self.refusal(.write, "upload \(id) waits for no key") }
        }
    }
}
