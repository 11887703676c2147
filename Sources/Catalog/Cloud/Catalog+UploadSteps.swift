import GRDB

/// A stage that a job has reached, to be told outside.
public struct UploadNotice: Hashable, Sendable {
    /// Names a notice everywhere: goes with what is told, so that a receiver knows a repeat.
    public struct ID: Hashable, Sendable {
        /// The job.
        public let upload: UploadID
        /// The notice's number in it.
        public let number: Int64

        /// The notice of this number.
        public init(upload: UploadID, number: Int64) {
            self.upload = upload
            self.number = number
        }
    }

    /// What names it.
    public let id: ID
    /// The stage.
    public let stage: String
    /// When, UTC epoch milliseconds.
    public let wallMs: Int64
}

/// What the machine of a job orders to be kept.
extension Catalog {
    /// Keeps what a machine has become, and the stage that it has reached with it, in one transaction. Durable when it returns,
    /// so that what the machine orders next may be done, and the stage be told.
    ///
    /// A job that is over owes no removal: it is done, or there was nothing to remove. A record that no longer counts says that
    /// the removal of the remote copy is about to be ordered: from here on nobody lists that copy.
    ///
    /// - Parameters:
    ///   - standing: never `open`, which the catalog alone gives.
    ///   - failure: why the last try failed; nil takes the words away.
    ///   - notice: the stage, where it has changed. One that is there already is left as it is.
    /// - Throws: `refused` if there is no such job, if its clip is still open, or if the record counts and the upload does not:
    ///   only an acknowledgement makes it count.
    public func saveUpload(
        _ id: UploadID, _ kept: UploadKept, _ standing: UploadStanding, failure: String? = nil,
        notice: NewUploadNotice? = nil, atWallMs wallMs: Int64
    ) throws(CatalogError) {
        try write(.write) { db in
            guard standing != .open, let job = try Self.upload(db, id), job.standing != .open else {
                throw self.refusal(.write, "there is no upload \(id) of a closed clip")
            }
            guard job.isCounted || !kept.isCounted else {
                throw self.refusal(.write, "upload \(id) counts when it is acknowledged, and not before")
            }
            if job.isCounted, !kept.isCounted {
                try db.cachedStatement(
                    sql:
                        "UPDATE upload SET counted = 0, verified = NULL, verified_wall_ms = NULL, sent_bytes = 0 WHERE id = ?"
                ).execute(arguments: [id.rawValue])
                if let remote = try Self.remoteID(of: job.key, db) {
                    try Self.removeRemote(remote, rule: job.removal ?? kept.phase, atWallMs: wallMs, db)
                }
            }
            try db.cachedStatement(
                sql: """
                    UPDATE upload SET phase = ?1, record = ?2, standing = ?3, failure = ?4,
                        removal = iif(?3 = 'over', NULL, removal) WHERE id = ?5
                    """
            ).execute(arguments: [kept.phase, kept.record, standing.rawValue, failure, id.rawValue])
            if let notice { try Self.enter(notice, of: id, atWallMs: wallMs, db) }
        }
    }

    /// The same of the machine of a clip that is still open (live mode). Where the job stands is said by the clip's end.
    public func saveLiveUpload(
        _ id: UploadID, _ kept: UploadKept, failure: String? = nil, notice: NewUploadNotice? = nil,
        atWallMs wallMs: Int64
    ) throws(CatalogError) {
        try write(.write) { db in
            try db.cachedStatement(
                sql: "UPDATE upload SET phase = ?, record = ?, failure = ? WHERE id = ? AND standing = 'open'"
            ).execute(arguments: [kept.phase, kept.record, failure, id.rawValue])
            guard db.changesCount == 1 else { throw self.refusal(.write, "there is no open upload \(id)") }
            if let notice { try Self.enter(notice, of: id, atWallMs: wallMs, db) }
        }
    }

