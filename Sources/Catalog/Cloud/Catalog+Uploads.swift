import GRDB
import Machines

/// What is asked of the upload queue.
extension Catalog {
    /// The most jobs that are over and are kept for the list.
    public static let uploadsOverMax = 10_000

    /// The next jobs of a store with something to send or to remove, the most important first, of the same importance the oldest clip; without
    /// those that the caller has in hand. One read costs what it gives and what it leaves out, however long the queue is.
    ///
    /// - Parameters:
    ///   - cameras: whose clips may be sent; of others only what ends a job or removes what it sent.
    ///   - live: whose clips may be sent that are sent live.
    ///   - keys: the ids of the keys with which clips can be encrypted, an empty one for that of new jobs; clips that need others
    ///     may not be sent.
    public func nextUploads(
        limit: Int, to store: String, sending cameras: Set<String>, live: Set<String> = [],
        keys: Set<String> = [], except inHand: Set<UploadID> = []
    ) throws(CatalogError) -> [UploadJob] {
        try read { db in
            let rows = try Row.fetchCursor(db.cachedStatement(sql: Self.nextUploadsSQL))
            var jobs: [UploadJob] = []
            while jobs.count < limit, let row = try rows.next() {
                guard try row.value(4) as String == store, !inHand.contains(UploadID(rawValue: try row.value(0))) else {
                    continue
                }
                let isEnding =
                    try row.value(10) as Bool || row.value(11) as String? != nil
                    || row.value(19) as String != Upload.Phase.queued.rawValue
                let camera = try row.value(2) as String
                let maySend = try cameras.contains(camera) || live.contains(camera) && row.value(8) as Bool
                guard try isEnding || maySend && (row.value(24) as String?).map(keys.contains) ?? true else { continue }
                jobs.append(try Self.upload(row))
            }
            return jobs
        }
    }

    static let nextUploadsSQL = """
        SELECT \(uploadColumns) FROM upload INDEXED BY upload_sending
        WHERE standing = 'due' AND (phase <> 'encoding' OR removal IS NOT NULL)
        ORDER BY importance DESC, start_wall_ms, id
        """

    /// The next jobs of a store whose clips are there and are to be encoded, in the order of `nextUploads`; without those that the
    /// caller has in hand.
    public func nextEncodings(
        limit: Int, to store: String, except inHand: Set<UploadID> = []
    ) throws(CatalogError) -> [UploadJob] {
        try read { db in
            let rows = try Row.fetchCursor(db.cachedStatement(sql: Self.nextEncodingsSQL))
            var jobs: [UploadJob] = []
            while jobs.count < limit, let row = try rows.next() {
                guard try row.value(4) as String == store, !inHand.contains(UploadID(rawValue: try row.value(0))) else {
                    continue
                }
                jobs.append(try Self.upload(row))
            }
            return jobs
        }
    }

    static let nextEncodingsSQL = """
        SELECT \(uploadColumns) FROM upload INDEXED BY upload_encoding WHERE standing = 'due' AND phase = 'encoding'
        ORDER BY importance DESC, start_wall_ms, id
        """

    /// The jobs whose clips are being written and whose fragments go up meanwhile.
    public func liveUploads() throws(CatalogError) -> [UploadJob] {
        try read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT \(Self.uploadColumns) FROM upload WHERE standing = 'open' AND wanted = 1 AND live = 1 ORDER BY id
                        """)
            ).map(Self.upload)
        }
    }

    /// One job; nil if there is none of that id.
    public func upload(_ id: UploadID) throws(CatalogError) -> UploadJob? { try read { db in try Self.upload(db, id) } }

    /// The newest job of a clip; nil if it has none.
    public func upload(of clip: ClipID) throws(CatalogError) -> UploadJob? {
        try read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: "SELECT \(Self.uploadColumns) FROM upload WHERE clip = ? ORDER BY id DESC LIMIT 1"),
                arguments: [clip.rawValue]
            ).map(Self.upload)
        }
    }

    /// One page of jobs, the newest first.
    public func uploads(_ query: UploadQuery) throws(CatalogError) -> [UploadJob] {
        try read { db in
            var terms = ["1"]
            var arguments: [(any DatabaseValueConvertible)?] = []
            if let cameras = query.cameras {
                terms.append("camera IN (\(databaseQuestionMarks(count: cameras.count)))")
                arguments += cameras.map { $0 as (any DatabaseValueConvertible)? }
            }
            if let clip = query.clip {
                terms.append("clip = ?")
                arguments.append(clip.rawValue)
            }
            if !query.standings.isEmpty {
                terms.append("standing IN (\(databaseQuestionMarks(count: query.standings.count)))")
                arguments += query.standings.map { $0.rawValue as (any DatabaseValueConvertible)? }
            }
            if let after = query.after {
                terms.append("id < ?")
                arguments.append(after.rawValue)
            }
            arguments.append(min(max(query.limit, 1), ClipQuery.limitMax))
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT \(Self.uploadColumns) FROM upload WHERE \(terms.joined(separator: " AND "))
                    ORDER BY id DESC LIMIT ?
                    """, arguments: StatementArguments(arguments)
            ).map(Self.upload)
        }
    }

    /// How many jobs stand where, of all cameras or of some.
    public func uploadTotals(cameras: [String]? = nil) throws(CatalogError) -> [UploadTotal] {
        try read { db in
            let condition = cameras.map { "camera IN (\(databaseQuestionMarks(count: $0.count)))" } ?? "1"
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT standing, phase, count(*), CAST(total(bytes) AS INTEGER), CAST(total(sent_bytes) AS INTEGER)
                    FROM upload WHERE \(condition)
                    GROUP BY standing, phase ORDER BY standing, phase
                    """, arguments: StatementArguments(cameras ?? [])
            ).map { row in
                try UploadTotal(
                    standing: ClipRows.word(row, 0), phase: row.value(1), jobs: row.value(2), bytes: row.value(3),
                    sentBytes: row.value(4))
            }
        }
    }

    static func upload(_ db: Database, _ id: UploadID) throws -> UploadJob? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(uploadColumns) FROM upload WHERE id = ?"), arguments: [id.rawValue]
        ).map(upload)
    }

    static let uploadColumns = """
        id, clip, camera, key, store, url, standing, wanted, live, guarded, source_gone, removal, importance, owner, note,
        start_wall_ms, queued_wall_ms, bytes, sent_bytes, phase, record, failure, verified, verified_wall_ms,
        (SELECT key_id FROM upload_key WHERE upload_key.upload = upload.id)
        """

    static func upload(_ row: Row) throws -> UploadJob {
        var verified: Verification?
        if let how = try row.value(22) as String?, let wallMs = try row.value(23) as Int64? {
            verified = Verification(how: how, wallMs: wallMs)
        }
        return try UploadJob(
            id: UploadID(rawValue: row.value(0)), clip: (row.value(1) as Int64?).map(ClipID.init),
            camera: row.value(2), key: row.value(3), store: row.value(4), url: row.value(5),
            standing: ClipRows.word(row, 6), isWanted: row.value(7), isLive: row.value(8), isGuarded: row.value(9),
            isSourceGone: row.value(10), removal: row.value(11),
            importance: UploadImportance(rawValue: row.value(12)) ?? .continuous, owner: row.value(13),
            note: row.value(14), startWallMs: row.value(15), queuedWallMs: row.value(16), bytes: row.value(17),
            sentBytes: row.value(18), keyID: row.value(24),
            kept: UploadKept(phase: row.value(19), record: row.value(20), isCounted: verified != nil),
            failure: row.value(21), verified: verified)
    }
}
