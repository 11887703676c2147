import Foundation
import GRDB
import Machines
import Testing

@testable import Catalog

@Suite struct ErrorTests {
    let harness = CatalogHarness()

    private func cause(_ body: () throws -> Void) -> CatalogError.Cause? {
        do {
            try body()
            return nil
        } catch { return (error as? CatalogError)?.cause }
    }

    @Test
    func `a root is free at once, though a child that was just forked still holds a copy of the lock's descriptor`()
        throws
    {
        defer { harness.remove() }
        let files = FileManager.default
        try files.createDirectory(atPath: harness.root, withIntermediateDirectories: true)
        let lock = try RootLock(root: harness.root)
        let held = try files.contentsOfDirectory(atPath: "/proc/self/fd").first {
            (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == harness.root + "/lock"
        }
        let copy = dup(try #require(held.flatMap { Int32($0) }))
        defer { close(copy) }
        #expect(cause { _ = try RootLock(root: harness.root) } == .locked(pid: getpid()))
        lock.release()
        #expect(cause { try RootLock(root: harness.root).release() } == nil)
    }

    @Test func `a second daemon is refused also where somebody has removed the lock's file`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        try FileManager.default.removeItem(at: harness.url("lock"))
        #expect(cause { _ = try harness.open() } == .locked(pid: nil))
        try catalog.close()
        try harness.open().close()
    }

    @Test(arguments: [true, false])
    func `a first start that was cut off before the first table leaves a root that starts`(isMarked: Bool) throws {
        defer { harness.remove() }
        try FileManager.default.createDirectory(atPath: harness.root, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: harness.url("catalog.sqlite").path)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            if isMarked { try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)") }
        }
        try queue.close()
        try harness.open().close()
        #expect(try Fsck.run(root: harness.root, scanner: CatalogHarness.scanner).isClean)
    }

    @Test func `a second daemon on one root is refused with the pid of the first`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        #expect(cause { _ = try harness.open() } == .locked(pid: getpid()))
        #expect(
            cause { _ = try Fsck.run(root: harness.root, scanner: CatalogHarness.scanner) } == .locked(pid: getpid()))
        #expect(try Catalog(root: harness.root, mode: .readOnly).clips(ClipQuery()).isEmpty)
        try catalog.close()
    }

    @Test func `a catalog of a newer version is refused, and left as it is`() throws {
        defer { harness.remove() }
        let path = harness.root + "/catalog.sqlite"
        try harness.open().write(.write) { db in
            try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('v999')")
        }
        #expect(cause { _ = try harness.open() } == .newerSchema(["v999"]))
        #expect(cause { _ = try Catalog(root: harness.root, mode: .readOnly) } == .newerSchema(["v999"]))
        #expect(try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM clip") } == 0)
    }

    @Test func `another program's database is not taken for a catalog`() throws {
        defer { harness.remove() }
        try FileManager.default.createDirectory(atPath: harness.root, withIntermediateDirectories: false)
        let queue = try DatabaseQueue(path: harness.root + "/catalog.sqlite")
        try queue.write { try $0.execute(sql: "CREATE TABLE player (name)") }
        try queue.close()
        #expect(cause { _ = try harness.open() } == .notACatalog)
    }

    @Test func `a full disk is named as such`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        try catalog.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        let found = cause {
            for number in 0..<200 {
                try catalog.recordClock(
                    bootID: String(repeating: "b", count: 900), Moment(monotonicMs: Int64(number), wallMs: 0))
            }
        }
        #expect(found == .full)
    }

    @Test func `a catalog opened to ask only writes nothing`() throws {
        defer { harness.remove() }
        try harness.open().close()
        let catalog = try Catalog(root: harness.root, mode: .readOnly)
        #expect(cause { try catalog.heartbeat(bootID: "b", Moment(monotonicMs: 1, wallMs: 1)) } == .readOnly)
    }

    @Test func `a root that does not exist is unreachable to a reader`() {
        let found = cause { _ = try Catalog(root: harness.root, mode: .readOnly) }
        guard case .unreachable = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test func `a link below the root is not followed`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        let id = try harness.record(catalog)
        let victim = CatalogHarness()
        defer { victim.remove() }
        try FileManager.default.moveItem(atPath: harness.root + "/clips/front", toPath: victim.root)
        try FileManager.default.createSymbolicLink(
            atPath: harness.root + "/clips/front", withDestinationPath: victim.root)
        let report = try Deleter(catalog: catalog).delete([id], rule: "siteSize", atWallMs: 1)
        #expect(report.deleted.isEmpty && report.failures.map(\.error.cause) == [.unsafePath])
        #expect(victim.files(under: "").count == 2)
        #expect(try catalog.deletingClips().map(\.id) == [id])
    }

    @Test func `a track's path must be a clip's of the same camera`() throws {
        defer { harness.remove() }
        let catalog = try harness.open()
        for path in ["../x.cmfv", "/etc/passwd", "clips/side/2026/11/21/20261121T054757.123Z-k3.cmfv"] {
            let track = NewTrack(kind: .video, codec: "avc1", path: path)
            #expect(cause { _ = try catalog.openClip(CatalogHarness.facts("front"), tracks: [track]) } == .unsafePath)
        }
        #expect(throws: CatalogError.self) { try catalog.openClip(CatalogHarness.facts("front"), tracks: []) }
    }

    @Test func `every message names the path and a remedy`() {
        let causes: [CatalogError.Cause] = [
            .locked(pid: 7), .corrupt("x"), .notACatalog, .full, .readOnly, .io("x"), .unreachable("x"), .busy,
            .newerSchema(["v999"]), .unsafePath, .refused("x"), .sql("x"),
        ]
        for cause in causes {
            let error = CatalogError(.open, path: "/srv/vigil", cause: cause)
            #expect(error.description.contains("/srv/vigil") && error.hint.hasSuffix("."))
        }
        #expect(CatalogError.cause(errno: ENOSPC) == .full && CatalogError.cause(errno: EROFS) == .readOnly)
        #expect(CatalogError.cause(of: DatabaseError(resultCode: .SQLITE_NOTADB, message: "m")) == .corrupt("m"))
        #expect(CatalogError.cause(of: DatabaseError(resultCode: .SQLITE_IOERR, message: "m")) == .io("m"))
        #expect(CatalogError.cause(of: DatabaseError(resultCode: .SQLITE_BUSY)) == .busy)
    }
}
