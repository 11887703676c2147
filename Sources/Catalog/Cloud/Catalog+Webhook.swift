import GRDB

/// A stage that the webhook's receiver has not taken yet.
public struct WebhookNotice: Hashable, Sendable {
    /// What names it in the catalog.
    public let id: UploadNotice.ID
    /// The stage.
    public let stage: String
    /// When, UTC epoch milliseconds.
    public let wallMs: Int64
    /// Why the last try had failed then, in words.
    public let failure: String?
    /// How often it was sent in vain.
    public let attempts: Int64
    /// The job as it is now.
    public let job: UploadJob
}

/// How the webhook stands.
public struct WebhookState: Hashable, Sendable {
    /// The end of each notice's id in this catalog.
    public let series: String
    /// Since when its receiver takes nothing, UTC epoch milliseconds; nil while it does.
    public let failingWallMs: Int64?
    /// How many notices wait for it.
    public let waiting: Int
}

/// What the webhook's receiver is to be told. Its marks are apart from those of the journal: neither waits for the other.
extension Catalog {
    /// The most notices that wait for the receiver. There is no bound of time: a wall clock that is wrong would break it.
    public static let webhookNoticesMax = 100_000

    /// How the webhook stands; nil where nobody is told.
    public func webhook() throws(CatalogError) -> WebhookState? {
        try read { db in
            try Row.fetchOne(
                db,
                sql: "SELECT series, failing_wall_ms, (SELECT count(*) FROM webhook_notice) FROM webhook"
            ).map { row in
                try WebhookState(series: row.value(0), failingWallMs: row.value(1), waiting: row.value(2))
            }
        }
    }

    /// From now on each stage is to be told to a receiver, or none is, and nothing waits any more. Durable when it returns;
    /// repeating it is harmless. Gives how many notices went untold.
    @discardableResult
    public func useWebhook(_ isUsed: Bool) throws(CatalogError) -> Int {
        if try (webhook() != nil) == isUsed { return 0 }
        return try write(.write) { db in
            if isUsed {
                try db.execute(sql: "INSERT OR IGNORE INTO webhook (id, series) VALUES (1, lower(hex(randomblob(4))))")
                return 0
            }
            try db.execute(sql: "DELETE FROM webhook_notice")
            let count = db.changesCount
            try db.execute(sql: "DELETE FROM webhook")
            return count
        }
    }

    /// The oldest notice that waits of each job, the oldest first; without the jobs that the caller has in hand. One read costs
    /// what it gives and what it passes over.
    public func nextWebhookNotices(
        limit: Int, except inHand: Set<UploadID> = []
    ) throws(CatalogError) -> [WebhookNotice] {
        try read { db in
            var (notices, seen) = ([WebhookNotice](), inHand)
            let rows = try Row.fetchCursor(db.cachedStatement(sql: Self.webhookNoticesSQL))
            while notices.count < limit, let row = try rows.next() {
                let id = try UploadNotice.ID(upload: UploadID(rawValue: row.value(0)), number: row.value(1))
                guard seen.insert(id.upload).inserted, let job = try Self.upload(db, id.upload) else { continue }
                try notices.append(
                    WebhookNotice(
                        id: id, stage: row.value(2), wallMs: row.value(3), failure: row.value(4),
                        attempts: row.value(5), job: job))
            }
            return notices
        }
    }

    static let webhookNoticesSQL = """
        SELECT w.upload, w.number, n.stage, n.at_wall_ms, w.failure, w.attempts
        FROM webhook_notice w CROSS JOIN upload_notice n ON n.upload = w.upload AND n.number = w.number
        ORDER BY w.id
        """

    /// The receiver has taken a notice.
    public func markWebhookTold(_ id: UploadNotice.ID) throws(CatalogError) {
        try write(.write) { db in
            try db.cachedStatement(sql: "DELETE FROM webhook_notice WHERE upload = ? AND number = ?")
                .execute(arguments: [id.upload.rawValue, id.number])
        }
    }

    /// A notice was sent in vain.
    public func recordWebhookAttempt(_ id: UploadNotice.ID) throws(CatalogError) {
        try write(.write) { db in
            try db.cachedStatement(
                sql: "UPDATE webhook_notice SET attempts = attempts + 1 WHERE upload = ? AND number = ?"
            ).execute(arguments: [id.upload.rawValue, id.number])
        }
    }

    /// Keeps since when the receiver takes nothing, so that an outage is told once whatever restarts lie in it; nil: it does.
    public func saveWebhookFailing(sinceWallMs: Int64?) throws(CatalogError) {
        try write(.write) { db in
            try db.execute(sql: "UPDATE webhook SET failing_wall_ms = ?", arguments: [sinceWallMs])
        }
    }

    /// Gives the oldest notices up that are more than may wait. Gives how many went.
    @discardableResult
    public func trimWebhookNotices(keeping most: Int = Catalog.webhookNoticesMax) throws(CatalogError) -> Int {
        let waiting = try webhook()?.waiting ?? 0
        if waiting <= most { return 0 }
        return try write(.write) { db in
            try db.execute(
                sql: """
                    DELETE FROM webhook_notice WHERE id <= (
                        SELECT id FROM webhook_notice ORDER BY id DESC LIMIT 1 OFFSET ?)
                    """, arguments: [max(most, 0)])
            return db.changesCount
        }
    }
}
