import GRDB

/// What is told outside of events and problems. That of an event is entered with the event's own row, so that no crash lies between
/// the two.
extension Catalog {
    /// The most notifications that wait for one receiver, and the most that are kept after they are over.
    public static let (notificationsWaitingMax, notificationsOverMax) = (1_000, 10_000)
    /// The most that are forgotten in one transaction.
    public static let notificationsForgottenMax = 1_000

    /// Enters whom an event is told to, within the transaction that enters its begin or its end.
    static func enter(
        _ new: [NewNotification], _ kind: NotificationKind, of event: EventID, atWallMs: Int64, _ db: Database
    ) throws {
        for one in new {
            let common: StatementArguments = [event.rawValue, one.receiver, kind.rawValue, atWallMs]
            switch one.spacing {
            case .withBegin: try db.cachedStatement(sql: withBeginSQL).execute(arguments: common)
            case .apart(let ms): try db.cachedStatement(sql: apartSQL).execute(arguments: common + [max(0, ms)])
            }
        }
    }

    /// What was told of an event is not told again; everything else that is wrong with a row is an error.
    private static let withBeginSQL = """
        INSERT INTO notification (receiver, kind, camera, event, at_wall_ms)
        SELECT ?2, ?3, camera, id, ?4 FROM event WHERE id = ?1 AND EXISTS (
            SELECT 1 FROM notification n WHERE n.event = ?1 AND n.receiver = ?2 AND n.kind = 'begin')
        ON CONFLICT DO NOTHING
        """

    /// A wall clock that was set back meanwhile holds nothing up.
    private static let apartSQL = """
        INSERT INTO notification (receiver, kind, camera, event, at_wall_ms)
        SELECT ?2, ?3, camera, id, ?4 FROM event WHERE id = ?1 AND NOT EXISTS (
            SELECT 1 FROM notification n WHERE n.receiver = ?2 AND n.camera = event.camera AND n.event IS NOT NULL
            AND n.event <> ?1 AND n.at_wall_ms > ?4 - ?5 AND n.at_wall_ms <= ?4)
        ON CONFLICT DO NOTHING
        """

    /// Enters whom an event's end is told to, within the transaction that enters the end. Gives whether there is anybody.
    @discardableResult
    static func enterEnd(
        of event: EventID, atWallMs: Int64, notifying whom: (NewEvent, Int64) -> [NewNotification], _ db: Database
    ) throws -> Bool {
        guard let begun = try Self.event(db, event)?.begun else { return false }
        let new = whom(begun, atWallMs)
        try enter(new, .end, of: event, atWallMs: atWallMs, db)
        return !new.isEmpty
    }

    /// Enters problems that began or ended. Durable when it returns.
    public func enterProblems(_ problems: [ProblemNotification], atWallMs: Int64) throws(CatalogError) {
        if problems.isEmpty { return }
        try write(.write) { db in
            let statement = try db.cachedStatement(
                sql: """
                    INSERT INTO notification (token, receiver, kind, camera, problem, words, at_wall_ms)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """)
            for one in problems {
                let kind: NotificationKind = one.isOver ? .problemOver : .problem
                try statement.execute(arguments: [
                    one.token, one.receiver, kind.rawValue, one.camera, one.problem, one.words, atWallMs,
                ])
            }
        }
    }

