import Foundation
import Testing

@testable import Policies

@Suite struct DiagnosticTests {
    @Test func `All findings of a file are reported, with place and remedy`() {
        let text = """
            name: Shop 1
            recording:
              mode: sometimes
              sensitivty: 5
              preRoll: 5
              maxEventLength: 45s
              blind: [1s]
            schedule:
              - { days: monday, from: 8, to: "25:00", mode: off }
            retention: 7d
            """
        let found = Fixture.policyFindings(text)
        #expect(
            found.map { "\($0.line):\($0.column) \($0.keyPath)" } == [
                "1:7 name", "3:9 recording.mode", "4:3 recording.sensitivty", "5:12 recording.preRoll",
                "6:19 recording.maxEventLength", "7:10 recording.blind", "9:13 schedule[0].days",
                "9:27 schedule[0].from", "9:34 schedule[0].to", "10:12 retention",
            ])
        #expect(found.allSatisfy { $0.severity == .error && !$0.remedy.isEmpty })
        #expect(found.first { $0.line == 4 }?.remedy == "did you mean sensitivity?")
        #expect(found.first { $0.line == 5 }?.remedy == "write 5s for seconds, 5m for minutes")
        #expect(found.first { $0.line == 9 }?.remedy == "did you mean mon?")
    }

    @Test func `A finding reads as editors expect it`() {
        let found = Fixture.policyFindings("name: a\nrecording: { preRoll: 90s }\n")
        #expect(
            found.map(\.description) == [
                "p.yaml:2:23: error: recording.preRoll: 90s is outside 0s to 1m; write a duration from 0s to 1m"
            ])
    }

    @Test func `A key with a line end in it is told on one line (H5)`() {
        let text = "name: a\n\"x\\n/etc/p.yaml:1:1: error: y\\r\\t\": 1\nrecording: { mode: \"o\\nff\" }\n"
        let found = Fixture.policyFindings(text)
        #expect(found.map(\.keyPath) == [#"x\n/etc/p.yaml:1:1: error: y\r\t"#, "recording.mode"])
        #expect(found.allSatisfy { finding in !finding.story.contains { $0.isNewline || $0 == "\t" } }, "\(found)")
        #expect(found.last?.reason.contains(#"o\nff"#) == true)
    }

    @Test func `A byte order mark is named as what it is`() {
        let found = Fixture.policyFindings("\u{FEFF}name: a\nrecording: { mode: continuous }\n")
        #expect(found.map { "\($0.line):\($0.column)" } == ["1:1"])
        #expect(found.first?.reason.contains("byte order mark") == true)
        #expect(found.first?.remedy.contains("UTF-8 without") == true)
    }

    @Test func `A quarter turn is refused, and what can be written is named`() {
        let text = "policies: [ shop.yaml ]\ncameras: { a: { main: demo, policy: shop, rotation: 90 } }\n"
        let found = Fixture.findings(text).filter { $0.keyPath == "cameras.a.rotation" }
        #expect(found.map(\.reason) == ["\"90\" is none of 0, 180"])
    }

    @Test(
        arguments: [
            ("rtsp://admin:secret@10.0.0.2/a", "login"), ("rtsp://admin@10.0.0.2/a", "login"),
            ("rtsp://admin:s/cret@10.0.0.2/a", "login"), ("rtsp:///a", "host"), ("rtsp://h:99999/a", "port"),
            ("http://10.0.0.2/a", "kind"), ("file://a", "path"), ("exec:ls", "kind"), ("\"rtsp://h/a b\"", "blank"),
        ])
    func `A wrong address is refused without quoting it`(address: String, word: String) {
        let text = Fixture.configuration.replacing("rtsp://127.0.0.1:8554/cam0 ", with: address + " ")
        let found = Fixture.findings(text)
        #expect(found.count == 1)
        #expect(found.first?.line == 8 && found.first?.keyPath == "cameras.front.main")
        #expect(found.first?.reason.contains(word) == true, "\(found)")
        #expect(!found.map(\.description).joined().contains("cret"))
    }

    @Test(
        arguments: [
            ("policy: shop", "policy: shpo", "cameras.front.policy", "did you mean shop?"),
            ("Europe/Rome", "Europe/Rom", "timezone", "did you mean Europe/Rome?"),
            (
                "Europe/Rome", "CET+1", "timezone",
                "write a name such as Europe/Rome; timedatectl list-timezones lists them"
            ),
            (
                "  front:", "  Front Door:", "cameras.Front Door",
                "use 1 to 64 small letters, digits, - and _, beginning with a letter or digit"
            ),
            ("connect: auto", "connect: wan", "cameras.front.connect", "write one of them; did you mean lan?"),
            ("storage:", "storrage:", "storrage", "did you mean storage?"),
            ("policies/ ]", "rules/ ]", "policies[0]", "create it, or correct the path"),
            ("127.0.0.1:8080", "8080", "http.listen", "write 127.0.0.1:8080, [::1]:8080 or none"),
        ])
    func `A wrong value names its key and what to write`(old: String, new: String, keyPath: String, remedy: String) {
        let found = Fixture.findings(Fixture.configuration.replacing(old, with: new))
        let finding = found.first { $0.keyPath == keyPath }
        #expect(finding?.remedy == remedy, "\(found)")
        #expect(finding?.severity == .error)
    }

    @Test func `A sub-stream that is to be watched must be there`() throws {
        let watched = Fixture.configuration.replacing("connect: auto", with: "detection: sub")
        #expect(try Fixture.load(watched).result.get().configuration.camera("front")?.detection == .sub)
        let found = Fixture.findings(watched.replacing("    sub: rtsp://127.0.0.1:8554/cam1\n", with: ""))
        #expect(
            found.map(\.description) == [
                "/etc/vigil/vigil.yaml:9:16: error: cameras.front.detection: motion is to be looked for in the sub-stream, "
                    + "but there is none; add sub: rtsp://…, or say auto"
            ])
    }

    @Test func `A camera is not blamed for a policy that was refused`() {
        let found = Fixture.findings(
            Fixture.configuration, policies: ["shop.yaml": Fixture.shop.replacing("60s", with: "61s")])
        #expect(found.map(\.file) == ["/etc/vigil/policies/shop.yaml"])
    }

    @Test func `Two policies of one name are refused at the second one`() {
        let found = Fixture.findings(
            Fixture.configuration, policies: ["shop.yaml": Fixture.shop, "z.yml": "name: shop"])
        #expect(found.map(\.file) == ["/etc/vigil/policies/z.yml"])
        #expect(found.first?.reason.contains("/etc/vigil/policies/shop.yaml") == true)
    }

    @Test func `Missing files, keys and values are named`() {
        let none = ConfigurationLoader(files: MemoryFiles(contents: [:])).load("/etc/vigil.yaml")
        guard case .failure(let refusal) = none.result else {
            Issue.record("nothing was accepted")
            return
        }
        #expect(refusal.diagnostics.first?.reason.contains("/etc/vigil.yaml") == true)
        #expect(none.watched.files == ["/etc/vigil.yaml"])

        let found = Fixture.findings("cameras:\n  a:\n    main:\n  b: { policy: shop }\n")
        #expect(found.map(\.keyPath).sorted() == ["cameras.a.main", "cameras.a.policy", "cameras.b.main"])
        #expect(Fixture.policyFindings("").map(\.reason) == ["the file is empty"])
        #expect(Fixture.policyFindings("- a").map(\.reason) == ["expected a section, found a list"])
    }

    @Test func `Syntax errors, duplicates, anchors, tags, depth and size are refused with their place`() {
        let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: {? [*b,*b,*b,*b] : 1}\n"
        let cases: [(String, Int, String)] = [
            ("name: a\nname: b\n", 1, "given more than once: name"),
            ("a: 1\nname: a\nb: 2\nname: b\nb: 4\n", 1, "given more than once: b, name"),
            ("name: a\nrecording: { mode: event\n", 3, "this is not YAML"),
            ("name: a\n? [x]\n: 1\nname: b\n? [x]\n: 2\n", 1, "given more than once: a list or section, name"),
            (bomb, 1, "anchors"),
            ("name: *a\n", 1, "alias"),
            ("name: a\n---\nname: b\n", 2, "document"),
            ("name: a\n? [x]\n: y\n", 2, "cannot be a key"),
            (
                "name: a\nschedule: " + String(repeating: "[", count: 40) + String(repeating: "]", count: 40), 2,
                "levels deep"
            ),
            ("name: a\n" + String(repeating: "[", count: 5_000), 2, "not YAML"),
            ("name: a\n" + String(repeating: "- ", count: 5_000), 2, "not YAML"),
            ("name: " + String(repeating: "a", count: YAMLReader.maxBytes), 1, "bytes"),
            ("name: \u{1}", 1, "cannot be read"),
        ]
        for (text, line, word) in cases {
            let found = Fixture.policyFindings(text)
            #expect(found.count == 1, "\(text.prefix(40)): \(found)")
            #expect(
                found.first?.line == line && found.first?.reason.contains(word) == true, "\(text.prefix(40)): \(found)")
        }
        let invalid = PolicyReader.read([0x6E, 0x0A, 0xFF, 0xFE], file: "p").diagnostics
        #expect(invalid.first?.line == 2 && invalid.first?.reason == "the text is not UTF-8")
    }

    @Test func `An ampersand that is no anchor is accepted`() throws {
        for text in [
            "name: a # this & that, &so", "# it: &x\nname: a", "name: a\ndescription: \"R & D\"",
            "name: a\ndescription: a&b",
        ] {
            #expect(Fixture.policyFindings(text) == [], "\(text)")
        }
        let query = Fixture.configuration.replacing("/cam0 ", with: "/cam0?channel=1&subtype=0 ")
        #expect(Fixture.findings(query) == [])
        // Only a comment for a reader that does not know about texts over several lines.
        let hidden = "description: \"a\n # \", b: &x [1]\n"
        #expect(Fixture.policyFindings(hidden).first?.reason.contains("anchors") == true)
    }

    @Test func `The initial duration is checked at every moment of the week`() {
        let base = Fixture.policyFindings("name: a\nrecording: { initial: 40s, maxEventLength: 30s }")
        #expect(base.map(\.keyPath) == ["recording.maxEventLength"])
        let overlap = Fixture.policyFindings(
            """
            name: a
            schedule:
              - { days: mon, from: "08:00", to: "12:00", initial: 50s }
              - { days: daily, from: "10:00", to: "11:00", maxEventLength: 30s }
            """)
        #expect(overlap.map(\.keyPath) == ["schedule[1]"])
        #expect(overlap.first?.reason.contains("on mon at 10:00") == true)
    }

    @Test func `What is allowed and probably not meant is a warning`() {
        let policy = Fixture.policyFindings(
            """
            name: a
            recording: { augmentation: 120s, connection: onDemand, preRoll: 5s }
            schedule: [ { days: mon, from: "08:00", to: "09:00" } ]
            """)
        #expect(
            policy.map(\.keyPath) == ["recording.augmentation", "recording.preRoll", "schedule[0]"])
        #expect(policy.allSatisfy { $0.severity == .warning })
        let configuration = Fixture.findings(
            """
            credentials: { a: { file: x } }
            cameras:
              a: { main: rtsp://h/a, policy: shop, tls: { ca: no.pem, verify: none } }
              b: { main: rtsp://h/a, policy: shop }
              c: { main: file:///no/such.mp4, policy: shop }
              d: { main: "rtsp://h/user=a&password=b", policy: shop }
            """)
        #expect(
            configuration.map(\.keyPath) == [
                "credentials.a", "cameras.a.tls", "cameras.a.tls.ca", "cameras.a.tls.verify",
                "cameras.b.main", "cameras.c.main", "cameras.d.main",
            ])
        #expect(configuration.allSatisfy { $0.severity == .warning })
        #expect(Fixture.findings("socket: /s").map(\.keyPath) == ["cameras"])
    }

    @Test func `An address that is asked for must be there`() {
        let found = Fixture.findings(
            """
            cameras:
              a: { main: { lan: rtsp://h/a }, connect: internet, policy: shop }
              b: { main: {}, policy: shop }
            """)
        #expect(found.map(\.keyPath) == ["cameras.a.main", "cameras.b.main"])
        #expect(found.first?.remedy == "add internet: …, or change connect")
    }

    @Test func `A credential has one place`() {
        let found = Fixture.findings(
            "credentials: { a: { file: x, env: Y } }\ncameras: { c: { main: demo, policy: shop, credential: a } }")
        #expect(found.map(\.keyPath) == ["credentials.a"])
    }
}
