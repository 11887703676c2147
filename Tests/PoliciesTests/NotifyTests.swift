import Foundation
import Machines
import Testing

@testable import Policies

@Suite("Who is told of events, in configuration and policies")
struct NotifyTests {
    private static let phone = "notify: { phone: { kind: ntfy, url: \"https://ntfy.example.org/t0pic\" } }\n"
    private static func policy(_ notify: String) -> [String: String] {
        ["shop.yaml": Fixture.shop + "notify: [ \(notify) ]\n"]
    }

    private static func findings(_ receiver: String, _ template: String? = nil) -> [Diagnostic] {
        var contents = [
            "/etc/vigil/vigil.yaml": Fixture.configuration + "notify: { phone: { \(receiver) } }\n",
            "/etc/vigil/policies/shop.yaml": Fixture.shop + "notify: [ { to: [ phone ] } ]\n",
        ]
        contents["/etc/vigil/body.json"] = template
        switch ConfigurationLoader(files: MemoryFiles(contents: contents)).load("/etc/vigil/vigil.yaml").result {
        case .success(let loaded): return loaded.warnings
        case .failure(let refusal): return refusal.diagnostics
        }
    }

    @Test("A receiver and a rule alone have every default")
    func defaults() throws {
        let loaded = try Fixture.load(Fixture.configuration + Self.phone, policies: Self.policy("{ to: [ phone ] }"))
            .result.get()
        let receiver = try #require(loaded.configuration.receiver("phone"))
        #expect(receiver.kind == .ntfy && !receiver.hasPicture && receiver.body == nil && receiver.problemsMs == nil)
        #expect(receiver.title.filled(.line) { "<\($0.rawValue)>" } == "Vigil <camera>")
        #expect(receiver.text.filled(.line) { "<\($0.rawValue)>" } == "<words>")
        #expect("\(receiver) \(String(reflecting: receiver))".contains("t0pic") == false)
        var dumped = ""
        dump(receiver, to: &dumped)
        #expect(!dumped.contains("t0pic"))
        let rule = try #require(loaded.policies["shop"]?.notify.first)
        #expect(rule.receivers == ["phone"] && rule.moments == [.begin] && rule.atMostEveryMs == 0)
        #expect(rule.causes.isEmpty && rule.levels.isEmpty && rule.quiet.isEmpty && loaded.warnings.isEmpty)
    }

