import GRDB
import Machines

/// What goes from the store: an entry of the ledger whose objects are not all gone yet.
public struct RemoteDeletion: Hashable, Sendable, Identifiable {
    /// Its id.
    public let id: Int64
    /// Everything below this key goes.
    public let key: String
    /// From this store.
    public let store: String
    /// The camera.
    public let camera: String
    /// The rule that asked for it.
    public let rule: String
    /// When, UTC epoch milliseconds.
    public let wallMs: Int64
    /// Why the store has not done it yet.
    public let failure: String?
    /// The job whose machine removes the objects; nil if none does: then whoever reads this deletes them.
    public let upload: UploadID?
}

/// How remote clips come and go. A clip that goes is in nobody's list from the entry of the ledger on, and its objects are
/// deleted after that is durable; so a crash leaves an entry from which the shell goes on.
extension Catalog {
    /// Enters a remote clip that a rebuild has found in the store; one that is known by its key is replaced. What is in the
    /// ledger as going is not entered.
    ///
    /// - Returns: its id; nil if it is going.
    public func enterRemote(_ remote: NewRemoteClip) throws(CatalogError) -> RemoteClipID? {
        try write(.rebuild) { db in
            let isGoing = try Bool.fetchOne(
                db,
                sql:
                    "SELECT EXISTS (SELECT 1 FROM remote_deletion WHERE key = ? AND store = ? AND done_wall_ms IS NULL)",
                arguments: [remote.key, remote.store])
            return isGoing == true ? nil : try Self.enter(remote, db)
        }
    }

