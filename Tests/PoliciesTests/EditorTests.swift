import Foundation
import Testing

@testable import Policies

@Suite struct EditorTests {
    static let commented = """
        # Of the shop
        name: shop   # never rename

        recording:
            # how alert
            mode: event          # or continuous
            preRoll: '5s'
        schedule:
          - days: mon-fri   # workdays
            from: "08:00"
            to: "18:30"
            mode: "off"
        retention: { events: 30d, maxSize: 1TB }   # a month
        """

    private static func difference(_ text: String, _ change: (String) throws -> String) rethrows -> [String] {
        let changed = try change(text)
        return UnifiedDiff.diff(from: text, to: changed, oldName: "a", newName: "b").split(separator: "\n").dropFirst(2)
            .filter { $0.hasPrefix("-") || $0.hasPrefix("+") }.map(String.init)
    }

    @Test(
        arguments: [
            (
                "recording.mode", "continuous",
                ["-    mode: event          # or continuous", "+    mode: continuous          # or continuous"]
            ),
            ("recording.preRoll", "10s", ["-    preRoll: '5s'", "+    preRoll: '10s'"]),
            ("recording.sensitivity", "10", ["+    sensitivity: 10"]),
            (
                "recording.mode", "off",
                ["-    mode: event          # or continuous", "+    mode: \"off\"          # or continuous"]
            ),
            ("schedule[0].from", "09:15", ["-    from: \"08:00\"", "+    from: \"09:15\""]),
            ("schedule[0].blind", "5s", ["+    blind: 5s"]),
            ("schedule[0].days", "sat,sun", ["-  - days: mon-fri   # workdays", "+  - days: sat,sun   # workdays"]),
            (
                "retention.events", "7d",
                [
                    "-retention: { events: 30d, maxSize: 1TB }   # a month",
                    "+retention: { events: 7d, maxSize: 1TB }   # a month",
                ]
            ),
            (
                "retention.continuous", "2d",
                [
                    "-retention: { events: 30d, maxSize: 1TB }   # a month",
                    "+retention: { events: 30d, maxSize: 1TB, continuous: 2d }   # a month",
                ]
            ),
            ("name", "store", ["-name: shop   # never rename", "+name: store   # never rename"]),
        ])
    func `One key is set and nothing else changes`(keyPath: String, value: String, expected: [String]) throws {
        let text = Self.commented + "\n"
        #expect(try Self.difference(text) { try PolicyEditor.set($0, keyPath: keyPath, value: value) } == expected)
        let windows = text.replacing("\n", with: "\r\n")
        let changed = try PolicyEditor.set(windows, keyPath: keyPath, value: value)
        #expect(changed.replacing("\r\n", with: "\n") == (try PolicyEditor.set(text, keyPath: keyPath, value: value)))
        #expect(!changed.replacing("\r\n", with: "").unicodeScalars.contains("\n"))
    }

    @Test func `Missing sections are added, also to a file without an end of line`() throws {
        let added = try PolicyEditor.set("name: a", keyPath: "recording.mode", value: "continuous")
        #expect(added == "name: a\nrecording: { mode: continuous }\n")
        let described = try PolicyEditor.set(added, keyPath: "description", value: "Front: \"door\" # 1")
        #expect(try Fixture.policy(described).summary == "Front: \"door\" # 1")
        let schedule = try PolicyEditor.set(
            "{ name: a }", keyPath: "schedule", value: "[ { days: mon, from: \"08:00\", to: \"09:00\", mode: event } ]")
        #expect(schedule == "{ name: a, schedule: [ { days: mon, from: \"08:00\", to: \"09:00\", mode: event } ] }")
    }

    @Test(
        arguments: [
            ("recording.preRoll", ["-    preRoll: '5s'"]),
            (
                "retention.events",
                ["-retention: { events: 30d, maxSize: 1TB }   # a month", "+retention: { maxSize: 1TB }   # a month"]
            ),
            (
                "retention.maxSize",
                ["-retention: { events: 30d, maxSize: 1TB }   # a month", "+retention: { events: 30d }   # a month"]
            ),
            ("retention", ["-retention: { events: 30d, maxSize: 1TB }   # a month"]),
            (
                "schedule",
                [
                    "-schedule:", "-  - days: mon-fri   # workdays", "-    from: \"08:00\"", "-    to: \"18:30\"",
                    "-    mode: \"off\"",
                ]
            ),
        ])
    func `One key is removed and nothing else changes`(keyPath: String, expected: [String]) throws {
        #expect(try Self.difference(Self.commented + "\n") { try PolicyEditor.unset($0, keyPath: keyPath) } == expected)
    }

