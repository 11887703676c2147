import Foundation
import GRDB
import Machines
import Testing

@testable import Catalog

/// Rows that somebody has edited: what the schema allows and no recorder writes.
@Suite("Edited rows")
struct EditedRowTests {
    let harness = CatalogHarness()
    private static let most = "9223372036854775807"

    private func check(deep: Bool = true, repair: Bool = false) throws -> FsckReport {
        try Fsck.run(root: harness.root, scanner: CatalogHarness.scanner, options: .init(deep: deep, repair: repair))
    }

    /// Three clips one after another, and then the edit.
    private func edited(_ sql: String) throws -> Catalog {
        let catalog = try harness.open()
        for number in Int64(0)..<3 { try harness.record(catalog, atMs: CatalogHarness.startMs + number * 1_000) }
        try catalog.write(.write) { db in try db.execute(sql: sql) }
        return catalog
    }

    /// What retention, lists and views ask.
    private func ask(_ catalog: Catalog) throws {
        _ = try catalog.usage()
        _ = try catalog.retentionWindow(limit: 10)
        _ = try catalog.clips(ClipQuery(fromWallMs: CatalogHarness.startMs))
        _ = try catalog.recordedMs(camera: "front", boundaries: [0, CatalogHarness.startMs, Int64.max])
        _ = try catalog.timelines(fromWallMs: 0, toWallMs: CatalogHarness.startMs + 5_000)
    }

    @Test(
        "An absurd size or total blocks neither retention nor a check, which finds it, and a repair counts anew (H8)",
        arguments: [
            "UPDATE clip SET bytes = \(most) WHERE id = 2", "UPDATE clip SET bytes = \(most)",
            "UPDATE clip SET bytes = 7 WHERE id = 2", "UPDATE track SET bytes = \(most)",
            "UPDATE usage SET bytes = 1e19", "UPDATE usage SET bytes = \(most)", "UPDATE usage SET bytes = -1e300",
            "UPDATE usage SET bytes = 'many'", "UPDATE usage SET clips = 1e19, longest_ms = 1e19",
        ])
    func sizes(sql: String) throws {
        defer { harness.remove() }
        let catalog = try edited(sql)
        try ask(catalog)
        try catalog.close()
        #expect(try !check(deep: false).isClean)
        #expect(try check().findings.contains { $0.kind == .wrongTotals && $0.severity == .error })
        #expect(try check(repair: true).findings.isEmpty)
        #expect(try check().findings.isEmpty)
        let repaired = try harness.open()
        #expect(try repaired.usage().map(\.bytes) == [3 * 68] && repaired.usage().map(\.clips) == [3])
        #expect(try repaired.retentionWindow(limit: 10).clips.map(\.bytes) == [68, 68, 68])
        #expect(try repaired.read { try Catalog.longest($0, "front") } == 300)
    }

    @Test(
        "Absurd times and lengths block neither retention nor a check (H8)",
        arguments: [
            "UPDATE clip SET start_wall_ms = -\(most), end_wall_ms = \(most) WHERE id = 2",
            "UPDATE clip SET start_monotonic_ms = -\(most), end_monotonic_ms = \(most) WHERE id = 2",
            "UPDATE clip SET chained_to = 1, start_monotonic_ms = -\(most) WHERE id = 2",
            "UPDATE track SET duration_ms = \(most), fragments = \(most)",
            "UPDATE usage SET longest_ms = -1e300",
        ])
    func times(sql: String) throws {
        defer { harness.remove() }
        let catalog = try edited(sql)
        try ask(catalog)
        try catalog.close()
        #expect(try !check().findings.contains { $0.kind == .corrupt })
        #expect(try !check(repair: true).findings.contains { $0.kind == .corrupt })
    }

