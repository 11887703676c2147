import CFaults
import Foundation
import GRDB
import Glibc
import Machines
import Testing

@testable import Catalog

/// What another process has left after a failed sync is in memory alone, and the kernel takes it for written: only what is
/// written again is kept by the next sync (D1). The time of a file's last change tells whether it was written.
@Suite("After a failed sync") struct FailedSyncTests {
    let harness = CatalogHarness()

    /// Sets a file's time of change to the begin of 1970.
    private func age(_ path: String) throws {
        var times = [timespec(), timespec()]
        try #require(utimensat(AT_FDCWD, harness.url(path).path, &times, 0) == 0)
    }

    private static func isOld(_ path: String) -> Bool {
        var found = stat()
        return stat(path, &found) != 0 || found.st_mtim.tv_sec == 0
    }

    private func isOld(_ path: String) -> Bool { Self.isOld(harness.url(path).path) }

    private func openClip(_ catalog: Catalog) throws -> [String] {
        let media = CatalogHarness.media(fragments: 3)
        let (_, tracks) = try harness.openClip(catalog, CatalogHarness.facts("front"), video: media, audio: media)
        return tracks.map(\.path)
    }

    @Test func `recovery writes the files of an open clip again before it syncs them`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let other = try harness.record(catalog, "side")
        let paths = try openClip(catalog)
        let others = try #require(try catalog.clip(other)).tracks.map(\.path)
        for path in paths + others { try age(path) }
        /// The files that were synced, and whether they had been written by then.
        final class Syncs { var written: [String: Bool] = [:] }
        let syncs = Syncs()
        vigil_tell_syncs(
            { context, path in
                guard let context, let path = path.map({ String(cString: $0) }), path.contains("cmf") else { return }
                Unmanaged<Syncs>.fromOpaque(context).takeUnretainedValue().written[path] = !FailedSyncTests.isOld(path)
            }, Unmanaged.passUnretained(syncs).toOpaque())
        defer { vigil_tell_syncs(nil, nil) }
        let report = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run()
        #expect(report.interrupted.count == 1 && report.problems.isEmpty)
        #expect(syncs.written == Dictionary(uniqueKeysWithValues: paths.map { (harness.url($0).path, true) }))
        for path in paths {
            #expect(try Data(contentsOf: harness.url(path)) == CatalogHarness.media(fragments: 3))
        }
        // What was closed was durable before.
        #expect(others.allSatisfy(isOld))
    }

    @Test func `a row whose files cannot be written again is incomplete, and the report says why`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let paths = try openClip(catalog)
        let place = harness.url(paths[0])
        let report = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner) { step in
            guard step == "scanned" else { return }
            try FileManager.default.moveItem(at: place, to: place.appendingPathExtension("kept"))
            try #require(symlink("/dev/zero", place.path) == 0)
        }.run()
        #expect(report.problems.contains { $0.path == paths[0] && $0.words.hasPrefix("cannot be made durable") })
        #expect(try catalog.clips(ClipQuery(camera: "front")).map(\.incomplete) == [true])
    }

    @Test func `repair writes a file again whose rows it makes anew`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let id = try harness.record(catalog)
        let path = try #require(try catalog.clip(id)?.tracks.first?.path)
        try catalog.write(.write) { db in
            try db.execute(sql: "UPDATE track_index SET fragments = x'00' WHERE ordinal = 0")
        }
        try catalog.close()
        try age(path)
        let report = try Fsck.run(
            root: harness.root, scanner: CatalogHarness.scanner, options: .init(deep: true, repair: true))
        #expect(report.repairs.contains("\(path) measured anew"))
        #expect(!isOld(path))
    }

    @Test func `a rebuild writes again what the old catalog has as open, and no archive`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let closed = try harness.record(catalog, "side")
        let old = try #require(try catalog.clip(closed)).tracks.map(\.path)
        let paths = try openClip(catalog)
        try catalog.close()
        for path in paths + old { try age(path) }
        let report = try Catalog.rebuild(root: harness.root, scanner: CatalogHarness.scanner)
        #expect(report.clips == 2)
        #expect(!paths.contains(where: isOld) && old.allSatisfy(isOld))
    }

    @Test func `what is no plain file, or is not there, is told and not written`() throws {
        defer { harness.remove() }
        let root = try StorageRoot(path: harness.root, create: true)
        try #require(mkfifo(harness.url("pipe").path, 0o600) == 0)
        try #require(mkdir(harness.url("folder").path, 0o700) == 0)
        try #require(symlink("/dev/zero", harness.url("link").path) == 0)
        for name in ["pipe", "folder", "link", "nothing", "missing/file"] {
            #expect(throws: CatalogError.self, "\(name)") { try root.rewrite(name) }
        }
    }

    @Test func `the log that another process has left is in the database once the catalog is open`() throws {
        defer { harness.remove() }
        let copy = CatalogHarness()
        defer { copy.remove() }
        let catalog = try harness.open()
        try harness.record(catalog)
        // What a killed process leaves.
        try FileManager.default.copyItem(atPath: harness.root, toPath: copy.root)
        try #require(try Data(contentsOf: copy.url("catalog.sqlite-wal")).count > 0)
        let next = try copy.open()
        // The database alone, as if nothing of the log had been on the disk.
        let alone = CatalogHarness()
        defer { alone.remove() }
        try FileManager.default.createDirectory(atPath: alone.root, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: copy.url("catalog.sqlite"), to: alone.url("catalog.sqlite"))
        #expect(try alone.open().clips(ClipQuery()).count == 1)
        try next.close()
    }
}
