import GRDB
import Machines

extension Catalog {
    /// Keeps what was learnt of an event; replaces what was known of it.
    public func recordDetail(_ detail: EventDetail, of event: EventID) throws(CatalogError) {
        try write(.write) { db in try Self.insert(detail, of: event, db) }
    }

    /// Writes what was learnt of an event into its row.
    static func insert(_ detail: EventDetail, of event: EventID, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO event_detail (event, detections, zones, picture_monotonic_ms)
                VALUES (?, ?, ?, ?)
                """
        ).execute(arguments: [
            event.rawValue, detail.detections, detail.zones.isEmpty ? nil : detail.zones.joined(separator: "\n"),
            detail.pictureMonotonicMs,
        ])
        try db.cachedStatement(sql: "DELETE FROM event_zone WHERE event = ?").execute(arguments: [event.rawValue])
        try enter(zones: detail.zones, of: event, db)
    }

    /// Enters the zones of an event that has none.
    static func enter(zones: [String], of event: EventID, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO event_zone (zone, began_wall_ms, event, camera)
                SELECT ?, began_wall_ms, id, camera FROM event WHERE id = ?
                """)
        for zone in zones { try statement.execute(arguments: [zone, event.rawValue]) }
    }

    /// What is known of an event beyond its row; nil if nothing is.
    public func detail(of event: EventID) throws(CatalogError) -> EventDetail? {
        try read { db in try Self.details(db, ofAll: "[\(event)]")[event] }
    }

    /// The same of all events of a list of ids in JSON.
    static func details(_ db: Database, ofAll ids: String) throws -> [EventID: EventDetail] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT event, detections, zones, picture_monotonic_ms FROM event_detail
                WHERE event IN (SELECT value FROM json_each(?))
                """)
        let rows = try Row.fetchCursor(statement, arguments: [ids])
        var details: [EventID: EventDetail] = [:]
        while let row = try rows.next() {
            details[EventID(rawValue: try row.value(0))] = try EventDetail(
                detections: row.value(1), zones: EventDetail.zones(row.value(2)), pictureMonotonicMs: row.value(3))
        }
        return details
    }

    /// Keeps runs of suppressed detections, all or none.
    public func recordSuppressed(bootID: String, _ runs: [SuppressedRun]) throws(CatalogError) {
        if runs.isEmpty { return }
        try write(.write) { db in try Self.insert(runs, bootID: bootID, db) }
    }

    static func insert(_ runs: [SuppressedRun], bootID: String, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO suppressed
                    (camera, event, boot_id, first_monotonic_ms, first_wall_ms, last_wall_ms, count, level, why)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for run in runs {
            try statement.execute(
                arguments: [
                    run.camera, run.event?.rawValue, bootID, run.first.monotonicMs, run.first.wallMs,
                    run.lastWallMs, run.count, run.level.rawValue, run.why.rawValue,
                ])
        }
    }

    /// The runs that began in [`fromWallMs`, `toWallMs`), by time.
    public func suppressed(
        camera: String, fromWallMs: Int64, toWallMs: Int64
    ) throws(CatalogError) -> [SuppressedRun] {
        try read { db in
            try Self.runs(
                Row.fetchAll(
                    db.cachedStatement(
                        sql: Self.suppressedSQL + """
                             WHERE camera = ? AND first_wall_ms >= ? AND first_wall_ms < ? ORDER BY first_wall_ms, id
                            """), arguments: [camera, fromWallMs, toWallMs]))
        }
    }

    /// The runs during an event and its blind time, by time.
    public func suppressed(of event: EventID) throws(CatalogError) -> [SuppressedRun] {
        try read { db in try Self.suppressed(db, ofAll: "[\(event)]") }
    }

    /// The same of all events of a list of ids in JSON; those of one event by time.
    static func suppressed(_ db: Database, ofAll ids: String) throws -> [SuppressedRun] {
        let statement = try db.cachedStatement(
            sql: suppressedSQL + " WHERE event IN (SELECT value FROM json_each(?)) ORDER BY id")
        return try runs(Row.fetchAll(statement, arguments: [ids]))
    }

    private static let suppressedSQL = """
        SELECT camera, event, first_monotonic_ms, first_wall_ms, last_wall_ms, count, level, why FROM suppressed
        """

    private static func runs(_ rows: [Row]) throws -> [SuppressedRun] {
        try rows.map { row in
            try SuppressedRun(
                camera: row.value(0), event: (row.value(1) as Int64?).map(EventID.init),
                first: Moment(monotonicMs: row.value(2), wallMs: row.value(3)), lastWallMs: row.value(4),
                count: row.value(5),
                level: Sensitivity(rawValue: row.value(6)) ?? .low, why: ClipRows.word(row, 7))
        }
    }
}
