import GRDB
import Machines
import Synchronization

/// Which events to list.
public struct EventQuery: Hashable, Sendable {
    /// Only this camera's.
    public var camera: String?
    /// Only those of these cameras, at most some hundred; nil for all. Not beside `camera`.
    public var cameras: [String]?
    /// Only events that began at or after this, UTC epoch milliseconds.
    public var fromWallMs: Int64?
    /// Only events that began before this, UTC epoch milliseconds.
    public var toWallMs: Int64?
    /// Only events after this one, in the order.
    public var after: (wallMs: Int64, id: EventID)? {
        get { afterKey.map { ($0.wallMs, $0.id) } }
        set { afterKey = newValue.map { AfterKey(wallMs: $0.wallMs, id: $0.id) } }
    }
    /// Events on one page, 1…`ClipQuery.limitMax`.
    public var limit: Int
    /// Newest first; else oldest first.
    public var newestFirst: Bool

    private struct AfterKey: Hashable, Sendable {
        let wallMs: Int64
        let id: EventID
    }
    private var afterKey: AfterKey?

    /// All events, oldest first, a thousand at a time, unless said otherwise.
    public init(
        camera: String? = nil, fromWallMs: Int64? = nil, toWallMs: Int64? = nil, limit: Int = 1000,
        newestFirst: Bool = false
    ) {
        self.camera = camera
        self.fromWallMs = fromWallMs
        self.toWallMs = toWallMs
        self.limit = limit
        self.newestFirst = newestFirst
    }
}

extension Catalog {
    /// The id of the next event. Does not touch the disk, so that an event can be told before it is recorded.
    public func newEventID() -> EventID { EventID(rawValue: lastEvent.add(1, ordering: .relaxed).newValue) }

    /// Records that the event of a new id began. Durable when it returns.
    public func beginEvent(_ id: EventID, _ event: NewEvent) throws(CatalogError) {
        try write(.write) { db in
            try db.execute(
                sql: """
                    INSERT INTO event (id, camera, boot_id, began_monotonic_ms, began_wall_ms, cause, level)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    id.rawValue, event.camera, event.bootID, event.began.monotonicMs, event.began.wallMs, event.cause,
                    event.level?.rawValue,
                ])
        }
    }

    /// Records that an event ended. Durable when it returns. The wall time of the end is counted from that of the begin, so
    /// that a clock which was set meanwhile does not make it longer or shorter.
    ///
    /// - Throws: `refused` if the event is not active.
    public func endEvent(_ id: EventID, at end: Moment, why: EventEnd) throws(CatalogError) {
        try write(.write) { db in
            try db.execute(
                sql: """
                    UPDATE event SET ended_monotonic_ms = max(?1, began_monotonic_ms),
                        ended_wall_ms = began_wall_ms + max(0, ?1 - began_monotonic_ms), why = ?2
                    WHERE id = ?3 AND why IS NULL
                    """,
                arguments: [end.monotonicMs, why.rawValue, id.rawValue])
            guard db.changesCount == 1 else { throw self.refusal(.write, "event \(id) is not active") }
        }
    }

    /// One page of events.
    public func events(_ query: EventQuery) throws(CatalogError) -> [RecordedEvent] {
        try read { db in
            let (sql, arguments) = Self.eventsSQL(query)
            let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
            var events: [RecordedEvent] = []
            while let row = try rows.next() { events.append(try Self.event(row)) }
            return events
        }
    }

    /// One event; nil if there is none of that number.
    public func event(_ id: EventID) throws(CatalogError) -> RecordedEvent? {
        try read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT \(Self.eventColumns) FROM event WHERE id = ?", arguments: [id.rawValue])
            return try row.map(Self.event)
        }
    }

    /// Ends the events that a crash left active: at the last sign of life of their boot, or at their begin.
    func endInterruptedEvents() throws(CatalogError) -> [EventID] {
        try write(.recover) { db in
            let ids = try Int64.fetchAll(db, sql: "SELECT id FROM event WHERE why IS NULL ORDER BY id")
            guard !ids.isEmpty else { return [] }
            try db.execute(
                sql: """
                    UPDATE event SET why = 'interrupted',
                        ended_monotonic_ms = max(began_monotonic_ms, ifnull((SELECT monotonic_ms FROM heartbeat h WHERE h.boot_id = event.boot_id), 0)),
                        ended_wall_ms = began_wall_ms + max(0, ifnull((SELECT monotonic_ms FROM heartbeat h WHERE h.boot_id = event.boot_id), 0) - began_monotonic_ms)
                    WHERE why IS NULL
                    """)
            return ids.map(EventID.init)
        }
    }

    private static let eventColumns = """
        id, camera, boot_id, began_monotonic_ms, began_wall_ms, cause, level, ended_monotonic_ms, ended_wall_ms, why
        """

    static func eventsSQL(_ query: EventQuery) -> (String, StatementArguments) {
        var terms = ["1"]
        var arguments: [(any DatabaseValueConvertible)?] = []
        if let camera = query.camera {
            terms.append("camera = ?")
            arguments.append(camera)
        } else if let cameras = query.cameras {
            terms.append("camera IN (\(databaseQuestionMarks(count: cameras.count)))")
            arguments += cameras.map { $0 as (any DatabaseValueConvertible)? }
        }
        if let from = query.fromWallMs {
            terms.append("began_wall_ms >= ?")
            arguments.append(from)
        }
        if let to = query.toWallMs {
            terms.append("began_wall_ms < ?")
            arguments.append(to)
        }
        if let after = query.after {
            terms.append("(began_wall_ms, id) \(query.newestFirst ? "<" : ">") (?, ?)")
            arguments += [after.wallMs, after.id.rawValue]
        }
        let direction = query.newestFirst ? " DESC" : ""
        arguments.append(min(max(query.limit, 1), ClipQuery.limitMax))
        let sql = """
            SELECT \(eventColumns) FROM event WHERE \(terms.joined(separator: " AND "))
            ORDER BY began_wall_ms\(direction), id\(direction) LIMIT ?
            """
        return (sql, StatementArguments(arguments))
    }

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
            id: EventID(rawValue: row.value(0)), begun: begun, ended: ended, why: ClipRows.optionalWord(row, 9))
    }
}
