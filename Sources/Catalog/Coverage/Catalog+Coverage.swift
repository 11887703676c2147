import GRDB
public import Machines

/// A label that a camera's coverage took on.
public struct CoverageChange: Hashable, Sendable {
    /// The camera.
    public var camera: String
    /// From when on.
    public var from: Moment
    /// The label; nil: the camera is not configured any more.
    public var label: Coverage?

    /// A change.
    public init(camera: String, from: Moment, label: Coverage?) {
        self.camera = camera
        self.from = from
        self.label = label
    }
}

extension Catalog {
    /// Keeps the labels that cameras took on, all or none.
    public func recordCoverage(bootID: String, _ changes: [CoverageChange]) throws(CatalogError) {
        if changes.isEmpty { return }
        try write(.write) { db in try Self.insert(changes, bootID: bootID, db) }
    }

    static func insert(_ changes: [CoverageChange], bootID: String, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO coverage (camera, boot_id, from_monotonic_ms, from_wall_ms, label)
                VALUES (?, ?, ?, ?, ?)
                """)
        for change in changes {
            try statement.execute(
                arguments: [
                    change.camera, bootID, change.from.monotonicMs, change.from.wallMs, change.label?.rawValue,
                ])
        }
    }

    /// The recorder was down since its last heartbeat, in boot `bootID`: says so for each camera whose last label is
    /// another one.
    ///
    /// - Returns: how many cameras.
    @discardableResult
    public func recordDown(bootID: String, since: Moment) throws(CatalogError) -> Int {
        try write(.write) { db in
            // A heartbeat is older than the last label where the daemon died right after it; the later one counts.
            try db.execute(
                sql: """
                    INSERT INTO coverage (camera, boot_id, from_monotonic_ms, from_wall_ms, label)
                    SELECT camera, :boot, :monotonic, max(:wall, from_wall_ms), 'recorderDown' FROM coverage
                    WHERE id IN (SELECT max(id) FROM coverage GROUP BY camera)
                        AND label IS NOT NULL AND label <> 'recorderDown'
                    """, arguments: ["boot": bootID, "monotonic": since.monotonicMs, "wall": since.wallMs])
            return db.changesCount
        }
    }

    /// The cameras whose last label says that they are configured.
    public func coveredCameras() throws(CatalogError) -> [String] {
        try read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT camera FROM coverage
                    WHERE id IN (SELECT max(id) FROM coverage GROUP BY camera) AND label IS NOT NULL
                    """)
        }
    }

    /// Whether anything is known of the coverage of a camera.
    public func hasCoverage(camera: String) throws(CatalogError) -> Bool {
        try read { db in
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM coverage WHERE camera = ?)", arguments: [camera])
                ?? false
        }
    }

    /// Every millisecond of a camera in [`fromWallMs`, `toWallMs`) with its label (S13). A clip that is open reaches to
    /// `nowWallMs`, and nothing is said about times after it.
    public func coverage(
        camera: String, fromWallMs: Int64, toWallMs: Int64, nowWallMs: Int64
    ) throws(CatalogError) -> CoverageLine {
        let to = min(toWallMs, nowWallMs)
        return try read { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(sql: Self.coverageSQL),
                arguments: [camera, fromWallMs, to.addingClamped(Self.beyondMs)])
            let marks = try rows.map { row in
                try CoverageLine.Mark(
                    at: row.value(0), label: (row.value(1) as String?).flatMap(Coverage.init(rawValue:)))
            }
            let beyond = to.addingClamped(Self.beyondMs)
            let there = try Self.timeline(db, camera, fromWallMs, beyond).map {
                CoverageLine.Span(from: $0.startWallMs, to: $0.endWallMs ?? max(nowWallMs, $0.startWallMs))
            }
            let gone = try Row.fetchAll(
                db.cachedStatement(sql: Self.deletionsSQL), arguments: [camera, fromWallMs, beyond]
            ).map { try CoverageLine.Span(from: $0.value(1), to: $0.value(2), rule: $0.value(3)) }
            return CoverageLine(from: fromWallMs, to: to, marks: marks, spans: there + gone)
        }
    }

    /// How far after the end of a question is looked for what explains its last moment; a clip begins, or the label
    /// changes, long before.
    private static let beyondMs: Int64 = 600_000

    /// The last label at or before the begin, and those after it.
    static let coverageSQL = """
        SELECT from_wall_ms, label FROM coverage
        WHERE camera = ?1 AND from_wall_ms < ?3 AND from_wall_ms >= ifnull(
            (SELECT max(from_wall_ms) FROM coverage WHERE camera = ?1 AND from_wall_ms <= ?2), ?2)
        ORDER BY from_wall_ms, id
        """
}
