public import Foundation
import GRDB
import Machines

extension Catalog {
    /// One page of clips with their tracks. Clips that are being deleted are never listed.
    public func clips(_ query: ClipQuery) throws(CatalogError) -> [Clip] {
        try read { db in
            let (condition, arguments) = try Self.condition(query, db)
            return try ClipRows.fetch(db, condition, arguments, limit: min(max(query.limit, 1), ClipQuery.limitMax))
        }
    }

    /// A clip in any state; nil if there is none of that id.
    public func clip(_ id: ClipID) throws(CatalogError) -> Clip? {
        try read { db in
            try ClipRows.fetch(db, "WHERE c.id = ? ORDER BY t.ordinal", [id.rawValue], limit: 1).first
        }
    }

    /// The clips in which an event lies, by time: those that were opened for it, and those of continuous mode that were
    /// recorded meanwhile; those being deleted left out. An event that is active lasts until now.
    public func clips(of event: RecordedEvent) throws(CatalogError) -> [Clip] {
        try read { db in
            let meanwhile = try Self.withoutEvent(db, event).flatMap {
                try ClipRows.fetch(db, "WHERE c.id = ? ORDER BY t.ordinal", [$0.id.rawValue], limit: 1)
            }
            return try (Self.opened(db, forAll: "[\(event.id)]") + meanwhile)
                .sorted { ($0.start.monotonicMs, $0.id) < ($1.start.monotonicMs, $1.id) }
        }
    }

    /// The clips that were opened for the events of a list of ids in JSON; those being deleted left out.
    static func opened(_ db: Database, forAll events: String) throws -> [Clip] {
        try ClipRows.fetch(
            db,
            """
            WHERE c.event IN (SELECT value FROM json_each(?)) AND c.state <> 'deleting'
            ORDER BY c.event, c.id, t.ordinal
            """, [events], limit: .max)
    }

    static let withoutEventSQL = """
        SELECT id, start_monotonic_ms, end_monotonic_ms, state FROM clip INDEXED BY clip_without_event
        WHERE event IS NULL AND camera = ? AND boot_id = ? AND start_monotonic_ms < ?
        ORDER BY start_monotonic_ms DESC, id DESC
        """

