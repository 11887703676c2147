import Foundation
import GRDB
import Machines

extension Catalog {
    /// Inserts the row of a clip whose files exist in a folder that is durable. Durable when it returns.
    ///
    /// - Parameter upload: the job by which the clip is to go to the cloud; it is entered with the row and waits for the clip's
    ///   end, whoever closes it.
    /// - Throws: `refused` if a track's path is not one of `ClipPaths` under the clip's camera, or is taken.
    public func openClip(
        _ clip: NewClip, tracks: [NewTrack], upload: NewUpload? = nil
    ) throws(CatalogError) -> ClipID {
        guard (1...16).contains(tracks.count) else {
            throw refusal(.openClip, "a clip has 1 to 16 tracks, not \(tracks.count)")
        }
        for track in tracks { try check(track, of: clip.camera) }
        let key = ClipPaths(parsing: tracks[0].path)?.stem
        return try write(.openClip) { db in
            let id = try Self.insert(clip, tracks, db)
            if let upload, let key { try Self.enqueue(upload, opened: clip, id: id, key: key, db) }
            return id
        }
    }

    /// Adds a track to a clip that is open, when its stream begins late; the file exists in a durable folder.
    ///
    /// - Returns: its ordinal.
    public func addTrack(_ track: NewTrack, to id: ClipID) throws(CatalogError) -> Int {
        try write(.openClip) { db in
            guard
                let camera = try String.fetchOne(
                    db, sql: "SELECT camera FROM clip WHERE id = ? AND state = 'open'", arguments: [id.rawValue])
            else { throw self.refusal(.openClip, "clip \(id) is not open") }
            try self.check(track, of: camera)
            let next = try Int.fetchOne(
                db, sql: "SELECT ifnull(max(ordinal) + 1, 0) FROM track WHERE clip = ?", arguments: [id.rawValue])
            try Self.insert(track, clip: id.rawValue, next ?? 0, db)
            return next ?? 0
        }
    }

    /// Closes a clip whose files are whole and durable (`fdatasync` has returned), and with it enqueues its upload. Durable
    /// when it returns.
    ///
    /// - Throws: `refused` if the clip is not open, or has another number of tracks.
    public func closeClip(_ id: ClipID, _ closed: ClosedClip) throws(CatalogError) {
        try write(.closeClip) { db in
            try self.close(id, closed, ordinals: Array(closed.tracks.indices), db)
        }
    }

    /// Protects clips from every rule, or releases them. Clips that are being deleted are past saving.
    ///
    /// - Returns: the clips that now are as asked.
    @discardableResult
    public func protect(_ ids: [ClipID], _ protected: Bool) throws(CatalogError) -> [ClipID] {
        try write(.protect) { db in
            let update = try db.cachedStatement(
                sql: "UPDATE clip SET protected = ? WHERE id = ? AND state <> 'deleting'")
            return try ids.filter { id in
                try update.execute(arguments: [protected, id.rawValue])
                return db.changesCount == 1
            }
        }
    }

    /// Closes one row within a transaction; `ordinals` names the track that each of `closed.tracks` is.
    func close(_ id: ClipID, _ closed: ClosedClip, ordinals: [Int], _ db: Database) throws {
        let count = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM track WHERE clip = ?", arguments: [id.rawValue])
        guard count == closed.tracks.count else {
            throw refusal(.closeClip, "clip \(id) has \(count ?? 0) tracks, not \(closed.tracks.count)")
        }
        let bytes = closed.tracks.reduce(into: Int64(0)) { $0 = $0.addingClamped($1.bytes) }
        try db.cachedStatement(
            sql: """
                UPDATE clip SET state = 'closed', end_monotonic_ms = max(?, start_monotonic_ms), end_wall_ms = ?,
                    ended = ?, incomplete = ?, bytes = ? WHERE id = ? AND state = 'open'
                """
        ).execute(arguments: [
            closed.end.monotonicMs, closed.end.wallMs, closed.ended.rawValue, closed.incomplete, bytes, id.rawValue,
        ])
        guard db.changesCount == 1 else { throw refusal(.closeClip, "clip \(id) is not open") }
        for (ordinal, track) in zip(ordinals, closed.tracks) {
            try Self.fill(track, clip: id, ordinal, db)
        }
        try Self.settleUpload(of: id, bytes: bytes, endWallMs: closed.end.wallMs, db)
    }

    /// Writes what a track file holds into its rows.
    static func fill(_ track: TrackContents, clip id: ClipID, _ ordinal: Int, _ db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE track SET bytes = ?, fragments = ?, duration_ms = ? WHERE clip = ? AND ordinal = ?"
        ).execute(arguments: [track.bytes, track.fragments, track.durationMs, id.rawValue, ordinal])
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO track_index (clip, ordinal, fragments) VALUES (?, ?, ?)"
        ).execute(arguments: [id.rawValue, ordinal, track.index])
        try db.cachedStatement(sql: "DELETE FROM track_damage WHERE clip = ? AND ordinal = ?")
            .execute(arguments: [id.rawValue, ordinal])
        guard track.damagedFrames > 0 else { return }
        try db.cachedStatement(sql: "INSERT INTO track_damage (clip, ordinal, frames) VALUES (?, ?, ?)")
            .execute(arguments: [id.rawValue, ordinal, track.damagedFrames])
    }

    /// Inserts the rows of a clip that is open.
    static func insert(_ clip: NewClip, _ tracks: [NewTrack], _ db: Database) throws -> ClipID {
        try db.cachedStatement(sql: insertClip).execute(arguments: [
            clip.camera, clip.bootID, clip.start.monotonicMs, clip.start.wallMs, clip.cause.rawValue,
            clip.chainedTo?.rawValue, clip.event?.rawValue, clip.policy, clip.policyRevision,
            clip.mediaClass.rawValue, clip.preRollPromisedMs, clip.preRollDeliveredMs, clip.shortfall?.rawValue,
        ])
        let id = db.lastInsertedRowID
        for (ordinal, track) in tracks.enumerated() { try insert(track, clip: id, ordinal, db) }
        return ClipID(rawValue: id)
    }

    static func insert(_ track: NewTrack, clip: Int64, _ ordinal: Int, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT INTO track (clip, ordinal, kind, codec, path) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [clip, ordinal, track.kind.rawValue, track.codec, track.path])
    }

    func check(_ track: NewTrack, of camera: String) throws(CatalogError) {
        guard ClipPaths(parsing: track.path)?.camera == camera, ClipPaths.kind(of: track.path) == track.kind else {
            throw CatalogError(.openClip, path: track.path, cause: .unsafePath)
        }
    }

    func refusal(_ operation: CatalogError.Operation, _ words: String) -> CatalogError {
        CatalogError(operation, path: path, cause: .refused(words))
    }

    static let insertClip = """
        INSERT INTO clip (camera, boot_id, start_monotonic_ms, start_wall_ms, cause, chained_to, event, policy,
            policy_revision, class, pre_roll_promised_ms, pre_roll_delivered_ms, shortfall)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}
