import GRDB
import Machines

/// How jobs come into the upload queue: with the row of their clip, so that no crash lies between the two.
extension Catalog {
    /// Enters the job of a clip whose row has just been inserted. It waits for the clip's end.
    static func enqueue(_ upload: NewUpload, opened clip: NewClip, id: ClipID, key: String, _ db: Database) throws {
        let event = try wanting(upload.choice, clip, db)
        let isWanted = upload.choice == .all || event != nil
        let importance = event.map(UploadImportance.init(cause:)) ?? .continuous
        let job = try insert(
            upload, clip: id, camera: clip.camera, key: key, .open, isWanted: isWanted, importance,
            startWallMs: clip.start.wallMs, queuedWallMs: nil, bytes: 0, db)
        try tellQueued(liveAndWanted, [job.rawValue, clip.start.wallMs], db)
    }

    /// The cause of an event that lies in a clip from its first frame on and makes it wanted: its own, or one that is active. An event
    /// that could not be entered, because the disk failed, is known by the clip's cause alone: then its level is any.
    private static func wanting(_ choice: UploadChoice, _ clip: NewClip, _ db: Database) throws -> String? {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT cause, level, 1 FROM event WHERE id = ?1 AND camera = ?2
                    UNION ALL SELECT cause, level, 0 FROM event WHERE why IS NULL AND camera = ?2 AND id IS NOT ?1
                    """), arguments: [clip.event?.rawValue, clip.camera])
        var events = try rows.map { row in try (cause: row.value(0) as String, level: level(row, 1)) }
        let isOwnThere = try rows.first.map { row in try row.value(2) as Bool } ?? false
        if !isOwnThere, clip.cause != .continuous { events.insert((clip.cause.rawValue, nil), at: 0) }
        return events.first { choice.takes(cause: $0.cause, level: $0.level) }?.cause
    }

    /// An event began: the open clips of its camera that send clips with such an event are wanted from now on.
    static func want(for event: EventID, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT u.id, u.levels, u.causes, u.wanted, u.importance, e.cause, e.level, e.began_wall_ms
                FROM event e JOIN upload u ON u.camera = e.camera AND u.standing = 'open' WHERE e.id = ?
                """)
        for row in try Row.fetchAll(statement, arguments: [event.rawValue]) {
            let cause = try row.value(5) as String
            let choice = try choice(levels: row.value(1), causes: row.value(2))
            guard try choice.takes(cause: cause, level: level(row, 6)) else { continue }
            let importance = try max(row.value(4) as Int, UploadImportance(cause: cause).rawValue)
            try db.cachedStatement(sql: "UPDATE upload SET wanted = 1, importance = ? WHERE id = ?")
                .execute(arguments: [importance, row.value(0) as Int64])
            try tellQueued(liveAndWanted, [row.value(0) as Int64, row.value(7) as Int64], db)
        }
    }

    private static let liveAndWanted = "id = ?1 AND live = 1 AND wanted = 1"

    /// Where a job stands whose clip is not written any more: one that was sent live may have failed meanwhile, or be over.
    private static func standing(orElse standing: UploadStanding) -> String {
        func list(_ phases: [Upload.Phase]) -> String { phases.map { "'\($0.rawValue)'" }.joined(separator: ", ") }
        return """
            CASE WHEN phase IN (\(list([.uploadFailed, .removeFailed]))) THEN 'failed'
                WHEN phase IN (\(list([.cancelled, .purged, .deleted]))) THEN 'over' ELSE '\(standing.rawValue)' END
            """
    }

    /// A clip was closed: its job is due, or goes if nothing in the clip is wanted.
    static func settleUpload(of clip: ClipID, bytes: Int64, endWallMs: Int64, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM upload WHERE clip = ? AND standing = 'open' AND wanted = 0")
            .execute(arguments: [clip.rawValue])
        try db.cachedStatement(
            sql: """
                UPDATE upload SET standing = \(standing(orElse: .due)), queued_wall_ms = ?2, bytes = max(?3, 0)
                WHERE clip = ?1 AND standing = 'open'
                """
        ).execute(arguments: [clip.rawValue, endWallMs, bytes])
        guard db.changesCount == 1 else { return }
        try tellQueued("clip = ?1 AND standing = 'due'", [clip.rawValue, endWallMs], db)
    }

    /// The first notice of a job, where it has none: it is queued. A live job is queued when it is wanted, others with the end of
    /// their clip.
    private static func tellQueued(_ condition: String, _ arguments: StatementArguments, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO upload_notice (upload, number, stage, at_wall_ms)
                SELECT id, 1, phase, ?2 FROM upload WHERE \(condition)
                """
        ).execute(arguments: arguments)
    }

    /// A clip that holds nothing goes. Its job goes with it, unless fragments of it were sent live, or somebody was told of it: then
    /// the machine is to decide, and to tell how it ends.
    static func dropUpload(ofEmpty clip: ClipID, _ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM upload WHERE clip = ?1 AND standing = 'open'
                    AND NOT EXISTS (SELECT 1 FROM upload_object o WHERE o.upload = upload.id)
                    AND NOT EXISTS (SELECT 1 FROM upload_notice n WHERE n.upload = upload.id)
                """, arguments: [clip.rawValue])
        try db.execute(
            sql: """
                UPDATE upload SET standing = \(standing(orElse: .due)), wanted = 1, source_gone = 1,
                    queued_wall_ms = start_wall_ms
                WHERE clip = ?1 AND standing = 'open'
                """, arguments: [clip.rawValue])
    }

    /// Enters a clip that is closed because somebody asks for it, or asks again.
    ///
    /// - Throws: `refused` if the clip is not closed, has a job that is not over, is in the cloud already, or if an earlier
    ///   copy is still being removed there.
    public func enqueueUpload(
        of clip: ClipID, _ upload: NewUpload, importance: UploadImportance = .asked, atWallMs wallMs: Int64
    ) throws(CatalogError) -> UploadJob {
        try write(.write) { db in
            guard
                let row = try Row.fetchOne(
                    db.cachedStatement(
                        sql: """
                            SELECT c.camera, c.start_wall_ms, c.bytes,
                                (SELECT min(path) FROM track t WHERE t.clip = c.id)
                            FROM clip c WHERE c.id = ? AND c.state = 'closed'
                            """), arguments: [clip.rawValue]),
                let key = try ClipPaths(parsing: row.value(3) ?? "")?.stem
            else { throw self.refusal(.write, "clip \(clip) is not closed") }
            if let why = try Self.obstacle(to: key, store: upload.store, db) { throw self.refusal(.write, why) }
            let id = try Self.insert(
                upload, clip: clip, camera: row.value(0), key: key, .due, isWanted: true, importance,
                startWallMs: row.value(1), queuedWallMs: wallMs, bytes: row.value(2), db)
            try Self.tellQueued("id = ?1", [id.rawValue, wallMs], db)
            guard let job = try Self.upload(db, id) else { throw self.refusal(.write, "the job is gone") }
            return job
        }
    }

    /// Why a clip cannot be sent now; nil if it can.
    private static func obstacle(to key: String, store: String, _ db: Database) throws -> String? {
        func exists(_ condition: String, _ arguments: StatementArguments) throws -> Bool {
            let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM \(condition))")
            return try Bool.fetchOne(statement, arguments: arguments) == true
        }
        if try exists("upload WHERE key = ? AND standing <> 'over'", [key]) {
            return "the clip is in the queue already"
        }
        if try exists("remote_clip WHERE key = ? AND store = ? AND complete = 1", [key, store]) {
            return "the clip is in the cloud already"
        }
        if try exists("remote_deletion WHERE key = ? AND done_wall_ms IS NULL", [key]) {
            return "an earlier copy is still being removed from the cloud; ask again when it is gone"
        }
        return nil
    }

    private static func insert(
        _ upload: NewUpload, clip: ClipID, camera: String, key: String, _ standing: UploadStanding, isWanted: Bool,
        _ importance: UploadImportance, startWallMs: Int64, queuedWallMs: Int64?, bytes: Int64, _ db: Database
    ) throws -> UploadID {
        let (levels, causes) = upload.choice.columns
        try db.cachedStatement(
            sql: """
                INSERT INTO upload (clip, camera, key, store, url, standing, wanted, levels, causes, live, guarded,
                    importance, owner, note, start_wall_ms, queued_wall_ms, bytes, phase, record)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            clip.rawValue, camera, key, upload.store, upload.url, standing.rawValue, isWanted, levels, causes,
            upload.isLive, upload.isGuarded, importance.rawValue, upload.owner, upload.note, startWallMs, queuedWallMs,
            max(bytes, 0), upload.kept.phase, upload.kept.record,
        ])
        let id = UploadID(rawValue: db.lastInsertedRowID)
        if let keyID = upload.keyID {
            try db.cachedStatement(sql: "INSERT INTO upload_key (upload, key_id) VALUES (?, ?)")
                .execute(arguments: [id.rawValue, keyID])
        }
        return id
    }

    private static func level(_ row: Row, _ index: Int) throws -> Sensitivity? {
        try (row.value(index) as Int64?).flatMap { Sensitivity(rawValue: Int(truncatingIfNeeded: $0)) }
    }

    /// What the columns say; a word that is none is left out, which sends more rather than less.
    private static func choice(levels: String?, causes: String?) -> UploadChoice {
        func words(_ column: String?) -> [String] { column?.split(separator: ",").map(String.init) ?? [] }
        return .events(
            levels: Set(words(levels).compactMap { Int($0) }.compactMap(Sensitivity.init(rawValue:))),
            causes: Set(words(causes).compactMap(ClipCause.init(rawValue:))))
    }
}

extension UploadChoice {
    /// As the columns `levels` and `causes` have it.
    fileprivate var columns: (levels: String?, causes: String?) {
        guard case .events(let levels, let causes) = self else { return (nil, nil) }
        return (
            levels.isEmpty ? nil : levels.map { String($0.rawValue) }.sorted().joined(separator: ","),
            causes.isEmpty ? nil : causes.map(\.rawValue).sorted().joined(separator: ",")
        )
    }
}
