import Foundation
import GRDB

/// Reads from a damaged database what it still tells. Nothing here fails: what cannot be read is not there.
struct Salvage {
    private let queue: DatabaseQueue?
    /// Whether it has the table of damage, which came with version 4.
    private let tellsDamage: Bool

    /// Opens the database at an absolute path, if it can be opened at all.
    init(path: String) {
        var configuration = Configuration()
        configuration.readonly = true
        queue =
            FileManager.default.fileExists(atPath: path)
            ? try? DatabaseQueue(path: path, configuration: configuration) : nil
        tellsDamage = (try? queue?.read { try $0.tableExists("track_damage") }) ?? false
    }

    /// The clip that claims a track file, if its rows can be read.
    func clip(path: String) -> Clip? {
        try? queue?.read { db in
            try ClipRows.fetch(
                db,
                "WHERE c.id = (SELECT clip FROM track WHERE path = ?) AND c.state <> 'deleting' ORDER BY t.ordinal",
                [path], limit: 1, tellsDamage: tellsDamage
            ).first
        }
    }

    /// The tables that no file can tell; those that others refer to come first. `webhook` comes after the notices: with its row
    /// each of them would be entered for the receiver again. All other tables a rebuild fills from the files, or triggers fill,
    /// or they say which days' lists are to be made anew, since all are.
    static let tables = [
        "camera_override", "camera_setting", "heartbeat", "clock", "coverage", "event", "event_detail", "event_zone",
        "event_label", "suppressed", "deletion", "event_unseen", "message", "notification", "transport",
        "transport_recording", "transport_session",
        "upload", "upload_key", "upload_object", "upload_part", "upload_notice", "webhook", "webhook_notice",
        "remote_clip", "remote_description", "remote_event", "remote_event_clip", "remote_deletion",
        "cloud_day", "cloud_subscription",
    ]

    /// The greatest number that a clip ever had, as far as it can be read; a number that no counting reaches is none.
    private var lastClip: Int64 {
        ["seq FROM sqlite_sequence WHERE name = 'clip'", "max(clip) FROM deletion WHERE clip < 1 << 48"].compactMap {
            sql in
            let value = try? queue?.read { try DatabaseValue.fetchOne($0, sql: "SELECT " + sql) }
            guard let number = value.flatMap(Int64.fromDatabaseValue), number < 1 << 48 else { return nil }
            return number
        }.max() ?? 0
    }

    /// Has the clips of `catalog`, which has none yet, numbered from where the old ones ended: the ledger and the traces name clips
    /// that are gone.
    func continueNumbers(in catalog: Catalog) throws(CatalogError) {
        let last = lastClip
        try catalog.write(.rebuild) { db in
            try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'clip'")
            try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('clip', ?)", arguments: [last])
        }
    }

    /// Copies the tables that no file can tell, row by row up to the first that cannot be read.
    func copyTables(into catalog: Catalog) throws(CatalogError) -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in Self.tables {
            var rows: [Row] = []
            try? queue?.read { db in
                let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM \(table)")
                while let row = try cursor.next() { rows.append(row.copy()) }
            }
            counts[table] = try catalog.write(.rebuild) { db in
                var count = 0
                for row in rows {
                    let names = row.columnNames.joined(separator: ", ")
                    let places = databaseQuestionMarks(count: row.count)
                    // A row that breaks a rule of the schema is damage too.
                    let taken: Void? = try? db.execute(
                        sql: "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))",
                        arguments: StatementArguments(row.databaseValues))
                    if taken != nil { count += db.changesCount }
                }
                return count
            }
        }
        return counts
    }
}