    @Test func `A section goes with its last key`() throws {
        let text = "name: a\nrecording:\n  mode: event\nretention: { events: 1d }\n"
        #expect(try PolicyEditor.unset(text, keyPath: "recording.mode") == "name: a\nretention: { events: 1d }\n")
        #expect(try PolicyEditor.unset(text, keyPath: "retention.events") == "name: a\nrecording:\n  mode: event\n")
    }

    @Test func `What would not hold is refused, and says why`() {
        let text = Self.commented + "\n"
        let refused: [(String, String, String)] = [
            ("recording.preRoll", "5", "no unit"), ("recording.mode", "maybe", "is none of"),
            ("recording.maxEventLength", "10m", "is none of"),
            ("recording.initial", "120s", "longer than the maxEventLength"),
            ("recording.sensitivty", "5", "did you mean sensitivity?"), ("recording.mode.x", "5", "no keys below"),
            ("schedule[3].mode", "off", "nothing to change"), ("schedule[x].mode", "off", "schedule[0]"),
            ("retention", "7d", "vigil policy edit"), ("name", "", "is not a name"),
            ("name", "a\nb: c", "is not a name"),
        ]
        for (keyPath, value, words) in refused {
            let problem = #expect(throws: EditProblem.self) {
                try PolicyEditor.set(text, keyPath: keyPath, value: value)
            }
            #expect(problem?.description.contains(words) == true, "\(keyPath): \(String(describing: problem))")
        }
        for (keyPath, words) in [
            ("name", "missing"), ("schedule[0].from", "missing"), ("recording.blind", "nothing to change"),
            ("schedule[0].days", "vigil policy edit"),
        ] {
            let problem = #expect(throws: EditProblem.self) { try PolicyEditor.unset(text, keyPath: keyPath) }
            #expect(problem?.description.contains(words) == true, "\(keyPath): \(String(describing: problem))")
        }
        let several = "name: a\ndescription: one\n  two\n"
        #expect(throws: EditProblem.tooInvolved(keyPath: "description")) {
            try PolicyEditor.set(several, keyPath: "description", value: "x")
        }
    }

    @Test(arguments: Fixture.shippedPolicies) func `Each value of a shipped policy can be set, and set back`(
        name: String
    ) throws {
        let text = try Fixture.text("policies/\(name).yaml")
        let old = try Fixture.policy(text)
        for (keyPath, value) in [
            ("recording.sensitivity", "1"), ("recording.maxEventLength", "180s"), ("retention.maxSize", "3TB"),
            ("recording.blind", "1s"),
        ] {
            let changed = try PolicyEditor.set(text, keyPath: keyPath, value: value)
            let comments = [changed, text].map { $0.split(separator: "\n").filter { $0.contains("#") }.count }
            #expect(comments[0] == comments[1])
            let root = try YAMLReader.read(Array(text.utf8), file: name)
            let path = try KeyPath(keyPath, keys: Key.policy)
            if let before = root.at(path.steps[...])?.text {
                #expect(try PolicyEditor.set(changed, keyPath: keyPath, value: before) == text)
            } else {
                #expect(try PolicyEditor.unset(changed, keyPath: keyPath) == text)
            }
        }
        #expect(old.name == name)
    }

    @Test func `The difference is a unified diff that patch understands`() throws {
        let old = (1...20).map { "line \($0)\n" }.joined()
        let new = old.replacing("line 3\n", with: "line three\n").replacing("line 15\n", with: "") + "end"
        let diff = UnifiedDiff.diff(from: old, to: new, oldName: "old", newName: "new")
        #expect(
            diff == """
                --- old
                +++ new
                @@ -1,6 +1,6 @@
                 line 1
                 line 2
                -line 3
                +line three
                 line 4
                 line 5
                 line 6
                @@ -12,9 +12,9 @@
                 line 12
                 line 13
                 line 14
                -line 15
                 line 16
                 line 17
                 line 18
                 line 19
                 line 20
                +end
                \\ No newline at end of file

                """)
        #expect(UnifiedDiff.diff(from: old, to: old, oldName: "old", newName: "new") == "")
        #expect(
            UnifiedDiff.diff(from: "", to: "a\n", oldName: "o", newName: "n") == "--- o\n+++ n\n@@ -0,0 +1,1 @@\n+a\n")
    }
}