    /// The oldest notification that waits for a receiver, without those that the caller names; nil: none waits.
    public func nextNotification(of receiver: String, except left: Set<Int64> = []) throws(CatalogError)
        -> NotificationEntry?
    {
        try read { db in
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: Self.waitingSQL), arguments: [receiver])
            while let row = try rows.next() {
                let entry = try Self.notification(row)
                if !left.contains(entry.id) { return entry }
            }
            return nil
        }
    }

    static let waitingSQL =
        "SELECT \(notificationColumns) FROM notification WHERE state = 'waiting' AND receiver = ? ORDER BY id"

    /// How many wait, by receiver.
    public func notificationsWaiting() throws(CatalogError) -> [String: Int] {
        try read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT receiver, count(*) FROM notification WHERE state = 'waiting' GROUP BY receiver")
            return try Dictionary(rows.map { (try $0.value(0), try $0.value(1)) }) { first, _ in first }
        }
    }

    /// A receiver has taken it. Durable when it returns.
    public func markNotificationTaken(_ id: Int64, atWallMs: Int64) throws(CatalogError) {
        try end(id, .taken, why: nil, atWallMs)
    }

    /// It is not sent any more. Durable when it returns.
    public func giveUpNotification(_ id: Int64, why: String, atWallMs: Int64) throws(CatalogError) {
        try end(id, .givenUp, why: why, atWallMs)
    }

    /// It was sent in vain. `isPlain`: from now on it goes without a picture.
    public func recordNotificationAttempt(_ id: Int64, why: String, isPlain: Bool) throws(CatalogError) {
        try write(.write) { db in
            try db.cachedStatement(
                sql: "UPDATE notification SET attempts = attempts + 1, why = ?, plain = max(plain, ?) WHERE id = ?"
            ).execute(arguments: [why, isPlain, id])
        }
    }

    /// Gives up what waits for a receiver and is older than `olderThanMs`, or among the oldest of more than `most`. Gives how many
    /// went.
    public func trimNotifications(
        of receiver: String, olderThanMs: Int64, keeping most: Int = Catalog.notificationsWaitingMax, why: String,
        atWallMs: Int64
    ) throws(CatalogError) -> Int {
        let isDue = try read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM notification WHERE state = 'waiting' AND receiver = ?1 AND at_wall_ms < ?2)
                    OR (SELECT count(*) FROM notification WHERE state = 'waiting' AND receiver = ?1) > ?3
                    """, arguments: [receiver, olderThanMs, most]) ?? false
        }
        if !isDue { return 0 }
        return try write(.write) { db in
            try db.execute(
                sql: """
                    UPDATE notification SET state = 'givenUp', over_wall_ms = ?4, why = ifnull(why || '; ', '') || ?5
                    WHERE state = 'waiting' AND receiver = ?1 AND (at_wall_ms < ?2 OR id <= ifnull((
                        SELECT id FROM notification WHERE state = 'waiting' AND receiver = ?1
                        ORDER BY id DESC LIMIT 1 OFFSET ?3), -1))
                    """, arguments: [receiver, olderThanMs, max(most, 0), atWallMs, why])
            return db.changesCount
        }
    }

    /// Gives up what waits for receivers that are none of `known`. Gives how many of each went.
    public func giveUpNotifications(ofOthersThan known: [String], why: String, atWallMs: Int64) throws(CatalogError)
        -> [String: Int]
    {
        let others = try Set(notificationsWaiting().keys).subtracting(known)
        if others.isEmpty { return [:] }
        return try write(.write) { db in
            let statement = try db.cachedStatement(
                sql: """
                    UPDATE notification SET state = 'givenUp', over_wall_ms = ?, why = ?
                    WHERE state = 'waiting' AND receiver = ?
                    """)
            var gone: [String: Int] = [:]
            for receiver in others {
                try statement.execute(arguments: [atWallMs, why, receiver])
                gone[receiver] = db.changesCount
            }
            return gone
        }
    }

    /// Forgets notifications that are over, the oldest first, where there are more than `most` newer ones. Gives how many went: at
    /// most `limit`, so that no event waits long for the catalog.
    @discardableResult
    public func forgetNotifications(
        keeping most: Int = Catalog.notificationsOverMax, limit: Int = Catalog.notificationsForgottenMax
    ) throws(CatalogError) -> Int {
        // Ids are a primary key and those that wait are few: little is read besides the rows that go.
        let old = """
            FROM notification WHERE state <> 'waiting' AND id <= (SELECT max(id) FROM notification) - \(max(most, 0))
            """
        if try read({ db in try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 \(old))") }) != true { return 0 }
        return try write(.write) { db in
            try db.execute(
                sql: "DELETE FROM notification WHERE id IN (SELECT id \(old) ORDER BY id LIMIT \(max(limit, 0)))")
            return db.changesCount
        }
    }

    /// The newest notifications about some cameras; of all where `cameras` is nil, those about the site among them.
    public func notifications(cameras: [String]?, limit: Int) throws(CatalogError) -> [NotificationEntry] {
        try read { db in
            let condition = cameras.map { "camera IN (\(databaseQuestionMarks(count: $0.count)))" } ?? "1"
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT \(Self.notificationColumns) FROM notification WHERE \(condition) ORDER BY id DESC LIMIT ?
                    """, arguments: StatementArguments(cameras ?? []) + [max(limit, 0)]
            ).map(Self.notification)
        }
    }

    private func end(_ id: Int64, _ state: NotificationState, why: String?, _ wallMs: Int64) throws(CatalogError) {
        try write(.write) { db in
            try db.cachedStatement(
                sql: """
                    UPDATE notification SET state = ?, why = ifnull(?, why), over_wall_ms = ?
                    WHERE id = ? AND state = 'waiting'
                    """
            ).execute(arguments: [state.rawValue, why, wallMs, id])
        }
    }

    private static let notificationColumns =
        "id, token, receiver, kind, camera, event, problem, words, at_wall_ms, state, attempts, plain, why, over_wall_ms"

    private static func notification(_ row: Row) throws -> NotificationEntry {
        try NotificationEntry(
            id: row.value(0), token: row.value(1), receiver: row.value(2), kind: ClipRows.word(row, 3),
            camera: row.value(4), event: (row.value(5) as Int64?).map(EventID.init), problem: row.value(6),
            words: row.value(7), atWallMs: row.value(8), state: ClipRows.word(row, 9), attempts: row.value(10),
            isPlain: row.value(11), why: row.value(12), overWallMs: row.value(13))
    }
}
