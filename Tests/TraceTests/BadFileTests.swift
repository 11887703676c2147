import Foundation
import Glibc
import Testing

@testable import Trace

@Suite("Files of a trace that are none")
struct BadFileTests {
    enum Kind: CaseIterable, Sendable {
        case pipe, folder, link, device

        func make(_ path: String) throws {
            unlink(path)
            switch self {
            case .pipe: try #require(mkfifo(path, 0o600) == 0)
            case .folder: try #require(mkdir(path, 0o700) == 0)
            case .link: try #require(symlink("/etc/hostname", path) == 0)
            case .device: try #require(mknod(path, S_IFCHR | 0o600, 1 << 8 | 5) == 0)
            }
        }
    }

    static let kinds = Kind.allCases.filter { $0 != .device || getuid() == 0 }

    /// Three files of one chain, of three days.
    private func days(_ site: Site) throws {
        for day in Int64(0)..<3 {
            let log = site.log()
            _ = try log.open()
            let wallMs = Site.noonMs + day * Site.dayMs
            for _ in 0..<3 { try log.write(.step(try site.step(wallMs: wallMs)), wallMs: wallMs) }
            try log.close(wallMs: wallMs)
        }
        #expect(try site.paths().count == 3 && site.read().records.count == 9)
    }

    @Test("One among others is passed over and told, and the others are read (H5)", arguments: kinds, 0..<3)
    func read(_ kind: Kind, _ index: Int) throws {
        let site = try Site()
        try days(site)
        try kind.make(try site.paths()[index])
        let read = try site.read()
        #expect(read.records.count == 6)
        #expect(try site.verify().findings.contains { $0.kind == .unreadable })
    }

    @Test("One among others is told at the start, and the trace goes on in another file (H5)", arguments: kinds, 0..<3)
    func written(_ kind: Kind, _ index: Int) throws {
        let site = try Site()
        try days(site)
        let path = try site.paths()[index]
        try kind.make(path)
        let log = site.log(run: "fedcba9876543210fedcba9876543210")
        let notices = try log.open()
        // Behind the last whole file nobody looks.
        let skipped = notices.contains { if case .skipped = $0 { true } else { false } }
        #expect(skipped == (index == 2), "\(notices)")
        let wallMs = Site.noonMs + 3 * Site.dayMs
        try log.write(.step(try site.step("later", wallMs: wallMs, state: true)), wallMs: wallMs)
        try log.close(wallMs: wallMs)
        #expect(try site.read().records.last?.camera == "later")
        #expect(try site.paths().count == 4)
    }

    @Test("One that cannot be deleted keeps none of the others (H5)")
    func retained() throws {
        let site = try Site()
        try days(site)
        let paths = try site.paths()
        try Kind.folder.make(paths[0])
        let log = site.log(keepMs: Site.dayMs)
        _ = try log.open()
        let notices = try log.retain(wallMs: Site.noonMs + 40 * Site.dayMs)
        #expect(notices.count == 2)
        #expect(try site.paths() == [paths[0], paths[2]])
    }
}
