internal import Foundation
internal import MemorySite
internal import Testing

@Suite("The commands of the key file")
struct CloudKeyTests {
    /// Runs `vigil cloud key` with what is typed on standard input.
    private func key(_ arguments: String..., typed: String = "", in folder: String) async throws -> Run.Result {
        let input = folder + "/typed"
        try typed.write(toFile: input, atomically: true, encoding: .utf8)
        return try await Run.tool(
            "/bin/sh",
            ["-c", "input=$1; shift; exec \"$0\" cloud key \"$@\" <\"$input\"", Program.path, input] + arguments,
            folder: folder)
    }

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "vigil-key-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test("A key is made once, its backup is confirmed by the code from paper or by a copy, and the code makes it anew")
    func lifetime() async throws {
        try await inFolder { folder in
            let made = try await key("create", "site.key", in: folder)
            #expect(made.status == 0 && made.errors.contains("vigil cloud key confirm site.key"))
            let code = made.output.split(separator: "\n").filter { $0.hasPrefix("    ") }.joined(separator: "\n")
            #expect(code.split(separator: " ", omittingEmptySubsequences: true).count >= 13)
            let file = try String(contentsOfFile: folder + "/site.key", encoding: .utf8)
            #expect(try await key("create", "site.key", in: folder).status == 1)
            #expect(try String(contentsOfFile: folder + "/site.key", encoding: .utf8) == file)
            #expect(try await key("show", "site.key", in: folder).output.contains("no backup confirmed"))
            // Of one letter another, whatever the code is.
            let digits = code.drop { $0 == " " }
            let mistyped = (digits.first == "A" ? "B" : "A") + digits.dropFirst()
            for (typed, words) in [
                ("", "has 0"), ("ABCD", "has 4"), (mistyped, "paper"),
                (code + "!", "letters and the digits"),
            ] {
                let refused = try await key("confirm", "site.key", typed: typed, in: folder)
                #expect(refused.status == 1 && refused.errors.contains(words), "\(typed): \(refused.errors)")
            }
            let itself = try await key("confirm", "site.key", "--from", "./site.key", in: folder)
            #expect(itself.status == 1 && itself.errors.contains("no backup"))
            #expect(try await key("confirm", "site.key", typed: code.lowercased() + "\n", in: folder).status == 0)
            let shown = try await key("show", "site.key", "--code", in: folder)
            #expect(shown.output.contains("backup confirmed on 20") && shown.output.contains(code))
            let again = try await key("restore", "other.key", typed: code, in: folder)
            #expect(again.status == 0)
            let restored = try String(contentsOfFile: folder + "/other.key", encoding: .utf8)
            let line = try #require(file.split(separator: "\n").first { $0.hasPrefix("key ") })
            #expect(restored.contains(line) && restored.contains("\nbackup 20"))
            #expect(try await key("confirm", "site.key", "--from", "other.key", in: folder).status == 0)
            #expect(try await key("restore", "other.key", typed: code, in: folder).status == 1)
        }
    }

    @Test("Another key's copy confirms nothing, and nothing is read that others may read")
    func others() async throws {
        try await inFolder { folder in
            #expect(try await key("create", "one.key", in: folder).status == 0)
            #expect(try await key("create", "two.key", in: folder).status == 0)
            let other = try await key("confirm", "one.key", "--from", "two.key", in: folder)
            #expect(other.status == 1 && other.errors.contains("it opens other clips"))
            #expect(chmod(folder + "/one.key", 0o640) == 0)
            for arguments in [["show", "one.key"], ["confirm", "two.key", "--from", "one.key"]] {
                let refused = try await Program.run(["cloud", "key"] + arguments, folder: folder)
                #expect(refused.status == 1 && refused.errors.contains("chmod 600"), "\(arguments)")
                #expect(refused.output.isEmpty)
            }
        }
    }
}