    /// The clips of continuous mode that were recorded during an event, with their begins.
    ///
    /// Backwards from the event's end to the first clip that ended before it began. The clips of a camera follow each other, so
    /// one that was never closed ends where the next begins at the latest.
    static func withoutEvent(_ db: Database, _ event: RecordedEvent) throws -> [(id: ClipID, startMs: Int64)] {
        let began = event.begun.began.monotonicMs
        let end = max(event.ended?.monotonicMs ?? .max, began.addingClamped(1))
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: withoutEventSQL), arguments: [event.begun.camera, event.begun.bootID, end])
        var found: [(id: ClipID, startMs: Int64)] = []
        var next = Int64.max
        while let row = try rows.next(), try (row.value(2) as Int64?) ?? next > began {
            next = try row.value(1)
            if try ClipRows.word(row, 3) != Clip.State.deleting {
                found.append((ClipID(rawValue: try row.value(0)), next))
            }
        }
        return found
    }

    /// The fragment index of a track as Media encoded it; nil while the clip is open.
    public func fragmentIndex(of id: ClipID, ordinal: Int) throws(CatalogError) -> Data? {
        try read { db in
            try Data.fetchOne(
                db.cachedStatement(sql: "SELECT fragments FROM track_index WHERE clip = ? AND ordinal = ?"),
                arguments: [id.rawValue, ordinal])
        }
    }

    /// The fragment indexes of all tracks of some clips, in one consistent view: a list of a day needs hundreds, and each view
    /// costs more than reading one of them.
    public func fragmentIndexes(of clips: some Sequence<ClipID>) throws(CatalogError) -> [ClipID: [Int: Data]] {
        try read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT ordinal, fragments FROM track_index WHERE clip = ?")
            var found: [ClipID: [Int: Data]] = [:]
            for clip in clips {
                let rows = try Row.fetchCursor(statement, arguments: [clip.rawValue])
                while let row = try rows.next() { found[clip, default: [:]][try row.value(0)] = try row.value(1) }
            }
            return found
        }
    }

    /// The stretches of media of one camera that reach into [`fromWallMs`, `toWallMs`), by start. Read from one index.
    public func timeline(camera: String, fromWallMs: Int64, toWallMs: Int64) throws(CatalogError) -> [ClipSpan] {
        try read { db in try Self.timeline(db, camera, fromWallMs, toWallMs) }
    }

    /// The same for every camera that has recorded anything, in one consistent view.
    public func timelines(fromWallMs: Int64, toWallMs: Int64) throws(CatalogError) -> [String: [ClipSpan]] {
        try read { db in
            let cameras = try String.fetchAll(db, sql: "SELECT DISTINCT camera FROM usage")
            var timelines: [String: [ClipSpan]] = [:]
            for camera in cameras { timelines[camera] = try Self.timeline(db, camera, fromWallMs, toWallMs) }
            return timelines
        }
    }

    static let timelineSQL = """
        SELECT id, start_wall_ms, end_wall_ms, bytes, (class = 'event') | (protected << 1) | (incomplete << 2)
        FROM clip INDEXED BY clip_by_camera
        WHERE camera = ?1 AND start_wall_ms >= ?2 AND start_wall_ms < ?3 AND state <> 'deleting'
            AND (end_wall_ms > ?4 OR end_wall_ms IS NULL OR start_wall_ms >= ?4)
        ORDER BY start_wall_ms, id
        """

    /// `state <> 'closed'` says nothing new, but a partial index is taken only where its own condition stands in the statement.
    static let openBeforeSQL = """
        SELECT id, start_wall_ms, end_wall_ms, bytes, (class = 'event') | (protected << 1) | (incomplete << 2)
        FROM clip INDEXED BY clip_unsettled
        WHERE state = 'open' AND state <> 'closed' AND camera = ?1 AND start_wall_ms < ?2
        ORDER BY start_wall_ms, id
        """

    static func timeline(
        _ db: Database, _ camera: String, _ from: Int64, _ to: Int64
    ) throws -> [ClipSpan] {
        let earliest = from.addingClamped(-(try longest(db, camera)))
        var spans: [ClipSpan] = []
        // A clip that is still open may have begun before any that is closed could reach into the interval.
        let openBefore = try db.cachedStatement(sql: openBeforeSQL)
        try append(&spans, Row.fetchCursor(openBefore, arguments: [camera, min(earliest, to)]))
        let statement = try db.cachedStatement(sql: timelineSQL)
        try append(&spans, Row.fetchCursor(statement, arguments: [camera, earliest, to, from]))
        return spans
    }

    private static func append(_ spans: inout [ClipSpan], _ rows: RowCursor) throws {
        while let row = try rows.next() {
            let flags = try row.value(4) as Int64
            spans.append(
                try ClipSpan(
                    id: ClipID(rawValue: row.value(0)), startWallMs: row.value(1), endWallMs: row.value(2),
                    bytes: row.value(3),
                    mediaClass: flags & 1 != 0 ? .event : .continuous, protected: flags & 2 != 0,
                    incomplete: flags & 4 != 0))
        }
    }

    /// No closed clip of the camera (of any, if nil) is longer than this by wall time.
    static func longest(_ db: Database, _ camera: String?) throws -> Int64 {
        let statement = try db.cachedStatement(
            sql: "SELECT ifnull(max(longest_ms), 0) FROM usage WHERE ?1 IS NULL OR camera = ?1")
        return try Row.fetchOne(statement, arguments: [camera])?.value(0) ?? 0
    }

    /// The condition of a page. Open clips are bounded by nothing, so with `includingOpen` those that began before the
    /// reach of the closed ones are found by the index of unsettled clips.
    static func condition(_ query: ClipQuery, _ db: Database) throws -> (String, StatementArguments) {
        var terms: [String] = [query.includingOpen ? "c.state <> 'deleting'" : "c.state = 'closed'"]
        var arguments: [(any DatabaseValueConvertible)?] = []
        if let camera = query.camera {
            terms.append("c.camera = ?")
            arguments.append(camera)
        } else if let cameras = query.cameras {
            terms.append("c.camera IN (\(databaseQuestionMarks(count: cameras.count)))")
            arguments += cameras.map { $0 as (any DatabaseValueConvertible)? }
        }
        if let from = query.fromWallMs {
            var earliest = from.addingClamped(-(try longest(db, query.camera)))
            if query.includingOpen, let open = try oldestOpen(db, query.camera) { earliest = min(earliest, open) }
            terms.append(
                "c.start_wall_ms >= ? AND (c.end_wall_ms > ? OR c.end_wall_ms IS NULL OR c.start_wall_ms >= ?)")
            arguments += [earliest, from, from]
        }
        if let to = query.toWallMs {
            terms.append("c.start_wall_ms < ?")
            arguments.append(to)
        }
        if let after = query.after {
            terms.append("(c.start_wall_ms, c.id) \(query.order == .oldestFirst ? ">" : "<") (?, ?)")
            arguments += [after.startWallMs, after.id.rawValue]
        }
        let direction = query.order == .oldestFirst ? "" : " DESC"
        let order = "ORDER BY c.start_wall_ms\(direction), c.id\(direction), t.ordinal"
        return ("WHERE \(terms.joined(separator: " AND ")) \(order)", StatementArguments(arguments))
    }

    private static func oldestOpen(_ db: Database, _ camera: String?) throws -> Int64? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT min(start_wall_ms) FROM clip
                WHERE state = 'open' AND state <> 'closed' AND (?1 IS NULL OR camera = ?1)
                """, arguments: [camera])?.value(0)
    }
}
