import Foundation
import GRDB
import Glibc
import Machines
import Testing

@testable import Catalog

/// What may stand in the place of a track file (H5): each of them concerns one clip, and the work goes on with the others.
@Suite("Strange files")
struct StrangeFileTests {
    enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case link, linkToNothing, linkToItself, pipe, socket, device, folder, fullFolder, otherName, forbidden
        case fileForFolder, linkForFolder, folderForNobody

        var testDescription: String { rawValue }

        /// What stands in the place of the day's folder instead of the file's.
        var isAboveFile: Bool { self == .fileForFolder || self == .linkForFolder || self == .folderForNobody }

        /// Media that can be read is still there.
        var isMedia: Bool { self == .otherName || (getuid() == 0 && (self == .forbidden || self == .folderForNobody)) }

        /// Puts it in the place of the file at `path`.
        func replace(_ path: String) throws {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let place = isAboveFile ? folder : path
            let kept = place + "-kept"
            try check(rename(place, kept), place)
            switch self {
            case .link, .linkForFolder: try check(symlink(kept, place), place)
            case .linkToNothing: try check(symlink("/nonexistent/file", place), place)
            case .linkToItself: try check(symlink(place, place), place)
            case .pipe: try check(mkfifo(place, 0o600), place)
            case .socket: try listen(place)
            case .device: try check(mknod(place, S_IFCHR | 0o600, makedev(1, 5)), place)
            case .folder: try check(mkdir(place, 0o700), place)
            case .fullFolder:
                try check(mkdir(place, 0o700), place)
                try Data("mine".utf8).write(to: URL(fileURLWithPath: place + "/notes.txt"))
            case .otherName: try check(Glibc.link(kept, place), place)
            case .forbidden, .folderForNobody:
                try check(rename(kept, place), place)
                try check(chmod(place, 0), place)
            case .fileForFolder: try Data("no folder".utf8).write(to: URL(fileURLWithPath: place))
            }
        }

        private func check(_ result: Int32, _ path: String) throws {
            guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }

        /// A device of the machine's memory that gives zeros without end.
        private func makedev(_ major: UInt, _ minor: UInt) -> UInt { major << 8 | minor }