    @Test("Absurd sizes in the upload queue and in what the cloud has are bounded too (H8)")
    func cloud() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        for number in Int64(0)..<3 {
            let atMs = CatalogHarness.startMs + number * 1_000
            try harness.record(catalog, atMs: atMs, upload: CatalogHarness.upload())
            _ = try catalog.enterRemote(CatalogHarness.found(atMs: atMs))
        }
        try catalog.write(.write) { db in
            try db.execute(sql: "UPDATE remote_clip SET bytes = \(Self.most)")
            try db.execute(sql: "UPDATE upload SET bytes = \(Self.most), sent_bytes = \(Self.most)")
        }
        let sum = try catalog.remoteSum(camera: "front", fromWallMs: 0, toWallMs: .max, endedByWallMs: .max)
        #expect(sum?.clips == 3 && sum?.bytes == 1 << 50 && sum?.agedBytes == 1 << 50)
        #expect(try catalog.uploadTotals().map(\.bytes) == [1 << 50])
        #expect(try catalog.remoteUsage().map(\.bytes) == [1 << 50])
        try catalog.close()
        #expect(try !check(repair: true).findings.contains { $0.kind == .corrupt })
        #expect(try harness.open().remoteUsage().map(\.clips) == [3])
    }

    @Test(
        "A row whose path no clip file can have is found, and loses the track; what stands there stays (H5)",
        arguments: [
            "clips/front", "clips/front/2026/11", "clips/front/2026/11/21", "clips/", "clips/../lock",
            "clips/front/2026/11/21/notes.txt", "clips/front/2026/11/21/line\nbreak.cmfv", "clips/nowhere/x.cmfv",
        ])
    func paths(path: String) throws {
        defer { harness.remove() }
        let catalog = try edited("")
        let notes = harness.url("clips/front/2026/11/21/notes.txt")
        try Data(count: 34).write(to: notes)
        try catalog.write(.write) { db in
            try db.execute(sql: "UPDATE track SET path = ? WHERE clip = 2 AND ordinal = 0", arguments: [path])
        }
        try catalog.close()
        for deep in [false, true] {
            let found = try check(deep: deep).findings.filter { $0.severity == .error }
            #expect(found.map(\.subject) == [path] && found.map(\.kind) == [.missingFile], "\(found)")
        }
        let repaired = try check(repair: true)
        #expect(!repaired.findings.contains { $0.severity == .error }, "\(repaired.findings)")
        #expect(repaired.repairs.contains { $0.contains("no clip file") }, "\(repaired.repairs)")
        if path.hasSuffix("notes.txt") { #expect(FileManager.default.fileExists(atPath: notes.path)) }
        let after = try harness.open()
        let clips = try after.clips(ClipQuery())
        #expect(clips.map { $0.tracks.map(\.kind) } == [[.video, .audio], [.audio], [.video, .audio]])
        for track in clips.flatMap(\.tracks) {
            #expect(FileManager.default.fileExists(atPath: harness.url(track.path).path))
        }
    }

    @Test(
        "A clip whose sound outlasts its picture, as a rebuild measures it, does not overlap the next; one whose picture does, does"
    )
    func soundOutlasts() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        func record(_ catalog: Catalog, atMs: Int64, video: Int = 3, audio: Int = 4) throws {
            let (id, _) = try harness.openClip(
                catalog, CatalogHarness.facts("front", atMs: CatalogHarness.startMs + atMs),
                video: CatalogHarness.media(fragments: video), audio: CatalogHarness.media(fragments: audio))
            try harness.closeClip(catalog, id)
        }
        try record(catalog, atMs: 0)
        try record(catalog, atMs: 300)
        try record(catalog, atMs: 5_000, video: 4, audio: 3)
        try catalog.close()
        #expect(try check().findings.isEmpty)
        let late = try harness.open()
        let begin = CatalogHarness.startMs + 5_300
        let (id, _) = try harness.openClip(
            late, CatalogHarness.facts("front", atMs: begin), video: CatalogHarness.media(fragments: 1))
        try harness.closeClip(late, id)
        try late.close()
        #expect(try check().findings.map(\.kind) == [.overlap])
        let rid = try harness.open()
        _ = try Deleter(catalog: rid).delete([id], rule: "test", atWallMs: begin)
        try rid.close()
        let again = try harness.open()
        try record(again, atMs: 500)
        try again.close()
        #expect(try check().findings.map(\.kind) == [.overlap])
    }
}
