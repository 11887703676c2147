import Foundation
import GRDB
import Machines
import Testing

@testable import Catalog

@Suite("The coverage of the past")
struct CoverageTests {
    let harness = CatalogHarness()

    private func change(_ atMs: Int64, _ label: Coverage?, camera: String = "yard") -> CoverageChange {
        CoverageChange(camera: camera, from: Moment(monotonicMs: atMs, wallMs: atMs), label: label)
    }

    private func labels(_ catalog: Catalog, _ from: Int64, _ to: Int64, now: Int64 = 1_000_000) throws -> String {
        try catalog.coverage(camera: "yard", fromWallMs: from, toWallMs: to, nowWallMs: now).stretches.map {
            "\($0.from)-\($0.to) \($0.label?.rawValue ?? "none")"
        }.joined(separator: "; ")
    }

    @Test("The last label before the begin holds at the begin, and nothing is said about the future")
    func reaches() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        try catalog.recordCoverage(
            bootID: "b",
            [change(10, .linkLost), change(20, .idle), change(30, .disabled), change(15, .idle, camera: "x")])
        #expect(try labels(catalog, 0, 15) == "0-10 none; 10-15 linkLost")
        #expect(try labels(catalog, 25, 40) == "25-30 idle; 30-40 disabled")
        #expect(try labels(catalog, 25, 40, now: 33) == "25-30 idle; 30-33 disabled")
    }

    @Test("A daemon that died is down from its last heartbeat, or its last label if that is later")
    func down() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        try catalog.recordCoverage(
            bootID: "b", [change(10, .idle), change(12, .idle, camera: "late"), change(5, nil, camera: "gone")])
        #expect(try catalog.recordDown(bootID: "b", since: Moment(monotonicMs: 11, wallMs: 11)) == 2)
        #expect(try catalog.recordDown(bootID: "b", since: Moment(monotonicMs: 11, wallMs: 11)) == 0)
        try catalog.recordCoverage(bootID: "c", [change(30, .linkLost)])
        #expect(try labels(catalog, 10, 40) == "10-11 idle; 11-30 recorderDown; 30-40 linkLost")
    }

    @Test("Clips and what was deleted of them are in it")
    func clips() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let id = try harness.record(catalog, "yard")
        let clip = try #require(try catalog.clip(id))
        let start = clip.start.wallMs
        let end = try #require(clip.end).wallMs
        try catalog.recordCoverage(bootID: "b", [change(start - 50, .idle)])
        #expect(
            try labels(catalog, start - 50, end + 50, now: .max)
                == "\(start - 50)-\(start) idle; \(start)-\(end) recorded; \(end)-\(end + 50) idle")
    }

    @Test("What is forgotten leaves the label that still holds")
    func forgets() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        try catalog.recordCoverage(bootID: "b", [change(10, .linkLost), change(20, .idle), change(30, .disabled)])
        try catalog.forget(beforeWallMs: 25)
        #expect(try labels(catalog, 0, 40) == "0-20 none; 20-30 idle; 30-40 disabled")
    }

    @Test("A catalog of version 1 is taken over")
    func migrates() throws {
        defer { harness.remove() }
        _ = try harness.open()
        let path = harness.root + "/catalog.sqlite"
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            for table in ["coverage", "event_detail", "suppressed"] { try db.execute(sql: "DROP TABLE \(table)") }
            try db.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'v2'")
        }
        try queue.close()
        #expect(try harness.open().read(Schema.differences) == [])
    }
}
