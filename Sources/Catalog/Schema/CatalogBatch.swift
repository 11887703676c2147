import GRDB
import Machines

/// Clips, events and labels as the daemon leaves them, by its own statements, but many in one transaction: for tests and
/// benchmarks that need years of them. Only here can these statements be had without SQLite, which no other module sees.
package struct CatalogBatch {
    private let catalog: Catalog
    private let db: Database

    init(_ catalog: Catalog, _ db: Database) {
        self.catalog = catalog
        self.db = db
    }

    /// Writes one batch into a catalog that was opened exclusively. Fast rather than durable. Blocking.
    package static func write(_ catalog: Catalog, _ body: (CatalogBatch) throws -> Void) throws {
        try catalog.write(.write) { db in try body(CatalogBatch(catalog, db)) }
    }

    /// Fills `catalog` by `body`, faster than it is durable meanwhile, and lets SQLite look at what it has then. Blocking.
    package static func quickly(_ catalog: Catalog, _ body: () throws -> Void) throws {
        try tune(catalog, "PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA wal_autocheckpoint = 50000")
        try body()
        try catalog.write(.write) { db in try db.execute(sql: "ANALYZE") }
        try tune(catalog, "PRAGMA synchronous = FULL; PRAGMA cache_size = -2000; PRAGMA wal_autocheckpoint = 1000")
    }

    /// The indexes of many cameras grow at many places at once; the default cache would read each page again and again.
    private static func tune(_ catalog: Catalog, _ sql: String) throws {
        try CatalogError.mapping(.write, catalog.path) {
            try catalog.pool.writeWithoutTransaction { db in try db.execute(sql: sql) }
        }
    }

    /// A clip that was recorded to its end.
    @discardableResult
    package func add(_ clip: NewClip, _ closed: ClosedClip, tracks: [NewTrack]) throws -> ClipID {
        let id = try Catalog.insert(clip, tracks, db)
        try catalog.close(id, closed, ordinals: Array(tracks.indices), db)
        return id
    }

    /// An event that ended.
    @discardableResult
    package func add(
        _ event: NewEvent, end: Moment, why: EventEnd, _ detail: EventDetail, isSeen: Bool
    ) throws -> EventID {
        let id = catalog.newEventID()
        try Catalog.insert(event, id, db)
        try catalog.end(id, at: end, why: why, db)
        try Catalog.insert(detail, of: id, db)
        if isSeen { try Catalog.removeUnseen(id, db) }
        return id
    }

    /// Labels that cameras took on in a boot.
    package func add(bootID: String, _ changes: [CoverageChange]) throws {
        try Catalog.insert(changes, bootID: bootID, db)
    }

    /// Runs of suppressed detections of a boot.
    package func add(bootID: String, _ runs: [SuppressedRun]) throws {
        try Catalog.insert(runs, bootID: bootID, db)
    }
}
