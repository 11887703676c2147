import Foundation
import GRDB
import Glibc
import Machines
import Testing

@testable import Catalog

/// An archive beside a catalog that does not know it, and a row that names what is not its own (H5, D8).
@Suite("Lost catalogs")
struct LostCatalogTests {
    let harness = CatalogHarness()

    @Test("What is older than a new catalog stays through each of its starts, and a rebuild takes it in")
    func older() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        for second in Int64(0)..<3 { try harness.record(catalog, atMs: CatalogHarness.startMs + second * 1_000) }
        try catalog.close()
        let archive = harness.files(under: "clips").sorted()
        for suffix in ["", "-wal", "-shm"] { unlink(harness.url("catalog.sqlite" + suffix).path) }
        for day in Int64(1)...2 {
            catalog = try harness.open()
            let report = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run()
            #expect(report.setAside.isEmpty && report.problems.count == 1)
            #expect(report.problems.first?.words.contains("run `vigil fsck --rebuild`") == true)
            try harness.record(catalog, atMs: CatalogHarness.startMs + day * 86_400_000)
            try catalog.close()
        }
        #expect(Set(archive).isSubset(of: harness.files(under: "clips")))
        #expect(try Catalog.rebuild(root: harness.root, scanner: CatalogHarness.scanner).clips == 5)
    }

    @Test("The ledger knows, too, how old the archive is: garbage is set aside when the first clips are gone")
    func ledger() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let first = try harness.record(catalog)
        let garbage = try harness.openClip(
            catalog, CatalogHarness.facts("front", atMs: CatalogHarness.startMs + 1_000), token: "left",
            video: CatalogHarness.media(fragments: 2))
        try catalog.dropTracks(garbage.tracks.indices.map { $0 }, of: garbage.id)
        try harness.record(catalog, atMs: CatalogHarness.startMs + 2_000)
        _ = try Deleter(catalog: catalog).delete([first], rule: "test", atWallMs: CatalogHarness.startMs + 9_000)
        let report = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run()
        #expect(report.setAside.map(\.from) == garbage.tracks.map(\.path))
        try catalog.close()
    }

    @Test("A rebuild numbers clips from where the old catalog ended, so that new and old can be deleted (S12)")
    func numbers() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        let ids = try (0..<6).map { try harness.record(catalog, atMs: CatalogHarness.startMs + Int64($0) * 1_000) }
        let deleter = Deleter(catalog: catalog)
        #expect(try deleter.delete(Array(ids[..<5]), rule: "test", atWallMs: CatalogHarness.startMs).deleted.count == 5)
        try catalog.close()
        #expect(try Catalog.rebuild(root: harness.root, scanner: CatalogHarness.scanner).clips == 1)
        catalog = try harness.open()
        let new = try harness.record(catalog, atMs: CatalogHarness.startMs + 9_000)
        let all = try catalog.clips(ClipQuery()).map(\.id)
        #expect(all.count == 2 && all.contains(new) && Set(all).isDisjoint(with: ids))
        #expect(try Deleter(catalog: catalog).delete(all, rule: "test", atWallMs: 1).deleted == all)
        #expect(try catalog.deletions(camera: "front", fromWallMs: 0, toWallMs: .max).count == 7)
        try catalog.close()
    }

    @Test("A ledger that has a clip's number already keeps both, and no clip waits for it")
    func takenNumbers() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let ids = try (0..<3).map { try harness.record(catalog, atMs: CatalogHarness.startMs + Int64($0) * 1_000) }
        try catalog.write(.write) { db in
            for (id, rule) in [(1, "a"), (2, "b"), (-2, "c")] {
                try db.execute(
                    sql: "INSERT INTO deletion VALUES (?, 'front', 1, 2, ?, 3)", arguments: [id, rule])
            }
        }
        #expect(try Deleter(catalog: catalog).delete(ids, rule: "test", atWallMs: 1).deleted == ids)
        let rules = try catalog.deletions(camera: "front", fromWallMs: 0, toWallMs: .max).map(\.rule)
        #expect(rules.sorted() == ["a", "b", "test", "test", "test"])
        try catalog.close()
    }

    @Test("A rebuild sets aside what holds not one whole fragment, and the next start finds nothing")
    func fragmentless() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        let torn = try harness.openClip(
            catalog, CatalogHarness.facts("front"), video: CatalogHarness.media(fragments: 0, torn: true))
        try harness.record(catalog, atMs: CatalogHarness.startMs + 1_000)
        try catalog.close()
        for suffix in ["", "-wal", "-shm"] { unlink(harness.url("catalog.sqlite" + suffix).path) }
        let report = try Catalog.rebuild(root: harness.root, scanner: CatalogHarness.scanner)
        let path = torn.tracks[0].path
        #expect(report.clips == 1 && report.leftOut.map(\.path) == [path])
        #expect(report.leftOut.first?.words.contains("it is lost+found/\(path) now") == true)
        #expect(FileManager.default.fileExists(atPath: harness.url("lost+found/" + path).path))
        catalog = try harness.open()
        #expect(try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run().problems.isEmpty)
        try catalog.close()
    }

    @Test("Of files beside a lost catalog fsck names the remedy that helps")
    func remedies() throws {
        defer { harness.remove() }
        func remedies() throws -> [String] {
            try Fsck.run(
                root: harness.root, scanner: CatalogHarness.scanner, options: .init(deep: false, repair: false)
            )
            .findings.filter { $0.kind == .unclaimedFile }.map(\.remedy)
        }
        let catalog = try harness.open()
        let ids = try (0..<3).map { try harness.record(catalog, atMs: CatalogHarness.startMs + Int64($0) * 1_000) }
        try catalog.write(.write) { db in
            try db.execute(sql: "DELETE FROM clip WHERE id <> ?", arguments: [ids[1].rawValue])
        }
        try catalog.close()
        let found = try remedies()
        #expect(found.count { $0.contains("--rebuild") } == 2 && found.count { $0.contains("--repair") } == 2)
        let empty = try harness.open()
        try empty.write(.write) { try $0.execute(sql: "DELETE FROM clip") }
        try empty.close()
        #expect(try remedies().count { $0.contains("--rebuild") } == 6)
    }

    @Test("A catalog that cannot be looked at is not gone")
    func inPlace() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        #expect(try catalog.isInPlace())
        try FileManager.default.moveItem(atPath: harness.root, toPath: harness.root + ".away")
        defer { try? FileManager.default.removeItem(atPath: harness.root + ".away") }
        #expect(try !catalog.isInPlace())
        try Data().write(to: URL(fileURLWithPath: harness.root))
        let error = #expect(throws: CatalogError.self) { try catalog.isInPlace() }
        #expect(error?.reason.contains("cannot be reached") == true)
        unlink(harness.root)
        try FileManager.default.moveItem(atPath: harness.root + ".away", toPath: harness.root)
        try catalog.close()
    }

    @Test("A rebuild brings back what was set aside, but for what is no clip file, or whose place is taken")
    func broughtBack() throws {
        defer { harness.remove() }
        var catalog = try harness.open()
        let kept = try harness.record(catalog)
        let ids = try (1...3).map { try harness.record(catalog, atMs: CatalogHarness.startMs + Int64($0) * 1_000) }
        let paths = try ids.flatMap { try #require(try catalog.clip($0)).tracks.map(\.path) }
        // Another catalog that knows the first clip alone.
        try catalog.write(.write) { db in
            try db.execute(sql: "DELETE FROM clip WHERE id <> ?", arguments: [kept.rawValue])
        }
        try catalog.close()
        catalog = try harness.open()
        let moved = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run().setAside
        #expect(moved.map(\.from).sorted() == paths.sorted())
        try catalog.close()
        try FileManager.default.copyItem(at: harness.url("lost+found/" + paths[0]), to: harness.url(paths[0]))
        try Data("no clip".utf8).write(to: harness.url("lost+found/" + paths[0]).appendingPathExtension("1"))
        try #require(mkfifo(harness.url("lost+found/clips/pipe").path, 0o600) == 0)
        let report = try Catalog.rebuild(root: harness.root, scanner: CatalogHarness.scanner)
        #expect(report.clips == 4 && report.leftOut.isEmpty)
        #expect(report.broughtBack.sorted() == paths.dropFirst().sorted())
        #expect(Set(paths).isSubset(of: harness.files(under: "clips")))
        #expect(FileManager.default.fileExists(atPath: harness.url("lost+found/" + paths[0]).path))
    }

    @Test(
        "A row that names what no clip file can be called loses that, and nothing moves",
        arguments: ["clips/front", "clips/front/2026", "clips/.", "clips/../catalog.sqlite", "clips/front/2026/x.cmfv"])
    func stranger(path: String) throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let closed = try harness.record(catalog)
        let atMs = CatalogHarness.startMs + 1_000
        let sound = CatalogHarness.media(fragments: 2)
        let media = CatalogHarness.media(fragments: 3)
        let one = try harness.openClip(catalog, CatalogHarness.facts("front", atMs: atMs), video: media, audio: sound)
        let two = try harness.openClip(catalog, CatalogHarness.facts("side", atMs: atMs), video: media)
        try catalog.write(.write) { db in
            try db.execute(
                sql: "UPDATE track SET path = ? WHERE clip = ? AND ordinal = 0", arguments: [path, one.id.rawValue])
            try db.execute(
                sql: "UPDATE track SET path = ? WHERE clip = ? AND ordinal = 0",
                arguments: [path + "/.", two.id.rawValue])
        }
        let before = harness.files(under: "clips").sorted()
        let report = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run()
        #expect(report.problems.contains { $0.path == path && $0.words.contains("is not the name of a clip file") })
        #expect(try catalog.clip(closed)?.state == .closed && catalog.openClips().isEmpty)
        #expect(try catalog.deletingClips().isEmpty && catalog.clip(two.id) == nil)
        let clip = try #require(try catalog.clip(one.id))
        #expect(clip.state == .closed && clip.incomplete && clip.tracks.map(\.kind) == [.audio])
        // The files of the two whose rows named something else have no row; all others are where they were.
        #expect(report.setAside.map(\.from).sorted() == [one.tracks[0].path, two.tracks[0].path].sorted())
        #expect(Set(before).subtracting(report.setAside.map(\.from)).isSubset(of: harness.files(under: "clips")))
        #expect(FileManager.default.fileExists(atPath: harness.url("catalog.sqlite").path))
        try catalog.close()
    }

    @Test("What is written again keeps its holes: a file of nothing else takes no room, and all bytes stay")
    func holes() throws {
        defer { harness.remove() }
        let root = try StorageRoot(path: harness.root, create: true)
        let media = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 | 1) })
        let file = open(harness.url("sparse").path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        for offset in [5 << 20, 40 << 20] {
            _ = media.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset)) }
        }
        try #require(ftruncate(file, 1 << 40) == 0)
        var facts = stat()
        fstat(file, &facts)
        let blocks = facts.st_blocks
        try root.rewrite("sparse")
        fstat(file, &facts)
        #expect(facts.st_blocks <= blocks + 16 && facts.st_size == 1 << 40)
        for offset in [5 << 20, 40 << 20] {
            var read = [UInt8](repeating: 0, count: media.count)
            #expect(pread(file, &read, read.count, off_t(offset)) == media.count && Data(read) == media)
        }
    }
}
