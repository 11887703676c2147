import Foundation
import GRDB
import Machines

/// Decodes clips from rows of `clip` joined with `track`, by position and without a dictionary: the path that lists
/// thousands of clips.
struct ClipRows {
    private static func select(_ damage: String) -> String {
        """
        SELECT c.id, c.camera, c.state, c.boot_id, c.start_monotonic_ms, c.end_monotonic_ms, c.start_wall_ms,
            c.end_wall_ms, c.cause, c.ended, c.chained_to, c.event, c.policy, c.policy_revision, c.class,
            c.pre_roll_promised_ms, c.pre_roll_delivered_ms, c.shortfall, c.protected, c.incomplete, c.bytes,
            t.ordinal, t.kind, t.codec, t.path, t.bytes, t.fragments, t.duration_ms, \(damage)
        FROM clip c LEFT JOIN track t ON t.clip = c.id
        """
    }

    /// The statement for a condition, which has to order by clip and then `t.ordinal`. `tellsDamage`: the catalog has the
    /// table for it, which came with version 4.
    static func sql(_ condition: String, tellsDamage: Bool = true) -> String {
        let damage = "(SELECT CAST(total(d.frames) AS INTEGER) FROM track_damage d WHERE d.clip = c.id)"
        return select(tellsDamage ? damage : "0") + " " + condition
    }

    /// At most `limit` clips. The limit is kept here and not in SQL, because the rows are tracks.
    static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments, limit: Int, tellsDamage: Bool = true
    ) throws -> [Clip] {
        let statement = try db.cachedStatement(sql: sql(condition, tellsDamage: tellsDamage))
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var clips: [Clip] = []
        var strings = Strings()
        var current: Head?
        while let row = try rows.next() {
            let id = try row.value(0) as Int64
            if current?.id != id {
                if let current { clips.append(current.clip()) }
                current = nil
                if clips.count >= limit { break }
                current = try Head(row, id: id, &strings)
            }
            if let ordinal = try row.value(21) as Int64? {
                current?.tracks.append(
                    try Clip.Track(
                        ordinal: Int(truncatingIfNeeded: ordinal), kind: word(row, 22), codec: strings.read(row, 23),
                        path: row.value(24),
                        bytes: row.value(25), fragments: row.value(26), durationMs: row.value(27)))
            }
        }
        if let current { clips.append(current.clip()) }
        return clips
    }

    /// An enum from its raw value; one that the schema does not allow is damage.
    static func word<E: RawRepresentable>(_ row: Row, _ index: Int) throws -> E where E.RawValue == String {
        guard let value: E = try optionalWord(row, index) else { throw damage(E.self, nil) }
        return value
    }

    /// The same where NULL is allowed.
    static func optionalWord<E: RawRepresentable>(_ row: Row, _ index: Int) throws -> E? where E.RawValue == String {
        guard let raw = try row.value(index) as String? else { return nil }
        guard let value = E(rawValue: raw) else { throw damage(E.self, raw) }
        return value
    }

    static func damage<E>(_ type: E.Type, _ raw: String?) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(raw ?? "NULL") is no \(type)")
    }
}

extension ClipRows {
    /// Strings that repeat from row to row, kept so that a long one is not allocated for each.
    struct Strings {
        private var last: [String] = Array(repeating: "", count: 28)

        mutating func read(_ row: Row, _ index: Int) throws -> String {
            let next = try row.value(index) as String
            if next == last[index] { return last[index] }
            last[index] = next
            return next
        }
    }

    /// The columns of `clip`, while its tracks are being collected.
    private struct Head {
        let id: Int64
        let state: Clip.State
        let opened: NewClip
        let end: Moment?
        let ended: ClipEnd?
        let protected: Bool
        let incomplete: Bool
        let bytes: Int64
        let damagedFrames: Int64
        var tracks: [Clip.Track] = []

        init(_ row: Row, id: Int64, _ strings: inout Strings) throws {
            self.id = id
            state = try ClipRows.word(row, 2)
            opened = try NewClip(
                camera: strings.read(row, 1), bootID: strings.read(row, 3),
                start: Moment(monotonicMs: row.value(4), wallMs: row.value(6)), cause: ClipRows.word(row, 8),
                chainedTo: (row.value(10) as Int64?).map(ClipID.init),
                event: (row.value(11) as Int64?).map(EventID.init),
                policy: strings.read(row, 12), policyRevision: strings.read(row, 13),
                mediaClass: ClipRows.word(row, 14), preRollPromisedMs: row.value(15), preRollDeliveredMs: row.value(16),
                shortfall: ClipRows.optionalWord(row, 17))
            if let monotonic = try row.value(5) as Int64?, let wall = try row.value(7) as Int64? {
                end = Moment(monotonicMs: monotonic, wallMs: wall)
            } else {
                end = nil
            }
            ended = try ClipRows.optionalWord(row, 9)
            protected = try (row.value(18) as Int64) != 0
            incomplete = try (row.value(19) as Int64) != 0
            bytes = try row.value(20)
            damagedFrames = try row.value(28)
            tracks.reserveCapacity(2)
        }

        func clip() -> Clip {
            Clip(
                id: ClipID(rawValue: id), state: state, opened: opened, end: end, ended: ended, protected: protected,
                incomplete: incomplete, bytes: bytes, damagedFrames: damagedFrames, tracks: tracks)
        }
    }
}
