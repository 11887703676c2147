import Foundation
import Hashing
import Testing

@testable import Policies

/// What people wrote stays theirs (H7).
@Suite struct PolicyFileTests {
    private static let old = "name: a # mine\n"
    private static let revision = SHA256.revision(Array(old.utf8))

    private struct Told: Error {}

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func `A file is replaced as a whole, keeps mode and owner, and is a new inode`() throws {
        try Fixture.inNewFolder { folder in
            let path = folder + "/p.yaml"
            try Self.old.write(toFile: path, atomically: true, encoding: .utf8)
            #expect(chmod(path, 0o640) == 0)
            if geteuid() == 0 { #expect(chown(path, 65_534, 65_534) == 0) }
            var (before, after) = (stat(), stat())
            #expect(stat(path, &before) == 0)
            var kept: [UInt8] = []
            try AtomicFile.replace(path, revision: Self.revision, text: "name: b\n") { kept = $0 }
            #expect(stat(path, &after) == 0)
            #expect(after.st_mode == before.st_mode && after.st_uid == before.st_uid && after.st_gid == before.st_gid)
            #expect(try text(path) == "name: b\n" && kept == Array(Self.old.utf8))
            #expect(try names(folder) == ["p.yaml"])
        }
    }

    @Test func `What was changed since it was read is not overwritten, and the error says so (H7)`() throws {
        try Fixture.inNewFolder { folder in
            let path = folder + "/p.yaml"
            try "name: a # by hand\n".write(toFile: path, atomically: true, encoding: .utf8)
            var wasKept = false
            let changed = #expect(throws: FileProblem.self) {
                try AtomicFile.replace(path, revision: Self.revision, text: "name: b\n") { _ in wasKept = true }
            }
            #expect(
                changed?.kind == .changed && changed?.path == path && changed?.description.contains("by hand") == true)
            #expect(try text(path) == "name: a # by hand\n" && !wasKept)

            // Changed in the very last moment: another inode, and the same inode with other bytes.
            for atomically in [true, false] {
                try Self.old.write(toFile: path, atomically: true, encoding: .utf8)
                let late = #expect(throws: FileProblem.self) {
                    try AtomicFile.replace(path, revision: Self.revision, text: "name: b\n") { _ throws(FileProblem) in
                        try? "name: a # late\n".write(toFile: path, atomically: atomically, encoding: .utf8)
                    }
                }
                #expect(late?.kind == .changed)
                #expect(try text(path) == "name: a # late\n")
            }
            #expect(try names(folder) == ["p.yaml"])
        }
    }

    @Test func `No link is followed, and nothing that is no file is written (H7)`() throws {
        try Fixture.inNewFolder { folder in
            let (target, link) = (folder + "/vigil.yaml", folder + "/link.yaml")
            try Self.old.write(toFile: target, atomically: true, encoding: .utf8)
            #expect(symlink("vigil.yaml", link) == 0 && mkfifo(folder + "/pipe", 0o600) == 0)
            #expect(symlink("nowhere", folder + "/dangling") == 0)
            for name in ["link.yaml", "pipe", ".", "dangling"] {
                #expect(throws: FileProblem.self, "\(name)") {
                    try AtomicFile.replace("\(folder)/\(name)", revision: Self.revision, text: "x") { _ in }
                }
                let occupied = #expect(throws: FileProblem.self, "\(name)") {
                    try AtomicFile.create("\(folder)/\(name)", text: "x")
                }
                #expect(occupied?.kind == .occupied)
            }
            #expect(try text(target) == Self.old)
            #expect(try names(folder) == ["dangling", "link.yaml", "pipe", "vigil.yaml"])
        }
    }

    @Test func `What is gone, or became something else than a file, is told apart from a failing disk (H7)`() throws {
        try Fixture.inNewFolder { folder in
            #expect(mkfifo(folder + "/pipe", 0o600) == 0 && mkdir(folder + "/folder", 0o700) == 0)
            #expect(symlink("nowhere", folder + "/dangling") == 0)
            for name in ["gone", "pipe", "folder", "dangling", "no/folder"] {
                let path = "\(folder)/\(name)"
                let replaced = #expect(throws: FileProblem.self, "\(name)") {
                    try AtomicFile.replace(path, revision: Self.revision, text: "x") { _ in }
                }
                let read = #expect(throws: FileProblem.self, "\(name)") {
                    try AtomicFile.text(path, revision: Self.revision)
                }
                for problem in [replaced, read] {
                    #expect(problem?.kind != .system && problem?.path == path, "\(name)")
                    #expect(problem?.remedy != "check the disk" && problem?.remedy != "check the path", "\(name)")
                }
            }
        }
    }

    @Test func `A new file is made only where nothing is (H7)`() throws {
        try Fixture.inNewFolder { folder in
            let path = folder + "/p.yaml"
            try AtomicFile.create(path, text: "name: p\n")
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o644 && status.st_nlink == 1)
            let occupied = #expect(throws: FileProblem.self) { try AtomicFile.create(path, text: "name: q\n") }
            #expect(occupied?.kind == .occupied && occupied?.path == path)
            #expect(try text(path) == "name: p\n")
            #expect(throws: FileProblem.self) { try AtomicFile.create(folder + "/no/p.yaml", text: "x") }
            #expect(try names(folder) == ["p.yaml"])
        }
    }

    @Test func `What a kill leaves behind goes with the next write, and nothing else does`() throws {
        try Fixture.inNewFolder { folder in
            let path = folder + "/p.yaml"
            try Self.old.write(toFile: path, atomically: true, encoding: .utf8)
            for name in [".p.yaml.77.1.tmp", ".p.yaml.78.2.tmp", ".q.yaml.77.1.tmp", ".p.yaml.swp"] {
                try "half".write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
            }
            try AtomicFile.replace(path, revision: Self.revision, text: "name: b\n") { _ in }
            #expect(try names(folder) == [".p.yaml.swp", ".q.yaml.77.1.tmp", "p.yaml"])
        }
    }

    @Test func `Versions are kept in order, each once in a row, and only so many (H7)`() throws {
        try Fixture.inNewFolder { folder in
            let versions = PolicyVersions(policy: "p", file: folder + "/p.yaml")
            #expect(versions.all().isEmpty)
            for text in ["1", "1", "2", "1"] { try versions.keep(Array(text.utf8)) }
            #expect(versions.all().map(\.text) == ["1", "2", "1"])
            #expect(versions.all().first?.revision == SHA256.revision(Array("1".utf8)))
            for number in 10..<50 { try versions.keep(Array("\(number)".utf8)) }
            #expect(versions.all().map(\.text) == (30..<50).map { "\($0)" })
            #expect(try names(folder + "/.versions/p").count == PolicyVersions.most)
            // What others put there is not taken for a version.
            let own = try names(folder + "/.versions/p")
            #expect(symlink("/etc/passwd", folder + "/.versions/p/999999-000000000000.yaml") == 0)
            try "x".write(toFile: folder + "/.versions/p/notes.txt", atomically: true, encoding: .utf8)
            #expect(versions.all().count == own.count)
        }
    }

    @Test func `Where the version before cannot be kept, nothing is replaced`() throws {
        try Fixture.inNewFolder { folder in
            let path = folder + "/p.yaml"
            try Self.old.write(toFile: path, atomically: true, encoding: .utf8)
            try "in the way".write(toFile: folder + "/.versions", atomically: true, encoding: .utf8)
            let versions = PolicyVersions(policy: "p", file: path)
            let problem = #expect(throws: FileProblem.self) {
                try AtomicFile.replace(path, revision: Self.revision, text: "name: b\n") { bytes throws(FileProblem) in
                    try versions.keep(bytes)
                }
            }
            #expect(problem?.path == folder + "/.versions")
            #expect(try text(path) == Self.old && names(folder) == [".versions", "p.yaml"])
        }
    }
}
