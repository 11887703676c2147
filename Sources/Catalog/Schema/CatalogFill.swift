import Foundation
import GRDB
import Machines

/// Fills a catalog with rows as a site in continuous mode would leave them, without any files: for benchmarks and for
/// tests of query plans. Fast rather than durable: one transaction for each `batch` clips.
package enum CatalogFill {
    /// What to make.
    package struct Plan: Sendable {
        /// Cameras, named `cam00`, `cam01`, …
        package var cameras: Int
        /// Clips of each camera, one after the other.
        package var clipsPerCamera: Int
        /// Length of a clip in milliseconds.
        package var clipMs: Int64
        /// Start of the first clips, UTC epoch milliseconds.
        package var startWallMs: Int64
        /// Bytes of each track's fragment index.
        package var indexBytes: Int

        /// A plan; clips of ten minutes from 2026-01-01, unless said otherwise.
        package init(
            cameras: Int, clipsPerCamera: Int, clipMs: Int64 = 600_000, startWallMs: Int64 = 1_767_225_600_000,
            indexBytes: Int = 600
        ) {
            self.cameras = cameras
            self.clipsPerCamera = clipsPerCamera
            self.clipMs = clipMs
            self.startWallMs = startWallMs
            self.indexBytes = indexBytes
        }
    }

    /// Name of a camera.
    package static func camera(_ number: Int) -> String { "cam" + number.padded(to: 2) }

    /// Fills `catalog`, which was opened exclusively, from the `first` clip on. Blocking.
    package static func fill(_ catalog: Catalog, _ plan: Plan, first: Int = 0, batch: Int = 20_000) throws {
        var next = first
        try quickly(catalog) {
            let total = plan.cameras * plan.clipsPerCamera
            while next < total {
                let range = next..<min(next + batch, total)
                try catalog.write(.write) { db in
                    for number in range {
                        try insert(db, camera: number % plan.cameras, round: number / plan.cameras, plan)
                    }
                }
                next = range.upperBound
            }
        }
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

    private static func insert(_ db: Database, camera number: Int, round: Int, _ plan: Plan) throws {
        let name = camera(number)
        let start = plan.startWallMs + Int64(round) * plan.clipMs + Int64(number)
        let mediaClass: RetentionPlan.MediaClass = round % 16 == 0 ? .event : .continuous
        guard let paths = ClipPaths(camera: name, startWallMs: start, token: "\(number)") else { return }
        try db.cachedStatement(sql: Catalog.insertClip).execute(arguments: [
            name, "4f1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e", start - plan.startWallMs, start,
            mediaClass == .event ? "detection" : "continuous", nil, nil, "shop", "sha256:7b0c", mediaClass.rawValue,
            5000, 5000, nil,
        ])
        let id = db.lastInsertedRowID
        for (ordinal, kind) in [TrackKind.video, .audio].enumerated() {
            let codec = kind == .video ? "avc1.64001f" : "mp4a.40.2"
            try Catalog.insert(NewTrack(kind: kind, codec: codec, path: paths.path(kind)), clip: id, ordinal, db)
            let scanned = TrackContents(
                bytes: kind == .video ? 300_000_000 : 9_600_000, fragments: 300, durationMs: plan.clipMs,
                index: Data(repeating: 0x5A, count: plan.indexBytes))
            try Catalog.fill(scanned, clip: ClipID(rawValue: id), ordinal, db)
        }
        try db.cachedStatement(
            sql: """
                UPDATE clip SET state = 'closed', end_monotonic_ms = ?, end_wall_ms = ?, ended = 'length',
                    bytes = 309600000 WHERE id = ?
                """
        ).execute(arguments: [start - plan.startWallMs + plan.clipMs, start + plan.clipMs, id])
    }
}
