public import Foundation
import GRDB

/// A day of a camera whose clips a list in the store names.
public struct ListedDay: Hashable, Sendable {
    /// The camera.
    public let camera: String
    /// The day of the site's time zone, such as 2026-11-23.
    public let day: String

    /// The day of a camera.
    public init(camera: String, day: String) {
        self.camera = camera
        self.day = day
    }
}

/// A remote clip as the list of its day names it.
public struct ListedClip: Hashable, Sendable {
    /// Its id.
    public let id: RemoteClipID
    /// Where its objects lie, below the store's prefix.
    public let key: String
    /// First frame, UTC epoch milliseconds.
    public let startWallMs: Int64
    /// The description as it lies in the store, JSON.
    public let description: Data
}

/// Which lists of days in the store are stale. Each change of a remote clip is noted in its own transaction (by triggers), so that no
/// crash makes it forgotten; which day it is about, the caller says, since days belong to a time zone. A list whose clips change while
/// it is made is noted again.
extension Catalog {
    /// Whether a clip came, changed or went, and the list of its day is not called stale yet.
    public func hasListedDayChanges() throws(CatalogError) -> Bool {
        try read { db in
            try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM cloud_day_change)")) ?? false
        }
    }

    /// Calls the lists stale of which clips came, changed or went, the oldest changes first.
    ///
    /// - Parameters:
    ///   - limit: how many changes are looked at.
    ///   - day: the day of a moment, UTC epoch milliseconds; nil beyond the calendar: then no list has the clip.
    /// - Returns: how many changes were looked at.
    @discardableResult
    public func markListedDays(limit: Int, day: (Int64) -> String?) throws(CatalogError) -> Int {
        try write(.write) { db in
            let changes = try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT id, store, camera, start_wall_ms FROM cloud_day_change ORDER BY id LIMIT ?"),
                arguments: [max(limit, 0)])
            for change in changes {
                if let day = try day(change.value(3)) {
                    try Self.markListedDay(
                        ListedDay(camera: change.value(2), day: day), store: change.value(1), db)
                }
                try db.cachedStatement(sql: "DELETE FROM cloud_day_change WHERE id = ?")
                    .execute(arguments: [try change.value(0) as Int64])
            }
            return changes.count
        }
    }

    private static func markListedDay(_ day: ListedDay, store: String, _ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO cloud_day (store, camera, day) VALUES (?, ?, ?)
                ON CONFLICT (store, camera, day) DO UPDATE SET stale = 1
                """
        ).execute(arguments: [store, day.camera, day.day])
    }

    /// The time zone whose days the lists in a store have; nil where that is not known: then nothing is known of the lists.
    public func listedDayZone(store: String) throws(CatalogError) -> String? {
        try read { db in
            try String.fetchOne(
                db.cachedStatement(sql: "SELECT zone FROM cloud_day_zone WHERE store = ?"), arguments: [store])
        }
    }

    /// Has the lists in a store follow the days of a time zone. All that there may be are stale then, and those of all days with remote
    /// clips: one question for each such day.
    ///
    /// - Parameter day: the day of a moment and when it ends, both UTC epoch milliseconds; nil beyond the calendar.
    public func useListedDays(
        store: String, zone: String, day: (Int64) -> (day: String, endMs: Int64)?
    ) throws(CatalogError) {
        try write(.write) { db in
            try db.execute(sql: "UPDATE cloud_day SET stale = 1 WHERE store = ?", arguments: [store])
            for camera in try String.fetchAll(db, sql: "SELECT camera FROM remote_usage WHERE clips > 0") {
                var from = Int64.min
                while let row = try Row.fetchOne(
                    db.cachedStatement(sql: Self.remoteStartSQL), arguments: [camera, from]),
                    let start = try row.value(0) as Int64?
                {
                    // What is before the calendar is passed over, and there is nothing behind it.
                    guard let (name, end) = day(start), end > start else {
                        if start < 0 { from = 0 } else { break }
                        continue
                    }
                    try Self.markListedDay(ListedDay(camera: camera, day: name), store: store, db)
                    from = end
                }
            }
            try db.execute(
                sql: "INSERT OR REPLACE INTO cloud_day_zone (store, zone) VALUES (?, ?)", arguments: [store, zone])
        }
    }

    /// Nothing is known any more of the lists in a store: whoever puts them has all of them made anew.
    public func forgetListedDays(store: String) throws(CatalogError) {
        try write(.write) { db in
            try db.execute(sql: "DELETE FROM cloud_day_zone WHERE store = ?", arguments: [store])
        }
    }

    /// The stale lists in a store, those of the newest days first; without those that the caller lets rest.
    public func staleListedDays(
        store: String, limit: Int, except resting: Set<ListedDay> = []
    ) throws(CatalogError) -> [ListedDay] {
        try read { db in
            var days: [ListedDay] = []
            let rows = try Row.fetchCursor(db.cachedStatement(sql: Self.staleListedDaysSQL), arguments: [store])
            while days.count < limit, let row = try rows.next() {
                let day = try ListedDay(camera: row.value(0), day: row.value(1))
                if !resting.contains(day) { days.append(day) }
            }
            return days
        }
    }

    static let staleListedDaysSQL = """
        SELECT camera, day FROM cloud_day INDEXED BY cloud_day_stale WHERE store = ? AND stale = 1
        ORDER BY day DESC, camera
        """

    /// The store has the list as it was made after the last `markListedDays`; or, where no clip is left of the day, none.
    public func settleListedDay(_ day: ListedDay, store: String, isGone: Bool) throws(CatalogError) {
        try write(.write) { db in
            try db.cachedStatement(
                sql: isGone
                    ? "DELETE FROM cloud_day WHERE store = ? AND camera = ? AND day = ?"
                    : "UPDATE cloud_day SET stale = 0 WHERE store = ? AND camera = ? AND day = ?"
            ).execute(arguments: [store, day.camera, day.day])
        }
    }

    /// A camera's remote clips in a store that begin in [`fromWallMs`, `toWallMs`), by start, each with its description.
    ///
    /// - Parameter last: the clip after which to go on.
    public func listedClips(
        camera: String, store: String, fromWallMs: Int64, toWallMs: Int64, after last: ListedClip? = nil, limit: Int
    ) throws(CatalogError) -> [ListedClip] {
        try read { db in
            try Row.fetchAll(
                db.cachedStatement(sql: Self.listedClipsSQL),
                arguments: [
                    camera, store, max(fromWallMs, last?.startWallMs ?? fromWallMs), toWallMs,
                    last?.startWallMs ?? .min, last?.id.rawValue ?? .min, max(limit, 0),
                ]
            ).map {
                try ListedClip(
                    id: RemoteClipID(rawValue: $0.value(0)), key: $0.value(1), startWallMs: $0.value(2),
                    description: $0.value(3))
            }
        }
    }

    static let listedClipsSQL = """
        SELECT r.id, r.key, r.start_wall_ms, d.body FROM remote_clip r INDEXED BY remote_clip_by_camera
        JOIN remote_description d ON d.remote = r.id
        WHERE r.camera = ?1 AND r.store = ?2 AND r.start_wall_ms >= ?3 AND r.start_wall_ms < ?4
            AND (r.start_wall_ms > ?5 OR r.id > ?6)
        ORDER BY r.start_wall_ms, r.id LIMIT ?7
        """
}