    static func enter(_ remote: NewRemoteClip, _ db: Database) throws -> RemoteClipID {
        try db.cachedStatement(
            sql: """
                INSERT INTO remote_clip (key, store, camera, start_wall_ms, end_wall_ms, cause, class, complete, bytes, url,
                    verified, verified_wall_ms)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (key) DO UPDATE SET store = excluded.store, start_wall_ms = excluded.start_wall_ms,
                    end_wall_ms = excluded.end_wall_ms, cause = excluded.cause, class = excluded.class,
                    complete = excluded.complete, bytes = excluded.bytes, url = excluded.url,
                    verified = excluded.verified, verified_wall_ms = excluded.verified_wall_ms
                """
        ).execute(arguments: [
            remote.key, remote.store, remote.camera, remote.startWallMs, remote.endWallMs, remote.cause.rawValue,
            remote.mediaClass.rawValue, remote.isComplete, max(remote.bytes, 0), remote.url, remote.verified.how,
            remote.verified.wallMs,
        ])
        guard let id = try remoteID(of: remote.key, db) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "remote clip \(remote.key) is gone")
        }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO remote_description (remote, body) VALUES (?, ?)")
            .execute(arguments: [id.rawValue, remote.description])
        for event in remote.events { try enter(event, camera: remote.camera, in: id, db) }
        return id
    }

    /// An event that an earlier clip told before it had ended is told better by a later one.
    private static func enter(
        _ event: NewRemoteEvent, camera: String, in clip: RemoteClipID, _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO remote_event (camera, boot_id, began_monotonic_ms, began_wall_ms, ended_wall_ms, cause, level,
                    detections, zones, picture)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (camera, boot_id, began_monotonic_ms) DO UPDATE SET
                    ended_wall_ms = ifnull(excluded.ended_wall_ms, ended_wall_ms),
                    detections = max(detections, excluded.detections), zones = ifnull(excluded.zones, zones),
                    picture = ifnull(excluded.picture, picture)
                """
        ).execute(arguments: [
            camera, event.bootID, event.beganMonotonicMs, event.beganWallMs, event.endedWallMs, event.cause,
            event.level?.rawValue, max(event.detections, 0),
            event.zones.isEmpty ? nil : event.zones.joined(separator: "\n"), event.picture,
        ])
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO remote_event_clip (event, remote)
                SELECT id, ?4 FROM remote_event WHERE camera = ?1 AND boot_id = ?2 AND began_monotonic_ms = ?3
                """
        ).execute(arguments: [camera, event.bootID, event.beganMonotonicMs, clip.rawValue])
    }

    /// Takes remote clips out of every list and owes the deletion of their objects, in one transaction. Unknown ids are passed
    /// over.
    ///
    /// - Parameter rule: which rule asks (S12): a `CloudRetentionPlan.Rule`'s word, or `command`.
    /// - Returns: the clips that go.
    @discardableResult
    public func removeRemote(
        _ ids: [RemoteClipID], rule: String, atWallMs wallMs: Int64
    ) throws(CatalogError) -> [RemoteClipID] {
        try write(.markDeleting) { db in
            try ids.filter { try Self.removeRemote($0, rule: rule, atWallMs: wallMs, db) }
        }
    }

    /// The entry of the ledger, the end of the row, and the order to the job that the copy came by, if it is still there.
    @discardableResult
    static func removeRemote(_ id: RemoteClipID, rule: String, atWallMs wallMs: Int64, _ db: Database) throws -> Bool {
        try db.cachedStatement(
            sql: """
                UPDATE upload SET removal = ifnull(removal, ?2), standing = 'due'
                WHERE counted = 1 AND key = (SELECT key FROM remote_clip WHERE id = ?1)
                """
        ).execute(arguments: [id.rawValue, rule])
        try db.cachedStatement(
            sql: """
                INSERT INTO remote_deletion (key, store, camera, start_wall_ms, end_wall_ms, rule, at_wall_ms)
                SELECT key, store, camera, start_wall_ms, end_wall_ms, ?, ? FROM remote_clip WHERE id = ?
                """
        ).execute(arguments: [rule, wallMs, id.rawValue])
        try db.cachedStatement(sql: "DELETE FROM remote_clip WHERE id = ?").execute(arguments: [id.rawValue])
        return db.changesCount == 1
    }

    /// The rule by which the remote copy of what lies below a key went last; nil where none did.
    public func remoteRemoval(key: String) throws(CatalogError) -> String? {
        try read { db in
            try Row.fetchOne(
                db.cachedStatement(sql: "SELECT rule FROM remote_deletion WHERE key = ? ORDER BY id DESC LIMIT 1"),
                arguments: [key])?.value(0)
        }
    }

    /// The deletions that the store owes, in their order.
    public func remoteDeletions(limit: Int) throws(CatalogError) -> [RemoteDeletion] {
        try read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT id, key, store, camera, rule, at_wall_ms, failure,
                            (SELECT max(u.id) FROM upload u WHERE u.key = d.key AND u.removal IS NOT NULL AND u.standing <> 'over')
                        FROM remote_deletion d WHERE done_wall_ms IS NULL ORDER BY id LIMIT ?
                        """), arguments: [max(limit, 0)]
            ).map { row in
                try RemoteDeletion(
                    id: row.value(0), key: row.value(1), store: row.value(2), camera: row.value(3), rule: row.value(4),
                    wallMs: row.value(5), failure: row.value(6), upload: (row.value(7) as Int64?).map(UploadID.init))
            }
        }
    }

    /// The store has nothing left below a key; or, with `failure`, could not do it and is asked again. Harmless where the ledger
    /// owes nothing of it.
    public func settleRemoteDeletion(
        key: String, store: String, failure: String? = nil, atWallMs wallMs: Int64
    ) throws(CatalogError) {
        try write(.deleteClip) { db in
            try db.cachedStatement(
                sql: """
                    UPDATE remote_deletion SET failure = ?3, done_wall_ms = iif(?3 IS NULL, ?4, NULL)
                    WHERE key = ?1 AND store = ?2 AND done_wall_ms IS NULL
                    """
            ).execute(arguments: [key, store, failure, wallMs])
        }
    }

    static func remoteID(of key: String, _ db: Database) throws -> RemoteClipID? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT id FROM remote_clip WHERE key = ?"), arguments: [key])
            .map { RemoteClipID(rawValue: try $0.value(0)) }
    }
}
