import GRDB
import Machines
import Synchronization

extension Catalog {
    /// The id of the next event. Does not touch the disk, so that an event can be told before it is recorded.
    public func newEventID() -> EventID { EventID(rawValue: lastEvent.add(1, ordering: .relaxed).newValue) }

    /// Records that the event of a new id began, with what was recognised as it did, and whom that is told to. Durable when it returns.
    public func beginEvent(
        _ id: EventID, _ event: NewEvent, labels: [EventLabel] = [], notifying: [NewNotification] = []
    ) throws(CatalogError) {
        try write(.write) { db in
            try Self.insert(event, id, db)
            for label in labels { try Self.insert(label, of: id, db) }
            try Self.enter(notifying, .begin, of: id, atWallMs: event.began.wallMs, db)
        }
    }

    /// Inserts the rows of an event that is active.
    static func insert(_ event: NewEvent, _ id: EventID, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO event (id, camera, boot_id, began_monotonic_ms, began_wall_ms, cause, level)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            id.rawValue, event.camera, event.bootID, event.began.monotonicMs, event.began.wallMs, event.cause,
            event.level?.rawValue,
        ])
        try enterUnseen(id, db)
        try want(for: id, db)
    }

    /// Marks an event as seen, or takes the mark back. Durable when it returns; false where there is no such event.
    public func markSeen(_ id: EventID, _ isSeen: Bool) throws(CatalogError) -> Bool {
        try write(.write) { db in
            guard
                try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM event WHERE id = ?)", arguments: [id.rawValue]) == true
            else { return false }
            try isSeen ? Self.removeUnseen(id, db) : Self.enterUnseen(id, db)
            return true
        }
    }

    static func removeUnseen(_ id: EventID, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM event_unseen WHERE event = ?").execute(arguments: [id.rawValue])
    }

    private static func enterUnseen(_ id: EventID, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO event_unseen (event, camera, began_wall_ms)
                SELECT id, camera, began_wall_ms FROM event WHERE id = ?
                """
        ).execute(arguments: [id.rawValue])
    }

    /// Records that an event ended, and whom that is told to. Durable when it returns. The wall time of the end is counted from that of
    /// the begin, so that a clock which was set meanwhile does not make it longer or shorter.
    ///
    /// - Parameter whom: whom the end is told to, by what began and when it ended, UTC epoch milliseconds.
    /// - Returns: Whether `whom` names anybody.
    /// - Throws: `refused` if the event is not active.
    @discardableResult
    public func endEvent(
        _ id: EventID, at end: Moment, why: EventEnd,
        notifying whom: (NewEvent, Int64) -> [NewNotification] = { _, _ in [] }
    ) throws(CatalogError) -> Bool {
        try write(.write) { db in
            try self.end(id, at: end, why: why, db)
            return try Self.enterEnd(of: id, atWallMs: end.wallMs, notifying: whom, db)
        }
    }

    /// Ends an event within a transaction.
    func end(_ id: EventID, at end: Moment, why: EventEnd, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE event SET ended_monotonic_ms = max(?1, began_monotonic_ms),
                    ended_wall_ms = began_wall_ms + max(0, ?1 - began_monotonic_ms), why = ?2
                WHERE id = ?3 AND why IS NULL
                """
        ).execute(arguments: [end.monotonicMs, why.rawValue, id.rawValue])
        guard db.changesCount == 1 else { throw refusal(.write, "event \(id) is not active") }
    }

    /// One page of events.
    public func events(_ query: EventQuery) throws(CatalogError) -> [RecordedEvent] {
        try read { db in try Self.events(db, query) }
    }

    static func events(_ db: Database, _ query: EventQuery) throws -> [RecordedEvent] {
        var query = query
        if !query.zones.isEmpty {
            // Without this every event would be looked at for a zone that is nowhere.
            let known = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM event_zone WHERE zone = ?)")
            query.zones = try query.zones.filter { try Bool.fetchOne(known, arguments: [$0]) == true }
            guard !query.zones.isEmpty else { return [] }
        }
        if !query.labels.isEmpty {
            let known = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM event_label WHERE label = ?)")
            query.labels = try query.labels.filter { try Bool.fetchOne(known, arguments: [$0]) == true }
            guard !query.labels.isEmpty else { return [] }
        }
        let (sql, arguments) = query.sql
        // A statement is kept for each form of a question that the page asks, and not for each number of names in one.
        let words = [query.levels.count, query.causes.count, query.zones.count, query.labels.count]
        let isKept = query.cameras == nil && words.allSatisfy { $0 <= 1 }
        let statement = try isKept ? db.cachedStatement(sql: sql) : db.makeStatement(sql: sql)
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var events: [RecordedEvent] = []
        while let row = try rows.next() { events.append(try event(row)) }
        return events
    }

    /// How far the wall times of an event and of a clip in which it lies may be apart, in milliseconds: the length of an event, which
    /// its policy bounds, and by how much the clock was set meanwhile.
    private static let apartMs: Int64 = 24 * 3_600_000

    static let eventsDuringSQL = """
        SELECT \(eventColumns) FROM event INDEXED BY event_by_camera
        WHERE camera = ?1 AND began_wall_ms >= ?2 AND began_wall_ms < ?3
            AND boot_id = ?4 AND began_monotonic_ms < ?5 AND (ended_monotonic_ms >= ?6 OR ended_monotonic_ms IS NULL)
        ORDER BY began_wall_ms, id LIMIT ?7
        """

    /// The events of a clip's camera that were active at a time during it, or ended as it began, by time.
    static func events(_ db: Database, during clip: Clip, until end: Moment) throws -> [RecordedEvent] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: eventsDuringSQL),
            arguments: [
                clip.camera, clip.start.wallMs.addingClamped(-apartMs), end.wallMs.addingClamped(apartMs),
                clip.opened.bootID, end.monotonicMs, clip.start.monotonicMs, ClipQuery.limitMax,
            ])
        var events: [RecordedEvent] = []
        while let row = try rows.next() { events.append(try event(row)) }
        return events
    }

    /// One event; nil if there is none of that number.
    public func event(_ id: EventID) throws(CatalogError) -> RecordedEvent? {
        try read { db in try Self.event(db, id) }
    }

    static func event(_ db: Database, _ id: EventID) throws -> RecordedEvent? {
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(eventColumns) FROM event WHERE id = ?"), arguments: [id.rawValue])
        return try row.map(event)
    }

    /// Ends the events that a crash left active: at the last sign of life of their boot, or at their begin. `whom`: as for `endEvent`.
    func endInterruptedEvents(
        notifying whom: (NewEvent, Int64) -> [NewNotification] = { _, _ in [] }
    ) throws(CatalogError) -> [EventID] {
        try write(.recover) { db in
            let ids = try Int64.fetchAll(db, sql: "SELECT id FROM event WHERE why IS NULL ORDER BY id")
                .map(EventID.init)
            guard !ids.isEmpty else { return [] }
            try db.execute(
                sql: """
                    UPDATE event SET why = 'interrupted',
                        ended_monotonic_ms = max(began_monotonic_ms, ifnull((SELECT monotonic_ms FROM heartbeat h WHERE h.boot_id = event.boot_id), 0)),
                        ended_wall_ms = began_wall_ms + max(0, ifnull((SELECT monotonic_ms FROM heartbeat h WHERE h.boot_id = event.boot_id), 0) - began_monotonic_ms)
                    WHERE why IS NULL
                    """)
            for id in ids {
                let wallMs = try Self.event(db, id)?.ended?.wallMs
                try Self.enterEnd(of: id, atWallMs: wallMs ?? 0, notifying: whom, db)
            }
            return ids
        }
    }

    static let eventColumns = """
        event.id, event.camera, event.boot_id, event.began_monotonic_ms, event.began_wall_ms, event.cause, event.level,
        event.ended_monotonic_ms, event.ended_wall_ms, event.why,
        NOT EXISTS (SELECT 1 FROM event_unseen s WHERE s.event = event.id)
        """

    private static func event(_ row: Row) throws -> RecordedEvent {
        let level = try (row.value(6) as Int64?).flatMap { Sensitivity(rawValue: Int(truncatingIfNeeded: $0)) }
        let begun = try NewEvent(
            camera: row.value(1), bootID: row.value(2), began: Moment(monotonicMs: row.value(3), wallMs: row.value(4)),
            cause: row.value(5),
            level: level)
        var ended: Moment?
        if let monotonic = try row.value(7) as Int64?, let wall = try row.value(8) as Int64? {
            ended = Moment(monotonicMs: monotonic, wallMs: wall)
        }
        return try RecordedEvent(
            id: EventID(rawValue: row.value(0)), begun: begun, ended: ended, why: ClipRows.optionalWord(row, 9),
            isSeen: row.value(10))
    }
}
