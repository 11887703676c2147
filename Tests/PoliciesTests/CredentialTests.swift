import Foundation
import Testing

@testable import Policies

@Suite struct CredentialTests {
    @Test func `A credential shows its password to nobody`() {
        let credential = Credential(user: "admin", password: "hunter2")
        var dumped = ""
        dump(credential, to: &dumped)
        dump([credential] as [Credential?], to: &dumped)
        for text in ["\(credential)", String(reflecting: credential), String(describing: [credential]), dumped] {
            #expect(!text.contains("hunter2") && text.contains("admin"))
        }
    }

    @Test func `User and password are split at the first colon`() {
        #expect(Credential(text: "a:b:c\n") == Credential(user: "a", password: "b:c"))
        #expect(Credential(text: "a:b\r\n") == Credential(user: "a", password: "b"))
        #expect(Credential(text: ":p") == Credential(user: "", password: "p"))
        for text in ["", "ab", "a:b\nc:d", String(repeating: "a", count: 2_000) + ":b"] {
            #expect(Credential(text: text) == nil)
        }
    }

    @Test func `A credential is looked up with systemd, then in the environment, then where the file says`() throws {
        try Fixture.inNewFolder { folder in
            let file = folder + "/front.txt"
            try "file:3\n".write(toFile: file, atomically: true, encoding: .utf8)
            #expect(chmod(file, 0o600) == 0)
            let references = ["front-door": CredentialReference.file(file)]
            var environment: [String: String] = [:]
            #expect(
                try CredentialStore(references: references, environment: environment).credential("front-door").user
                    == "file")
            environment["VIGIL_CREDENTIAL_FRONT_DOOR"] = "env:2"
            #expect(
                try CredentialStore(references: references, environment: environment).credential("front-door").user
                    == "env")
            environment["CREDENTIALS_DIRECTORY"] = folder
            #expect(
                try CredentialStore(references: references, environment: environment).credential("front-door").user
                    == "env")
            try "systemd:1".write(toFile: folder + "/front-door", atomically: true, encoding: .utf8)
            #expect(
                try CredentialStore(references: references, environment: environment).credential("front-door").user
                    == "systemd")
            try "garbage-secret".write(toFile: folder + "/front-door", atomically: true, encoding: .utf8)
            let problem = #expect(throws: CredentialProblem.self) {
                try CredentialStore(references: references, environment: environment).credential("front-door")
            }
            #expect(problem?.description.contains("secret") == false)
            let other = ["a": CredentialReference.systemd("b"), "c": .environment("D")]
            try "u:p".write(toFile: folder + "/b", atomically: true, encoding: .utf8)
            let store = CredentialStore(references: other, environment: ["CREDENTIALS_DIRECTORY": folder, "D": "v:q"])
            #expect(try store.credential("a").user == "u" && store.credential("c").user == "v")
        }
    }

    @Test func `A file that others may read is refused, and so is what is not there`() throws {
        try Fixture.inNewFolder { folder in
            let file = folder + "/c"
            try "u:p".write(toFile: file, atomically: true, encoding: .utf8)
            let store = CredentialStore(
                references: [
                    "a": .file(file), "b": .file(folder + "/no"), "d": .file(folder), "e": .environment("NO"),
                    "f": .systemd("no"),
                ],
                environment: [:])
            let expected = [
                "a": "chmod 600", "b": "No such file", "d": "regular file", "e": "not set", "f": "LoadCredential=no",
                "none": "VIGIL_CREDENTIAL_NONE", "../etc": "not a name",
            ]
            for (name, words) in expected {
                let problem = #expect(throws: CredentialProblem.self) { try store.credential(name) }
                #expect(problem?.description.contains(words) == true, "\(String(describing: problem))")
            }
        }
    }

    @Test func `An address is shown without what may be secret`() throws {
        let query = try #require(SourceAddress("rtsp://h:1/a?token=xyz"))
        #expect("\(query)" == "rtsp://h:1/a?…" && query.text.contains("xyz"))
        let path = try #require(SourceAddress("rtsp://h/user=a_password=xyz_channel=1"))
        #expect("\(path)" == "rtsp://h/…")
        #expect(!String(reflecting: path).contains("xyz"))
    }
}
