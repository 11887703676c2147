import Foundation
import GRDB
import Testing

@testable import Catalog

@Suite struct SchemaTests {
    let harness = CatalogHarness()

    @Test func `the schema in docs/reference is the one that a new catalog has`() throws {
        defer { harness.remove() }
        let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/reference/schema.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        let blocks = text.components(separatedBy: "```sql\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
        let documented = blocks.joined(separator: "\n\n")
        #expect(documented == Schema.statements.map { $0 + ";" }.joined(separator: "\n\n"))
        #expect(try harness.open().read(Schema.differences) == [])
    }

    @Test func `comments of another version are no difference, and another column is one`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let clock = try #require(Schema.statements.first { Schema.name(of: $0) == "clock" })
        func differences(replacing words: String, with others: String) throws -> [String] {
            let statement = clock.replacing(words, with: others)
            #expect(statement != clock)
            try catalog.write(.write) { db in
                try db.execute(sql: "DROP TABLE clock")
                try db.execute(sql: statement)
            }
            return try catalog.read(Schema.differences)
        }
        #expect(try differences(replacing: "-- The boot.", with: "-- Which boot.") == [])
        #expect(
            try differences(replacing: "boot_id TEXT NOT NULL", with: "boot_id TEXT") == ["clock is not as expected"])
    }

    @Test func `every table, column and index says what it is for`() {
        for statement in Schema.statements {
            let lines = statement.split(separator: "\n")
            #expect(lines[0].contains(" -- "), "\(lines[0])")
            guard statement.hasPrefix("CREATE TABLE") else { continue }
            for line in lines.dropFirst() where !line.hasPrefix(")") {
                let isConstraint = ["CHECK", "PRIMARY KEY", "UNIQUE", "FOREIGN KEY"].contains {
                    line.drop { $0 == " " }.hasPrefix($0)
                }
                #expect(isConstraint || line.contains(" -- "), "\(line)")
            }
        }
    }

    @Test func `the schema refuses states that cannot be`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let id = try harness.record(catalog).rawValue
        for change in [
            "state = 'closed', ended = NULL, end_monotonic_ms = NULL, end_wall_ms = NULL", "state = 'open'",
            "state = 'final'", "cause = 'x'", "class = 'x'", "ended = 'x'", "protected = 2", "bytes = -1",
            "end_monotonic_ms = start_monotonic_ms - 1", "shortfall = 'x'", "state = 'deleting', protected = 1",
            "camera = ''", "event = 99",
        ] {
            #expect(throws: CatalogError.self, "\(change)") {
                try catalog.write(.write) { try $0.execute(sql: "UPDATE clip SET \(change) WHERE id = \(id)") }
            }
        }
    }

    @Test func `a commit is on the disk before it returns`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let settings = try catalog.pool.writeWithoutTransaction { db in
            try ["synchronous", "journal_mode", "foreign_keys"].map {
                try String.fetchOne(db, sql: "SELECT CAST(\($0) AS TEXT) FROM pragma_\($0)")
            }
        }
        #expect(settings == ["2", "wal", "1"])
    }

    /// The plan of a statement, one line for each step.
    private func plan(_ db: Database, _ sql: String, _ arguments: StatementArguments) throws -> [String] {
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments).map { $0["detail"] }
    }

    /// Statements about the cloud, with the index that each reads in order.
    private static let cloudQueries: [(String, StatementArguments, String)] = [
        (Catalog.nextUploadsSQL, [], "upload_sending (standing=?)"),
        (Catalog.nextEncodingsSQL, [], "upload_encoding (standing=?)"),
        (Catalog.remoteMsSQL, ["c", 0, 1, 0], "COVERING INDEX remote_clip_by_camera"),
        (Catalog.remoteSlicesSQL, ["c", 0, 1, 0, 9], "COVERING INDEX remote_clip_by_camera"),
        (Catalog.remoteSlicesGoneSQL, ["c", 0, 1, 0, 9], "INDEX remote_clip_by_camera"),
        (Catalog.remoteEventsSQL(isGone: false, .oldestFirst), ["c", 0, 1, 9, 0], "remote_event_by_camera (camera=?"),
        (Catalog.remoteEventsSQL(isGone: true, .newestFirst), ["c", 0, 1, 9, 0], "remote_event_by_camera (camera=?"),
        (Catalog.remoteStartSQL, ["c", 0], "COVERING INDEX remote_clip_by_camera (camera=? AND start_wall_ms>?)"),
        (Catalog.staleListedDaysSQL, ["s"], "cloud_day_stale (store=?)"),
        (Catalog.listedClipsSQL, ["c", "s", 0, 1, 0, 0, 9], "remote_clip_by_camera (camera=? AND start_wall_ms>? AND"),
        (Catalog.oldestRemoteSQL, ["c", 9], "COVERING INDEX remote_clip_by_age (camera=?)"),
    ]

    @Test(arguments: [false, true])
    func `queries use their index and sort nothing`(_ analyzed: Bool) throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        if analyzed { try CatalogFill.fill(catalog, CatalogFill.Plan(cameras: 4, clipsPerCamera: 500, indexBytes: 8)) }
        try catalog.read { db in
            let timeline = try plan(db, Catalog.timelineSQL, ["c", 0, 1, 0])
            #expect(
                timeline.count == 1
                    && timeline[0].contains(
                        "COVERING INDEX clip_by_camera (camera=? AND start_wall_ms>? AND start_wall_ms<?)")
            )
            let recorded = try plan(db, Catalog.recordedSQL, ["c", 0, 1, 0])
            #expect(recorded.count == 1 && recorded[0].contains("COVERING INDEX clip_by_camera"), "\(recorded)")
            let oldest = try plan(db, Catalog.oldestSQL, ["c", "event", 9])
            #expect(oldest[0].contains("COVERING INDEX clip_by_age (camera=? AND class=?)"), "\(oldest)")
            // What waits for an upload is asked of an index that holds nothing else.
            #expect(oldest.contains { $0.contains("upload_guarding (clip=?)") }, "\(oldest)")
            #expect(!oldest.joined().contains("TEMP B-TREE") && !oldest.joined().contains("SCAN"), "\(oldest)")
            for (sql, arguments, index) in Self.cloudQueries {
                let steps = try plan(db, sql, arguments)
                #expect(steps.first?.contains(index) == true, "\(steps)")
                #expect(!steps.joined().contains("TEMP B-TREE") && !steps.joined().contains("SCAN"), "\(steps)")
            }
            let open = try plan(db, Catalog.openBeforeSQL, ["c", 0])
            #expect(open[0].contains("clip_unsettled"))
            let deleted = try plan(db, Catalog.deletionsSQL, ["c", 0, 1])
            #expect(deleted.count == 1 && deleted[0].contains("COVERING INDEX deletion_by_camera"))
            let labels = try plan(db, Catalog.coverageSQL, ["c", 0, 1])
            #expect(labels.allSatisfy { !$0.contains("SCAN") && !$0.contains("TEMP B-TREE") }, "\(labels)")
            #expect(labels.first?.contains("COVERING INDEX coverage_by_camera") == true, "\(labels)")
            let claims = try plan(db, Catalog.claimsSQL, ["a", "b"])
            #expect(claims.count == 2 && claims[0].contains("(path>? AND path<?)"))
        }
    }

    @Test(arguments: [false, true])
    func `a page of clips or events is read in order from its index`(_ analyzed: Bool) throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        if analyzed { try CatalogFill.fill(catalog, CatalogFill.Plan(cameras: 4, clipsPerCamera: 500, indexBytes: 8)) }
        let key = ClipQuery.Key(startWallMs: 5, id: ClipID(rawValue: 5))
        try catalog.read { db in
            for order in [ClipQuery.Order.oldestFirst, .newestFirst] {
                for (camera, index) in [("cam01", "clip_by_camera"), (nil, "clip_by_time")] {
                    for after in [nil, key] {
                        let query = ClipQuery(
                            camera: camera, fromWallMs: 3, toWallMs: 9_999_999_999_999, order: order, after: after)
                        let (condition, arguments) = try Catalog.condition(query, db)
                        let steps = try plan(db, ClipRows.sql(condition), arguments)
                        // The page, its tracks, and the sum of damage, each from an index.
                        #expect(steps.count == 4 && !steps.joined().contains("SCAN d"), "\(steps)")
                        #expect(
                            steps.first?.contains(index) == true && !steps.joined().contains("TEMP B-TREE"), "\(steps)")
                    }
                    var events = EventQuery(camera: camera, fromWallMs: 3, newestFirst: order == .newestFirst)
                    events.offset = 10
                    for (isUnseen, zones, labels, table) in [
                        (false, [], [], "event"), (true, [], [], "event_unseen"), (true, ["door"], [], "event_unseen"),
                        (false, ["door"], [], "event_zone"), (false, ["door", "gate"], [], "event"),
                        (false, ["door"], ["person"], "event_label"), (true, [], ["person"], "event_unseen"),
                        (false, [], ["person", "car"], "event"),
                    ] {
                        events.isUnseen = isUnseen
                        events.zones = zones
                        events.labels = labels
                        let steps = try plan(db, events.sql.0, events.sql.1)
                        let byTime =
                            switch table {
                            case "event_zone": "SEARCH z USING PRIMARY KEY (zone=?"
                            case "event_label": "SEARCH l USING PRIMARY KEY (label=?"
                            default: table + "_by_time"
                            }
                        let index = camera == nil ? byTime : table + "_by_camera"
                        #expect(steps.first?.contains(index) == true, "\(steps)")
                        #expect(!steps.joined().contains("TEMP B-TREE") && !steps.joined().contains("SCAN"), "\(steps)")
                    }
                }
            }
        }
    }
}
