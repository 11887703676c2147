import Foundation
import GRDB
import Machines
import Synchronization
import Testing

@testable import Catalog

@Suite struct FsckTests {
    let harness = CatalogHarness()

    private func check(deep: Bool = false, repair: Bool = false) throws -> FsckReport {
        try Fsck.run(root: harness.root, scanner: CatalogHarness.scanner, options: .init(deep: deep, repair: repair))
    }

    private func prepared(_ body: (Catalog) throws -> Void) throws {
        let catalog = try harness.open()
        try body(catalog)
        try catalog.close()
    }

    @Test func `a sound root is clean, and is counted`() throws {
        defer { harness.remove() }
        try prepared { catalog in
            let first = try harness.record(catalog)
            try harness.record(catalog, atMs: CatalogHarness.startMs + 300, chainedTo: first)
        }
        let report = try check(deep: true)
        #expect(report.findings.isEmpty && report.clips == 2 && report.files == 4 && report.bytes == 4 * 34)
    }

    @Test func `each kind of trouble is found without a change, and repaired on demand`() throws {
        defer { harness.remove() }
        var paths: [String] = []
        try prepared { catalog in
            for second in Int64(0)..<4 { try harness.record(catalog, atMs: CatalogHarness.startMs + second * 1000) }
            paths = try catalog.clips(ClipQuery()).map { $0.tracks[0].path }
            try harness.openClip(
                catalog, CatalogHarness.facts("yard"), video: CatalogHarness.media(fragments: 2, torn: true))
            let gone = try harness.record(catalog, "side")
            _ = try catalog.markDeleting([gone], rule: "siteSize", atWallMs: 1)
            try catalog.write(.write) { db in
                try db.execute(sql: "UPDATE usage SET bytes = bytes + 1 WHERE camera = 'front'")
                try db.execute(sql: "UPDATE track_index SET fragments = x'00' WHERE clip = 3 AND ordinal = 0")
            }
        }
        try FileManager.default.removeItem(at: harness.url(paths[0]))
        try (CatalogHarness.media(fragments: 2)).write(to: harness.url(paths[1]))
        try CatalogHarness.media(fragments: 1).write(to: harness.url(paths[3].replacing("Z-", with: "Z-9")))
        let before = harness.files(under: "clips")

        let report = try check(deep: true)
        let kinds: Set<Finding.Kind> = [
            .missingFile, .wrongSize, .unclaimedFile, .openClip, .unfinishedDeletion, .wrongTotals, .wrongIndex,
        ]
        #expect(Set(report.findings.map(\.kind)) == kinds)
        #expect(report.findings.first?.severity == .error && !report.isClean && report.repairs.isEmpty)
        #expect(harness.files(under: "clips") == before)
        #expect(try check(deep: true).findings == report.findings)

        let repaired = try check(deep: true, repair: true)
        #expect(repaired.findings.isEmpty)
        #expect(repaired.repairs.count >= kinds.count)
        #expect(try check(deep: true).findings.isEmpty)
        let catalog = try harness.open()
        #expect(try catalog.clip(ClipID(rawValue: 1))?.incomplete == true)
        #expect(try catalog.clip(ClipID(rawValue: 1))?.tracks.map(\.kind) == [.audio])
        #expect(try catalog.clip(ClipID(rawValue: 2))?.tracks.first?.fragments == 2)
    }

    @Test func `what a look by the index finds is told with the difference, and an index that fits is believed`() throws
    {
        defer { harness.remove() }
        try prepared { catalog in try harness.record(catalog) }
        struct Difference: Error, CustomStringConvertible { let description = "fragment 2 at byte 24" }
        func check(_ verifier: @escaping TrackVerifier) throws -> FsckReport {
            try Fsck.run(
                root: harness.root, scanner: CatalogHarness.scanner, verifier: verifier, options: .init(deep: true))
        }
        let seen = Mutex<[String]>([])
        let clean = try check { root, path, index in
            seen.withLock { $0.append(root + "/" + path) }
            #expect(index == Data([8, 8, 8]))
        }
        #expect(clean.findings.isEmpty && seen.withLock { $0.count } == 2)
        // What only the index says and the scan does not find is no trouble of the file.
        #expect(try check { _, _, _ in throw Difference() }.findings.isEmpty)
        let path = try #require(seen.withLock { $0.first })
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seek(toOffset: 4 + 2 * 10)
        try file.write(contentsOf: Data([0x47]))
        try file.close()
        let found = try check { _, _, _ in throw Difference() }.findings
        #expect(found.map(\.kind) == [.wrongIndex] && found[0].words.hasSuffix(": fragment 2 at byte 24"))
    }

    @Test func `a clip whose files are all gone is entered in the ledger as missing`() throws {
        defer { harness.remove() }
        try prepared { catalog in
            try harness.record(catalog)
            try harness.record(catalog, "kept")
        }
        try FileManager.default.removeItem(at: harness.url("clips/front"))
        #expect(try check().findings.map(\.kind) == [.missingFile, .missingFile])
        #expect(try check(repair: true).findings.isEmpty)
        let catalog = try harness.open()
        #expect(try catalog.deletions(camera: "front", fromWallMs: 0, toWallMs: .max).map(\.rule) == ["missing"])
        #expect(try catalog.clips(ClipQuery()).map(\.camera) == ["kept"])
    }

    @Test func `a broken chain and an overlap are told`() throws {
        defer { harness.remove() }
        try prepared { catalog in
            let first = try harness.record(catalog)
            try harness.record(catalog, atMs: CatalogHarness.startMs + 400, chainedTo: first)
            try harness.record(catalog, atMs: CatalogHarness.startMs + 500)
        }
        #expect(Set(try check().findings.map(\.kind)) == [.brokenChain, .overlap])
    }

