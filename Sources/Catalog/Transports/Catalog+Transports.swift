import GRDB
public import Machines

/// The transports of cameras, and what they recorded.
extension Catalog {
    /// The most recordings that are kept of one transport, and the most transports of a camera that are gone.
    public static let (transportRecordingsMax, transportsGoneMax) = (10_000, 100)

    private static let columns = "id, camera, number, status, options, expires_wall_ms"

    private static func transport(_ row: Row) throws -> KeptTransport {
        let status: String = try row.value(3)
        return try KeptTransport(
            id: row.value(0), camera: row.value(1), number: row.value(2),
            status: PushTransport.Status(rawValue: status) ?? .inactive, options: row.value(4),
            expiresWallMs: row.value(5))
    }

    /// The transports of a camera that are there, by number.
    public func transports(of camera: String) throws(CatalogError) -> [KeptTransport] {
        try read { db in
            try Row.fetchAll(
                db,
                sql:
                    "SELECT \(Self.columns) FROM transport WHERE camera = ? AND removed_wall_ms IS NULL ORDER BY number",
                arguments: [camera]
            ).map(Self.transport)
        }
    }

    /// Enters an inactive transport under the number after the one that was given last, from 1, or the next that is free. Nil
    /// where `most` are there. Durable when it returns.
    public func allocate(
        _ options: String, of camera: String, expiresWallMs: Int64?, most: Int, atWallMs wallMs: Int64, by user: String
    ) throws(CatalogError) -> KeptTransport? {
        try write(.write) { db in
            let taken = try Set(
                Int.fetchAll(
                    db, sql: "SELECT number FROM transport WHERE camera = ? AND removed_wall_ms IS NULL",
                    arguments: [camera]))
            guard taken.count < most else { return nil }
            let last =
                try Int.fetchOne(
                    db, sql: "SELECT number FROM transport WHERE camera = ? ORDER BY id DESC LIMIT 1",
                    arguments: [camera])
                ?? 0
            // Fewer are taken than there are numbers, so one of the next is free.
            let number = (0...taken.count).lazy.map { (last + $0) % 65_534 + 1 }.first { !taken.contains($0) } ?? 1
            try db.execute(
                sql: """
                    INSERT INTO transport (camera, number, options, allocated_wall_ms, by, expires_wall_ms)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [camera, number, options, wallMs, user, expiresWallMs])
            return KeptTransport(
                id: db.lastInsertedRowID, camera: camera, number: number, status: .inactive, options: options,
                expiresWallMs: expiresWallMs)
        }
    }

    /// Keeps what holds for a transport. Durable when it returns.
    public func keep(_ transport: KeptTransport) throws(CatalogError) {
        try write(.write) { db in
            try db.execute(
                sql: "UPDATE transport SET status = ?, options = ?, expires_wall_ms = ? WHERE id = ?",
                arguments: [transport.status.rawValue, transport.options, transport.expiresWallMs, transport.id])
        }
    }

    /// A transport is gone; what it recorded stays for as long as the newest that are gone. Durable when it returns.
    public func removeTransport(_ id: Int64, atWallMs wallMs: Int64) throws(CatalogError) {
        try write(.write) { db in
            try db.execute(
                sql: "UPDATE transport SET removed_wall_ms = ? WHERE id = ? AND removed_wall_ms IS NULL",
                arguments: [wallMs, id])
            try db.execute(
                sql: """
                    DELETE FROM transport WHERE removed_wall_ms IS NOT NULL AND camera = (
                        SELECT camera FROM transport WHERE id = ?1) AND id <= (
                        SELECT id FROM transport WHERE removed_wall_ms IS NOT NULL
                        AND camera = (SELECT camera FROM transport WHERE id = ?1) ORDER BY id DESC LIMIT 1 OFFSET ?2)
                    """,
                arguments: [id, Self.transportsGoneMax])
        }
    }

    /// Enters a recording that begins; gives its id.
    public func beginRecording(
        ofTransport id: Int64, camera: String, cause: PushTransport.Cause, reason: String?, preRollMs: Int64,
        atWallMs wallMs: Int64
    ) throws(CatalogError) -> Int64 {
        try write(.write) { db in
            try db.execute(
                sql: """
                    INSERT INTO transport_recording (transport, camera, began_wall_ms, pre_roll_ms, cause, reason)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [id, camera, wallMs, preRollMs, cause.rawValue, reason])
            let recording = db.lastInsertedRowID
            try db.execute(
                sql: """
                    DELETE FROM transport_recording WHERE transport = ?1 AND id <= (
                        SELECT id FROM transport_recording WHERE transport = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
                    """,
                arguments: [id, Self.transportRecordingsMax])
            return recording
        }
    }

    /// Enters the end of a recording. A clock that was set back meanwhile makes it end when it began.
    public func endRecording(_ id: Int64, why: PushTransport.Why, atWallMs wallMs: Int64) throws(CatalogError) {
        try write(.write) { db in
            try db.execute(
                sql: """
                    UPDATE transport_recording SET ended_wall_ms = max(began_wall_ms, ?), why = ?
                    WHERE id = ? AND ended_wall_ms IS NULL
                    """,
                arguments: [wallMs, why.rawValue, id])
        }
    }

    /// Ends the recordings that went on when the last run was killed: with the media that was recorded till then.
    public func endInterruptedRecordings() throws(CatalogError) -> Int {
        try write(.write) { db in
            try db.execute(
                sql: """
                    UPDATE transport_recording SET why = 'interrupted', ended_wall_ms = max(began_wall_ms, coalesce((
                        SELECT max(end_wall_ms) FROM clip WHERE clip.camera = transport_recording.camera), 0))
                    WHERE ended_wall_ms IS NULL
                    """)
            return db.changesCount
        }
    }

    /// The recordings of a transport, the newest first, those before the id `before` where it is given.
    public func recordings(ofTransport id: Int64, before: Int64?, limit: Int) throws(CatalogError)
        -> [KeptTransportRecording]
    {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, began_wall_ms, ended_wall_ms, pre_roll_ms, cause, reason, why FROM transport_recording
                    WHERE transport = ? AND id < ? ORDER BY id DESC LIMIT ?
                    """,
                arguments: [id, before ?? .max, limit]
            ).map { row in
                try KeptTransportRecording(
                    id: row.value(0), beganWallMs: row.value(1), endedWallMs: row.value(2), preRollMs: row.value(3),
                    cause: row.value(4), reason: row.value(5), why: row.value(6))
            }
        }
    }

    /// The clips of a camera that reach into a stretch of time, by time, `limit` at most.
    public func clipIDs(
        of camera: String, fromWallMs: Int64, toWallMs: Int64, limit: Int
    ) throws(CatalogError) -> [ClipID] {
        var query = ClipQuery(camera: camera, fromWallMs: fromWallMs, toWallMs: toWallMs, limit: limit)
        query.includingOpen = true
        return try clips(query).map(\.id)
    }
}