        private func listen(_ path: String) throws {
            let file = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(file) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            // A path may be longer than an address: the socket is made where it is short.
            let short = "/tmp/vigil-\(getpid())-\(UInt32.random(in: 0 ... .max))"
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
            let length = socklen_t(MemoryLayout<sockaddr_un>.size)
            try check(
                withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, length) }
                }, path)
            try check(rename(short, path), path)
        }
    }

    static let kinds = Kind.allCases.filter { $0 != .device || getuid() == 0 }
    static let days: [Int64] = [0, 86_400_000, 2 * 86_400_000]

    /// Three clips of three days, of which the middle one's video is something else; closed ones unless `open`.
    private func prepared(_ harness: CatalogHarness, _ kind: Kind, open: Bool) throws -> [ClipID] {
        let catalog = try harness.open()
        let ids = try Self.days.map { day in
            let atMs = CatalogHarness.startMs + day
            guard open else { return try harness.record(catalog, atMs: atMs) }
            return try harness.openClip(
                catalog, CatalogHarness.facts("front", atMs: atMs),
                video: CatalogHarness.media(fragments: 3, torn: true),
                audio: CatalogHarness.media(fragments: 2)
            ).id
        }
        let path = try #require(try catalog.clip(ids[1])?.tracks.first?.path)
        try catalog.close()
        try kind.replace(harness.url(path).path)
        return ids
    }

    /// Lets everybody into what nobody could enter, and takes all of it away.
    private func remove(_ harness: CatalogHarness) {
        _ = try? FileManager.default.subpathsOfDirectory(atPath: harness.root).map {
            chmod(harness.url($0).path, 0o700)
        }
        harness.remove()
    }

    @Test("Recovery closes the other clips whatever stands among them, and says what it found (H5)", arguments: kinds)
    func recovered(kind: Kind) throws {
        let harness = CatalogHarness()
        defer { remove(harness) }
        let ids = try prepared(harness, kind, open: true)
        let catalog = try harness.open()
        let report = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run()
        #expect(report.interrupted.contains(ids[0]) && report.interrupted.contains(ids[2]))
        for id in [ids[0], ids[2]] {
            let clip = try #require(try catalog.clip(id))
            #expect(clip.state == .closed && !clip.incomplete && clip.tracks.map(\.fragments) == [3, 2])
        }
        #expect(try catalog.openClips().isEmpty && catalog.deletingClips().isEmpty)
        let strange = try #require(try catalog.clip(ids[1]))
        #expect(strange.state == .closed && strange.incomplete != kind.isMedia)
        if !kind.isMedia { #expect(report.problems.contains { $0.path.hasPrefix("clips/front/2026/11/2") }) }
        // What could be set aside is, and what it was is not changed; nothing is left that keeps the next start from ending.
        let again = try Recovery(catalog: catalog, scanner: CatalogHarness.scanner).run()
        #expect(again.interrupted.isEmpty && again.discarded.isEmpty && again.deleted.isEmpty)
        try catalog.close()
    }

    @Test("A check and a repair tell it and go on with the others (H5)", arguments: kinds)
    func checked(kind: Kind) throws {
        let harness = CatalogHarness()
        defer { remove(harness) }
        let ids = try prepared(harness, kind, open: false)
        let found = try Fsck.run(root: harness.root, scanner: CatalogHarness.scanner, options: .init(deep: true))
        #expect(found.findings.isEmpty == (kind.isMedia && !kind.isLeftover))
        let after = try Fsck.run(
            root: harness.root, scanner: CatalogHarness.scanner, options: .init(deep: true, repair: true))
        #expect(!after.repairs.isEmpty || kind.isMedia || kind.isAboveFile)
        let catalog = try harness.open()
        for id in [ids[0], ids[2]] {
            let clip = try #require(try catalog.clip(id))
            #expect(!clip.incomplete && clip.tracks.map(\.fragments) == [3, 3])
        }
        try catalog.close()
    }

    @Test("A rebuild leaves it out and takes in the others (H5)", arguments: kinds)
    func rebuilt(kind: Kind) throws {
        let harness = CatalogHarness()
        defer { remove(harness) }
        _ = try prepared(harness, kind, open: false)
        try FileManager.default.removeItem(at: harness.url("catalog.sqlite"))
        let report = try Catalog.rebuild(root: harness.root, scanner: CatalogHarness.scanner)
        // Of the one in the middle the sound is left, unless its whole folder is out of reach.
        #expect(report.clips == (kind.isAboveFile && !kind.isMedia ? 2 : 3))
        if !kind.isMedia { #expect(!report.leftOut.isEmpty) }
        let catalog = try harness.open()
        let starts = try catalog.clips(ClipQuery()).map(\.start.wallMs)
        #expect(starts.contains(CatalogHarness.startMs) && starts.contains(CatalogHarness.startMs + Self.days[2]))
        try catalog.close()
    }

    @Test("Deletion takes the others away, and never what is elsewhere (H5)", arguments: kinds)
    func deleted(kind: Kind) throws {
        let harness = CatalogHarness()
        defer { remove(harness) }
        let ids = try prepared(harness, kind, open: false)
        let catalog = try harness.open()
        let report = try Deleter(catalog: catalog).delete(ids, rule: "age", atWallMs: 1)
        #expect(report.deleted.contains(ids[0]) && report.deleted.contains(ids[2]))
        #expect(Set(report.deleted + report.failures.map(\.clip)) == Set(ids))
        #expect(try catalog.clips(ClipQuery()).isEmpty)
        let kept = harness.files(under: "clips")
        #expect(kept.allSatisfy { $0.contains("-kept") || $0.hasSuffix("notes.txt") || kind.isAboveFile })
        if kind == .fullFolder { #expect(kept.contains { $0.hasSuffix("notes.txt") }) }
        if kind == .linkForFolder { #expect(kept.filter { $0.contains("-kept") }.count == 2) }
        try catalog.close()
    }

    @Test("A file that a scan cannot describe is left out of a rebuild, or taken in without its codec (H5)")
    func undescribed() throws {
        let harness = CatalogHarness()
        defer { remove(harness) }
        let catalog = try harness.open()
        for day in Self.days { try harness.record(catalog, atMs: CatalogHarness.startMs + day) }
        try catalog.close()
        try FileManager.default.removeItem(at: harness.url("catalog.sqlite"))
        let scanner: ContentsScanner = { path, cut in
            var scan = try CatalogHarness.scanner(path, cut)
            // What a sample entry that cannot be read, and an index of nonsense, give.
            if path.contains("/2026/11/22/") { scan.codec = "" }
            if path.contains("/2026/11/23/") { scan.durationMs = -1 }
            return scan
        }
        let report = try Catalog.rebuild(root: harness.root, scanner: scanner)
        #expect(report.clips == 2 && report.leftOut.count == 2)
        #expect(report.leftOut.allSatisfy { $0.path.contains("/2026/11/23/") })
        let rebuilt = try harness.open()
        #expect(try rebuilt.clips(ClipQuery()).map { $0.tracks.map(\.codec) }.contains(["unknown", "unknown"]))
        #expect(try rebuilt.openClips().isEmpty && rebuilt.deletingClips().isEmpty)
        try rebuilt.close()
    }

    @Test(
        "What stands in the place of the catalog's own files is named, with what to do about it (H5)",
        arguments: ["catalog.sqlite-wal", "catalog.sqlite-shm", "lock"], [Kind.folder, .pipe, .linkToNothing])
    func besideCatalog(name: String, kind: Kind) throws {
        // SQLite and the lock take a pipe for a file and work with it, but for the log.
        if kind == .pipe, name != "catalog.sqlite-wal" { return }
        let harness = CatalogHarness()
        defer { remove(harness) }
        let catalog = try harness.open()
        try harness.record(catalog)
        try catalog.close()
        let path = harness.root + "/" + name
        if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
        try kind.replace(path)
        func isNamed(_ body: () throws -> FsckReport?) -> Bool {
            do {
                guard let report = try body() else { return false }
                return report.findings.contains {
                    $0.kind == .strangeFile && $0.severity == .error && $0.subject == name
                        && $0.remedy.hasPrefix("move it")
                }
            } catch {
                let error = error as? CatalogError
                return error?.cause == .notPlain && error?.path == path && error?.hint.hasPrefix("Move it") == true
            }
        }
        #expect(
            isNamed {
                try harness.open().close()
                return nil
            })
        for repair in [false, true] {
            #expect(
                isNamed {
                    try Fsck.run(
                        root: harness.root, scanner: CatalogHarness.scanner, options: .init(repair: repair))
                })
        }
    }

    @Test("Rows that hold what no column may are damage, not the end of the process (H8)")
    func rows() throws {
        let harness = CatalogHarness()
        defer { remove(harness) }
        let catalog = try harness.open()
        let id = try harness.record(catalog)
        let columns = [
            ("clip", "id", ["start_wall_ms", "bytes", "camera"]),
            ("track", "ordinal", ["duration_ms", "path", "bytes"]),
        ]
        for (table, key, column) in columns.flatMap({ entry in entry.2.map { (entry.0, entry.1, $0) } }) {
            for value in ["'no number'", "x'00ff'", "1e300"] {
                try catalog.write(.write) { db in
                    try db.execute(sql: "PRAGMA ignore_check_constraints = 1")
                    try db.execute(
                        sql: "CREATE TEMP TABLE before AS SELECT \(key) AS id, \(column) AS value FROM \(table)")
                    try? db.execute(sql: "UPDATE \(table) SET \(column) = \(value)")
                }
                // Any answer will do.
                _ = try? catalog.clips(ClipQuery())
                _ = try? catalog.clip(id)
                _ = try? catalog.usage()
                _ = try? catalog.retentionWindow(limit: 10)
                _ = try? catalog.claims(in: "clips/front/2026/11/21")
                _ = try? catalog.read(FsckRows.findings)
                try catalog.write(.write) { db in
                    try? db.execute(
                        sql: "UPDATE \(table) SET \(column) = (SELECT value FROM before WHERE id = \(table).\(key))")
                    try db.execute(sql: "DROP TABLE before")
                }
            }
        }
        #expect(try catalog.clip(id)?.tracks.count == 2)
        try catalog.close()
    }
}

extension StrangeFileTests.Kind {
    /// What was there before lies beside it, and no row claims it.
    var isLeftover: Bool { self == .otherName }
}