    @Test func `a changed schema is told by name`() throws {
        defer { harness.remove() }
        try prepared { catalog in
            try catalog.write(.write) { db in
                try db.execute(sql: "DROP INDEX clip_by_event; CREATE TABLE stranger (x)")
            }
        }
        #expect(try check().findings.map(\.words) == ["clip_by_event is missing", "stranger is not known"])
    }

    @Test func `an operator's file that is not ours, or a link, is left alone`() throws {
        defer { harness.remove() }
        try prepared { catalog in try harness.record(catalog) }
        let link = harness.url("clips/front/link.cmfv")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "/etc/hostname")
        #expect(try check().findings.map(\.kind) == [.strangeFile])
        #expect(try check(repair: true).findings.map(\.kind) == [.strangeFile])
        #expect(FileManager.default.fileExists(atPath: link.path))
    }

    @Test func `a damaged catalog is a finding, and a rebuild brings the clips back`() throws {
        defer { harness.remove() }
        try prepared { catalog in
            for second in Int64(0)..<5 { try harness.record(catalog, atMs: CatalogHarness.startMs + second * 1000) }
            try catalog.setOverride(CameraOverride(camera: "front", key: .hard, value: true, sinceWallMs: 1, by: "x"))
        }
        try Data("this is no database, whatever its name says".utf8).write(to: harness.url("catalog.sqlite"))
        #expect(try check().findings.map(\.kind) == [.corrupt])
        #expect(throws: CatalogError.self) { try harness.open() }
        let report = try Catalog.rebuild(root: harness.root, scanner: CatalogHarness.scanner)
        #expect(report.clips == 5 && report.salvaged == 0 && report.keptAs == "catalog.sqlite.broken-1")
        #expect(FileManager.default.fileExists(atPath: harness.url("catalog.sqlite.broken-1").path))
        let catalog = try harness.open()
        let clips = try catalog.clips(ClipQuery())
        #expect(clips.map(\.start.wallMs) == (0..<5).map { CatalogHarness.startMs + $0 * 1000 })
        #expect(clips.allSatisfy { $0.ended == .interrupted && $0.opened.mediaClass == .event })
        #expect(try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run().setAside.isEmpty)
    }

    @Test func `a rebuild keeps what the old database still tells`() throws {
        defer { harness.remove() }
        try prepared { catalog in
            let id = try harness.record(catalog)
            try catalog.protect([id], true)
            try catalog.setOverride(CameraOverride(camera: "front", key: .hard, value: true, sinceWallMs: 1, by: "x"))
        }
        let report = try Catalog.rebuild(root: harness.root, scanner: CatalogHarness.scanner)
        #expect(report.salvaged == 1 && report.tables["camera_override"] == 1)
        let catalog = try harness.open()
        let clip = try #require(try catalog.clips(ClipQuery()).first)
        #expect(clip.protected && clip.ended == .length && clip.opened.mediaClass == .continuous)
        #expect(try catalog.overrides().map(\.key) == [.hard])
    }

    @Test func `a rebuild fills every table, and keeps labels of coverage, events and what was suppressed`() throws {
        defer { harness.remove() }
        let created = Schema.statements.filter { $0.hasPrefix("CREATE TABLE") }.map(Schema.name(of:))
        // What a rebuild fills from the files or by triggers, and which days' lists are to be made anew, since all are.
        let filledAnew = [
            "clip", "track", "track_index", "track_damage", "usage", "remote_usage", "cloud_day_change",
            "cloud_day_zone",
        ]
        #expect(created.sorted() == (Salvage.tables + filledAnew).sorted())
        let rows = [
            "coverage": "VALUES (7, 'front', 'boot', 1, 2, 'recorded')",
            "event": nil, "event_detail": "VALUES (1, 3, 'door', NULL)",
            "event_zone": "VALUES ('door', 2, 1, 'front')",
            "event_label": "VALUES ('person', 2, 1, 'front', 1, 2, NULL, NULL, NULL, NULL)",
            "suppressed": "VALUES (9, 'front', 1, 'boot', 1, 2, 3, 4, 5, 'blind')",
        ]
        try prepared { catalog in
            try catalog.beginEvent(
                EventID(rawValue: 1),
                NewEvent(
                    camera: "front", bootID: "boot", began: Moment(monotonicMs: 1, wallMs: 2), cause: "detection"))
            try catalog.write(.write) { db in
                for (table, values) in rows where values != nil {
                    try db.execute(sql: "INSERT INTO \(table) \(values ?? "")")
                }
            }
        }
        func contents() throws -> [String: [Row]] {
            let queue = try DatabaseQueue(path: harness.url("catalog.sqlite").path)
            return try queue.read { db in
                try Dictionary(
                    uniqueKeysWithValues: rows.keys.map { ($0, try Row.fetchAll(db, sql: "SELECT * FROM \($0)")) })
            }
        }
        let before = try contents()
        _ = try Catalog.rebuild(root: harness.root, scanner: CatalogHarness.scanner)
        #expect(try contents() == before && before.values.allSatisfy { $0.count == 1 })
    }

    @Test func `a lost database does not turn the archive into lost property`() throws {
        defer { harness.remove() }
        try prepared { catalog in try harness.record(catalog) }
        let files = harness.files(under: "clips")
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(at: harness.url("catalog.sqlite" + suffix))
        }
        let report = try Recovery(catalog: harness.open(), scanner: CatalogHarness.scanner).run()
        #expect(report.setAside.isEmpty && report.problems.count == 1)
        #expect(harness.files(under: "clips") == files)
    }
}
