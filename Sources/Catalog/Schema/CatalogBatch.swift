import GRDB
import Machines

/// Clips, events and labels as the daemon leaves them, by its own statements, but many in one transaction: for benchmarks that
/// need years of them.
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
