import GRDB

extension Catalog {
    /// The most messages that are kept; beyond them those that were said longest ago go.
    static let messagesMax = 1_000

    /// What happens to messages, in its order.
    public enum MessageChange: Hashable, Sendable {
        /// It was said, perhaps not for the first time.
        case told(NewMessage)
        /// It holds no more.
        case ended(MessageEnd)
        /// Whatever held when the last run of the daemon ended holds no more, or will be said again.
        case allEnded(wallMs: Int64)
    }

    /// Enters changes, all or none.
    public func changeMessages(_ changes: [MessageChange]) throws(CatalogError) {
        if changes.isEmpty { return }
        try write(.write) { db in
            for change in changes {
                switch change {
                case .told(let message): try Self.tell(message, db)
                case .ended(let end): try Self.end(end, db)
                case .allEnded(let wallMs):
                    try db.execute(
                        sql: "UPDATE message SET over_wall_ms = max(?, last_wall_ms) WHERE over_wall_ms IS NULL",
                        arguments: [wallMs])
                }
            }
            try db.execute(
                sql: """
                    DELETE FROM message WHERE id IN
                        (SELECT id FROM message ORDER BY last_wall_ms DESC, id DESC LIMIT -1 OFFSET ?)
                    """, arguments: [Self.messagesMax])
        }
    }

    /// The messages about some cameras, the newest first; of all where `cameras` is nil, those about the site among them.
    public func messages(cameras: [String]?) throws(CatalogError) -> [Message] {
        try read { db in
            let condition = cameras.map { "camera IN (\(databaseQuestionMarks(count: $0.count)))" } ?? "1"
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT id, kind, camera, subject, priority, words, count, first_wall_ms, last_wall_ms, over_wall_ms
                    FROM message WHERE \(condition) ORDER BY last_wall_ms DESC, id DESC
                    """, arguments: StatementArguments(cameras ?? [])
            ).map(Self.message)
        }
    }

    /// One message; nil if there is none of that id.
    public func message(_ id: Int64) throws(CatalogError) -> Message? {
        try read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT id, kind, camera, subject, priority, words, count, first_wall_ms, last_wall_ms, over_wall_ms
                    FROM message WHERE id = ?
                    """, arguments: [id]
            ).map(Self.message)
        }
    }

    /// Clears messages; touches nothing else. Gives how many went.
    public func clearMessages(_ ids: [Int64]) throws(CatalogError) -> Int {
        try write(.write) { db in
            let statement = try db.cachedStatement(sql: "DELETE FROM message WHERE id = ?")
            return try ids.reduce(0) { sum, id in
                try statement.execute(arguments: [id])
                return sum + db.changesCount
            }
        }
    }

    private static func tell(_ message: NewMessage, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO message
                    (kind, camera, subject, priority, words, count, first_wall_ms, last_wall_ms, over_wall_ms)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (kind, ifnull(camera, ''), subject) DO UPDATE SET
                    priority = excluded.priority, words = excluded.words, last_wall_ms = excluded.last_wall_ms,
                    count = min(count + excluded.count, 9223372036854775000), over_wall_ms = excluded.over_wall_ms
                """
        ).execute(arguments: [
            message.kind, message.camera, message.subject, message.priority, message.words, message.count,
            message.firstWallMs, message.lastWallMs, message.overWallMs,
        ])
    }

    private static func end(_ end: MessageEnd, _ db: Database) throws {
        var arguments: [(any DatabaseValueConvertible)?] = [end.wallMs, end.camera]
        arguments += end.kinds.map { $0 as (any DatabaseValueConvertible)? }
        if let subject = end.subject { arguments.append(subject) }
        try db.execute(
            sql: """
                UPDATE message SET over_wall_ms = max(?, last_wall_ms)
                WHERE over_wall_ms IS NULL AND camera IS ? AND kind IN (\(databaseQuestionMarks(count: end.kinds.count)))
                \(end.subject == nil ? "" : "AND subject = ?")
                """, arguments: StatementArguments(arguments))
    }

    private static func message(_ row: Row) throws -> Message {
        try Message(
            id: row.value(0),
            told: NewMessage(
                kind: row.value(1), camera: row.value(2), subject: row.value(3), priority: row.value(4),
                words: row.value(5), count: row.value(6), firstWallMs: row.value(7), lastWallMs: row.value(8),
                overWallMs: row.value(9)))
    }
}