    @Test(
        "Every key of a rule is read, and decides: moment, cause, level, and quiet hours over midnight in the site's zone"
    )
    func rules() throws {
        let text = """
            { to: [ phone ], on: [ begin, end ], causes: [ detection ], levels: [ high ], atMostEvery: 5m,
              quiet: [ { days: mon-fri, from: "22:00", to: "07:00" } ] }
            """
        let loaded = try Fixture.load(Fixture.configuration + Self.phone, policies: Self.policy(text)).result.get()
        let rule = try #require(loaded.policies["shop"]?.notify.first)
        #expect(rule.atMostEveryMs == 300_000)
        #expect(
            loaded.policies["shop"]?.explain().last
                == "Tells phone when an event begins and ends, if begun by detection, if of level 10, "
                + "not Mon–Fri 22:00–07:00, at most every 5 min.")
        let zone = try #require(TimeZone(identifier: "Europe/Rome"))
        // Monday 2026-11-23 12:00 in Rome.
        let noon: Int64 = 1_795_431_600_000
        func tells(_ hours: Int64, _ moment: NotifyRule.Moment = .begin) -> Bool {
            rule.tells(moment, cause: .detection, level: .high, atUnixMs: noon + hours * 3_600_000, in: zone)
        }
        #expect(tells(0) && tells(0, .end) && tells(9) && !tells(10) && !tells(18) && tells(19))
        // Saturday at midnight belongs to Friday's night, Sunday's night is nobody's.
        #expect(!tells(4 * 24 + 12) && tells(6 * 24 + 12))
        #expect(!rule.tells(.begin, cause: .command, level: nil, atUnixMs: noon, in: zone))
        #expect(!rule.tells(.begin, cause: .detection, level: .low, atUnixMs: noon, in: zone))
        for moment in [Int64.min, .max] {
            _ = rule.tells(.begin, cause: .detection, level: .high, atUnixMs: moment, in: zone)
        }
    }

    @Test(
        "A rule with labels tells when one of them is recognised, not at the begin; its form and its moments are checked"
    )
    func labels() throws {
        func loaded(_ rule: String) -> LoadOutcome {
            Fixture.load(Fixture.configuration + Self.phone, policies: Self.policy(rule))
        }
        let text = "{ to: [ phone ], on: [ begin, end ], labels: [ person, Delivery_Van ] }"
        let policy = try #require(try loaded(text).result.get().policies["shop"])
        let rule = try #require(policy.notify.first)
        #expect(
            policy.explain().last
                == "Tells phone when an event begins and ends, once it has label Delivery_Van, person.")
        func tells(_ moment: NotifyRule.Moment, _ label: String?) -> Bool {
            rule.tells(moment, cause: .detection, level: nil, label: label, atUnixMs: 0, in: .gmt)
        }
        #expect(tells(.begin, "person") && !tells(.begin, "cat") && !tells(.begin, nil) && tells(.end, nil))
        for (rule, path) in [
            "{ to: [ phone ], on: [ end ], labels: [ person ] }": "notify[0].on",
            "{ to: [ phone ], labels: [ \"a b\" ] }": "notify[0].labels[0]",
        ] {
            let found = Fixture.findings(Fixture.configuration + Self.phone, policies: Self.policy(rule))
            #expect(found.contains { $0.severity == .error && $0.keyPath == path }, "\(found)")
        }
    }

    @Test("Whom no policy tells is a warning, and whom a policy tells and nobody knows an error")
    func names() {
        let alone = Fixture.findings(Fixture.configuration + Self.phone)
        #expect(alone.map(\.keyPath) == ["notify.phone"] && alone.first?.severity == .warning)
        let unknown = Fixture.findings(
            Fixture.configuration + Self.phone, policies: Self.policy("{ to: [ phones, phone ] }"))
        #expect(unknown.map(\.keyPath) == ["cameras.front.policy"] && unknown.first?.severity == .error)
        #expect(unknown.first?.remedy == "did you mean phone?")
        let problems = Self.phone.replacing("t0pic\"", with: "t0pic\", problems: 5m")
        #expect(Fixture.findings(Fixture.configuration + problems).isEmpty)
    }

    @Test("What a receiver cannot be is refused with its line; what is in clear or not signed is a warning")
    func refused() {
        let ntfy = "kind: ntfy, url: \"https://n.example.org/x\""
        let errors = [
            "kind: mail, url: \"https://n.example.org/x\"": "notify.phone.kind", "kind: ntfy": "notify.phone.url",
            ntfy + ", title: \"{{cam}}\"": "notify.phone.title", ntfy + ", text: \"{{picture}}\"": "notify.phone.text",
            ntfy + ", text: \"{{camera\"": "notify.phone.text", ntfy + ", template: body.json": "notify.phone.template",
            "kind: gotify, url: \"https://g.example.org\", picture: true": "notify.phone.picture",
            ntfy + ", problems: 1s": "notify.phone.problems",
            "kind: webhook, url: \"https://h.example.org\", credential: c, template: none.json":
                "notify.phone.template",
        ]
        for (receiver, path) in errors {
            let found = Self.findings(receiver).filter { $0.severity == .error }
            #expect(found.map(\.keyPath) == [path] && found.allSatisfy { $0.line > 1 }, "\(receiver): \(found)")
        }
        #expect(Self.findings("kind: ntfy, url: \"http://n.example.org/x\"").map(\.keyPath) == ["notify.phone.url"])
        #expect(Self.findings("kind: webhook, url: \"https://h\"").map(\.keyPath) == ["notify.phone.credential"])
    }

    @Test("A template's fault has its line and column, and what is not JSON with every value is refused")
    func templates() throws {
        let webhook = "kind: webhook, url: \"https://h.example.org\", credential: c, template: body.json"
        #expect(Self.findings(webhook, "{ \"content\": \"{{camera}}: {{ words }} {{event.id}}\" }").isEmpty)
        let wrong = Self.findings(webhook, "{\n  \"a\": \"{{camera}}\",\n  \"b\": \"x {{evnt.id}}\"\n}\n")
        #expect(
            wrong.map(\.description) == [
                "/etc/vigil/body.json:3:11: error: there is no field {{evnt.id}} here; did you mean {{event.id}}?"
            ])
        for text in ["{ \"a\": {{camera}} }", "{ \"a\": {{event.id}} }", "{ \"a\": \"{{camera}}\", }", ""] {
            let found = Self.findings(webhook, text)
            #expect(
                found.map(\.file) == ["/etc/vigil/body.json"] && found.first?.severity == .error, "\(text): \(found)")
        }
        #expect(Self.findings(webhook, String(repeating: "{{id}}", count: 65)).first?.reason.contains("64") == true)
        let picture = "{ \"a\": \"{{picture}}\" }"
        #expect(Self.findings(webhook, picture).isEmpty)
        #expect(
            Self.findings(webhook, "[\(picture), \n\(picture)]").map(\.description) == [
                "/etc/vigil/body.json:2:9: error: it has the picture twice; use {{picture}} once"
            ])
        let long = Self.findings(webhook, "{ \"a\": \"" + String(repeating: "x", count: 70_000) + "\" }")
        #expect(long.contains { $0.severity == .error })
    }

    @Test("A line is cut between letters where its bytes end, and has no spaces at its ends")
    func lines() {
        #expect(MessageTemplate.line(" \n a\tb\u{7F} ", bytesMax: 9) == "a b")
        for max in 0...9 {
            let line = MessageTemplate.line("aé😀é", bytesMax: max)
            #expect(line.utf8.count <= max && "aé😀é".hasPrefix(line))
        }
        #expect(MessageTemplate.line("aé😀é", bytesMax: 9) == "aé😀é")
        // One letter of a thousand marks is longer than any bound of letters.
        let marks = "e" + String(repeating: "\u{301}", count: 1_000)
        #expect(marks.count == 1 && MessageTemplate.line(marks, bytesMax: 400).utf8.count == 399)
    }

    @Test("JSON is what RFC 8259 says, to the letter")
    func json() {
        for text in [
            "{}", " [ ] ", "\"\"", "0", "-0.5e+7", "1E-2", "true", "null",
            "[1, [false], {\"a\": {\"b\": \"\\u00e9\\n\"}}]",
            "\"é😀\u{7F}\"", String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
        ] { #expect(JSONText.isValid(text), "\(text)") }
        for text in [
            "", "{", "[1,]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "01", "1.", ".5", "+1", "1e", "-", "tru", "nul",
            "[1] 2", "'a'",
            "\"a\nb\"", "\"\\x\"", "\"\\u12g4\"", "\"\\u12", "\"", "[1 2]", "// x\n1", "NaN",
            String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
        ] { #expect(!JSONText.isValid(text), "\(text)") }
    }

    @Test("Values are escaped: whatever a field holds, the body stays the JSON that it is, and a title one line")
    func escaped() throws {
        let hostile = "\",\"x\":\"\\ \u{0}\u{1F}\n\u{7F}\u{2028}{{words}}é😀"
        let body = MessageTemplate.standard.filled(.json) { _ in hostile }
        let read = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        let data = try #require(read["data"] as? [String: Any])
        #expect(data["camera"] as? String == hostile && data["x"] == nil && data.count == 9)
        let named = MessageTemplate.Field.allCases.filter { MessageTemplate.standard.names($0) }
        #expect(named == MessageTemplate.Field.allCases)
        let line = try MessageTemplate.parse("a {{camera}}").filled(.line) { _ in hostile }
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
        #expect(line.contains("{{words}}"), "a value is no template")
    }
}
