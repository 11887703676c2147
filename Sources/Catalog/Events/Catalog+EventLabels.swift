import GRDB
import Machines

extension Catalog {
    /// Keeps that something was recognised during an event, durable when it returns. False where it is not kept: the event has the
    /// name already, which stays as it is, or is gone.
    ///
    /// - Parameter whom: whom it is told to that the event has this label, by what began and when the label was told, UTC epoch
    ///   milliseconds. Who was told of the event already is told nothing more.
    /// - Throws: `CatalogError` where it cannot be written, also because the box does not lie in the picture.
    @discardableResult
    public func recordLabel(
        _ label: EventLabel, of event: EventID,
        notifying whom: (NewEvent, Int64) -> [NewNotification] = { _, _ in [] }
    ) throws(CatalogError) -> Bool {
        try write(.write) { db in
            try Self.insert(label, of: event, db)
            guard db.changesCount > 0, let begun = try Self.event(db, event)?.begun else { return false }
            try Self.enter(whom(begun, label.at.wallMs), .begin, of: event, atWallMs: label.at.wallMs, db)
            return true
        }
    }

    /// Inserts the row of a label, unless the event has its name already.
    static func insert(_ label: EventLabel, of event: EventID, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO event_label
                    (label, began_wall_ms, event, camera, monotonic_ms, wall_ms, x, y, width, height)
                SELECT ?, began_wall_ms, id, camera, ?, ?, ?, ?, ?, ? FROM event WHERE id = ?
                ON CONFLICT (label, began_wall_ms, event) DO NOTHING
                """
        ).execute(arguments: [
            label.name, label.at.monotonicMs, label.at.wallMs, label.box?.x, label.box?.y, label.box?.width,
            label.box?.height, event.rawValue,
        ])
    }

    /// What was recognised during an event, in the order in which it was told.
    func labels(of event: EventID) throws(CatalogError) -> [EventLabel] {
        try read { db in try Self.labels(db, ofAll: "[\(event)]")[event] ?? [] }
    }

    /// The same of all events of a list of ids in JSON.
    static func labels(_ db: Database, ofAll ids: String) throws -> [EventID: [EventLabel]] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT event, label, monotonic_ms, wall_ms, x, y, width, height FROM event_label
                WHERE event IN (SELECT value FROM json_each(?)) ORDER BY event, monotonic_ms, label
                """)
        let rows = try Row.fetchCursor(statement, arguments: [ids])
        var labels: [EventID: [EventLabel]] = [:]
        while let row = try rows.next() {
            var box: LabelBox?
            if let x = try row.value(4) as Double?, let y = try row.value(5) as Double?,
                let width = try row.value(6) as Double?, let height = try row.value(7) as Double?
            {
                box = LabelBox(x: x, y: y, width: width, height: height)
            }
            let label = try EventLabel(
                name: row.value(1), at: Moment(monotonicMs: row.value(2), wallMs: row.value(3)), box: box)
            labels[EventID(rawValue: try row.value(0)), default: []].append(label)
        }
        return labels
    }
}