    /// Makes an upload count: record, verification, remote clip and notice in one transaction, and the state of its transfer
    /// goes. Repeating it is harmless. Durable when it returns: from then on rules may delete the local clip.
    ///
    /// - Returns: the remote clip; nil where somebody asked meanwhile for the remote copy to go: then its removal is owed.
    /// - Throws: `refused` if there is no such job, or its clip is still open.
    public func acknowledgeUpload(
        _ id: UploadID, _ kept: UploadKept, _ standing: UploadStanding, _ remote: NewRemoteClip,
        notice: NewUploadNotice? = nil, atWallMs wallMs: Int64
    ) throws(CatalogError) -> RemoteClipID? {
        try write(.write) { db in
            guard let job = try Self.upload(db, id), job.standing != .open, standing != .open else {
                throw self.refusal(.write, "there is no upload \(id) of a closed clip")
            }
            guard remote.key == job.key, remote.camera == job.camera else {
                throw self.refusal(.write, "upload \(id) goes to \(job.key), not to \(remote.key)")
            }
            if job.isCounted { return try Self.remoteID(of: job.key, db) }
            try db.cachedStatement(
                sql: """
                    UPDATE upload SET phase = ?, record = ?, standing = ?, failure = NULL, counted = 1, verified = ?,
                        verified_wall_ms = ?, sent_bytes = bytes WHERE id = ?
                    """
            ).execute(arguments: [
                kept.phase, kept.record, standing.rawValue, remote.verified.how, remote.verified.wallMs, id.rawValue,
            ])
            try db.cachedStatement(sql: "DELETE FROM upload_object WHERE upload = ?").execute(arguments: [id.rawValue])
            if let notice { try Self.enter(notice, of: id, atWallMs: wallMs, db) }
            let there = try Self.enter(remote, db)
            guard let rule = job.removal else { return there }
            try Self.removeRemote(there, rule: rule, atWallMs: wallMs, db)
            return nil
        }
    }

    /// How much of a job the store has. For lists; nothing depends on it.
    public func recordSent(_ bytes: Int64, of id: UploadID) throws(CatalogError) {
        try write(.write) { db in
            try db.cachedStatement(sql: "UPDATE upload SET sent_bytes = max(?, 0) WHERE id = ? AND counted = 0")
                .execute(arguments: [bytes, id.rawValue])
        }
    }

    /// Enters a notice, unless it is there: a write whose answer was lost makes no second one.
    static func enter(_ notice: NewUploadNotice, of id: UploadID, atWallMs wallMs: Int64, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO upload_notice (upload, number, stage, at_wall_ms) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [id.rawValue, notice.number, notice.stage, wallMs])
    }

    /// The notices that not everybody knows who is to, by time; those of one job in their order, wherever the clock was set meanwhile.
    public func untoldNotices(limit: Int) throws(CatalogError) -> [UploadNotice] {
        try read { db in
            let byTime = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT upload, number, stage, at_wall_ms FROM upload_notice WHERE told = 0
                        ORDER BY at_wall_ms, upload, number LIMIT ?
                        """), arguments: [max(limit, 0)]
            ).map(UploadNotice.init(row:))
            // Each place is for the next one of its job.
            let ofJob = try db.cachedStatement(
                sql: """
                    SELECT upload, number, stage, at_wall_ms FROM upload_notice WHERE upload = ? AND told = 0
                    ORDER BY number LIMIT ?
                    """)
            var next: [UploadID: ArraySlice<UploadNotice>] = [:]
            for (job, places) in Dictionary(grouping: byTime, by: \.id.upload) {
                next[job] = try Row.fetchAll(ofJob, arguments: [job.rawValue, places.count])
                    .map(UploadNotice.init(row:))[...]
            }
            return byTime.compactMap { next[$0.id.upload]?.popFirst() }
        }
    }

    /// Everybody knows these notices who is to, but for the webhook's receiver, which has marks of its own.
    public func markTold(_ notices: [UploadNotice.ID]) throws(CatalogError) {
        if notices.isEmpty { return }
        try write(.write) { db in
            let statement = try db.cachedStatement(
                sql: "UPDATE upload_notice SET told = 1 WHERE upload = ? AND number = ?")
            for notice in notices { try statement.execute(arguments: [notice.upload.rawValue, notice.number]) }
        }
    }

    /// Lets the oldest jobs go that are over, have been told, and are more than `uploadsOverMax`. What their uploads count for
    /// stays; it is removed by the ledger alone from then on. Gives how many went.
    @discardableResult
    public func trimUploads(keeping most: Int = Catalog.uploadsOverMax) throws(CatalogError) -> Int {
        try write(.write) { db in
            try db.execute(
                sql: """
                    DELETE FROM upload WHERE id IN (
                        SELECT id FROM upload WHERE standing = 'over' ORDER BY id DESC LIMIT -1 OFFSET ?)
                        AND NOT EXISTS (SELECT 1 FROM upload_notice n WHERE n.upload = upload.id AND n.told = 0)
                        AND NOT EXISTS (SELECT 1 FROM webhook_notice w WHERE w.upload = upload.id)
                    """, arguments: [max(most, 0)])
            return db.changesCount
        }
    }
}

extension UploadNotice {
    /// From `upload`, `number`, `stage`, `at_wall_ms`.
    fileprivate init(row: Row) throws {
        try self.init(
            id: UploadNotice.ID(upload: UploadID(rawValue: row.value(0)), number: row.value(1)), stage: row.value(2),
            wallMs: row.value(3))
    }
}
