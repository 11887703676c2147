import Foundation
import Hashing
import RandomSource
import Testing

@testable import Policies

@Suite("The key of a site and its file")
struct KeyFileTests {
    @Test("A key shows itself to nobody, and is drawn anew each time")
    func secret() throws {
        let key = SiteKey()
        var dumped = ""
        dump(key, to: &dumped)
        let hex = Hex.text(key.bytes)
        for text in ["\(key)", String(reflecting: key), dumped] {
            #expect(text.contains(key.id) && !text.contains(hex) && !text.contains("\(key.bytes[0]), \(key.bytes[1])"))
        }
        #expect(SiteKey() != key && key.bytes.count == 32)
        #expect(key.id == String(SHA256.hex(key.bytes).prefix(16)))
    }

    @Test("What follows from a key depends on the use and on the clip, and is HMAC-SHA256")
    func derived() throws {
        let key = try #require(SiteKey(bytes: Array(0..<32)))
        // printf 'vigil cbcs key\0clips/a' | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f
        #expect(
            Hex.text(key.derived("vigil cbcs key", for: "clips/a"))
                == "91947faa8777d54db77cc4882b53958e79ab663b53a78ab657c26b9439be07ae")
        let all = Set([
            key.derived("a", for: "b"), key.derived("b", for: "b"), key.derived("a", for: "c"),
            key.derived("ab", for: ""),
            SiteKey().derived("a", for: "b"),
        ])
        #expect(all.count == 5)
    }

    @Test("A recovery code gives the key back, however it is typed")
    func recovery() throws {
        for _ in 0..<50 {
            let key = SiteKey()
            let lines = key.recoveryCode
            #expect(lines.count == 2 && lines.allSatisfy { $0.wholeMatch(of: /([A-Z2-7]{4} ){6}[A-Z2-7]{4}/) != nil })
            let code = lines.joined(separator: " ")
            #expect(try SiteKey(recoveryCode: code) == key)
            #expect(try SiteKey(recoveryCode: code.lowercased().replacing(" ", with: "-") + "\n") == key)
            let alike = code.replacing("O", with: "0").replacing("I", with: "1").replacing("B", with: "8")
            #expect(try SiteKey(recoveryCode: alike) == key)
        }
    }

    @Test("Each wrong letter, two that changed places, a code that is too short or too long: all are told")
    func slips() throws {
        let key = try #require(SiteKey(bytes: (0..<32).map { $0 &* 37 }))
        let code = Array(key.recoveryCode.joined().replacing(" ", with: ""))
        for place in code.indices {
            var other = code
            other[place] = code[place] == "A" ? "B" : "A"
            #expect(throws: SiteKey.CodeProblem.mistyped) { try SiteKey(recoveryCode: String(other)) }
            guard place > 0, code[place] != code[place - 1] else { continue }
            other = code
            other.swapAt(place, place - 1)
            #expect(throws: SiteKey.CodeProblem.mistyped) { try SiteKey(recoveryCode: String(other)) }
        }
        #expect(throws: SiteKey.CodeProblem.length(55)) { try SiteKey(recoveryCode: String(code.dropLast())) }
        #expect(throws: SiteKey.CodeProblem.length(57)) { try SiteKey(recoveryCode: String(code) + "A") }
        #expect(throws: SiteKey.CodeProblem.length(0)) { try SiteKey(recoveryCode: "") }
        #expect(throws: SiteKey.CodeProblem.character) { try SiteKey(recoveryCode: String(code.dropLast()) + "9") }
        #expect(throws: SiteKey.CodeProblem.length(100_000)) {
            try SiteKey(recoveryCode: String(repeating: "A", count: 100_000))
        }
    }

    @Test("A key file is made once, for its owner alone, is read back, and keeps its mode when its backup is confirmed")
    func file() throws {
        try Fixture.inNewFolder { folder in
            let path = folder + "/site.key"
            let made = try KeyFile.create(path, key: SiteKey())
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
            #expect(try KeyFile(reading: path) == made && made.backup == nil)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains("loses the clips") && text.contains("id \(made.key.id)\n"))
            let problem = #expect(throws: KeyFileProblem.self) { try KeyFile.create(path, key: SiteKey()) }
            #expect(problem?.cause == "something is there already")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
            #expect(try made.confirm(on: "2026-11-25").backup == "2026-11-25")
            #expect(try KeyFile(reading: path).backup == "2026-11-25" && KeyFile(reading: path).key == made.key)
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
            // Again, and of a file that is another by now.
            #expect(try KeyFile(reading: path).confirm(on: "2026-11-26").backup == "2026-11-26")
        }
    }

    @Test(
        "What others may read, what is damaged and what is no key file is refused, with the remedy and without the key")
    func refused() throws {
        try Fixture.inNewFolder { folder in
            let path = folder + "/site.key"
            let key = try KeyFile.create(path, key: SiteKey()).key
            let (good, hex) = (try String(contentsOfFile: path, encoding: .utf8), Hex.text(key.bytes))
            for mode in [0o640, 0o604, 0o620, 0o644] as [mode_t] {
                #expect(chmod(path, mode) == 0)
                let problem = #expect(throws: KeyFileProblem.self) { try KeyFile(reading: path) }
                #expect(problem?.remedy == "chmod 600 it")
            }
            for (text, cause) in [
                ("", "no key of 64"), ("key \(hex)\n", "its id is not"), (good + "colour blue\n", "a line that no"),
                (good + "key \(hex)\n", "a line that no"), (good.replacing("id ", with: "id 0"), "its id is not"),
                (good.replacing("key \(hex)", with: "key \(hex.dropLast())"), "no key of 64"),
                (good.replacing("key \(hex.prefix(2))", with: "key zz"), "no key of 64"),
                (String(repeating: "# x\n", count: 2_000), "no key file"),
            ] {
                try text.write(toFile: path, atomically: false, encoding: .utf8)
                #expect(chmod(path, 0o600) == 0)
                let problem = #expect(throws: KeyFileProblem.self) { try KeyFile(reading: path) }
                #expect(problem?.cause.contains(cause) == true, "\(text.prefix(40)): \(problem?.cause ?? "")")
                #expect(problem.map { "\($0)" }?.contains(hex.prefix(16)) == false)
            }
            let problem = #expect(throws: KeyFileProblem.self) { try KeyFile(reading: folder + "/none") }
            #expect(problem?.cause == "No such file or directory")
            #expect(throws: KeyFileProblem.self) { try KeyFile(reading: folder) }
        }
    }
}
