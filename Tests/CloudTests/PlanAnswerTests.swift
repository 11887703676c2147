import Foundation
import Testing

@testable import Cloud

/// What a provider may answer (docs/design/cloud.md "Subscription").
@Suite struct PlanAnswerTests {
    private static func read(_ text: String) throws(Defect) -> PlanAnswer { try PlanAnswer(parsing: Data(text.utf8)) }
    private static let dayMs: Int64 = 86_400_000

    @Test("The answer in the design: the account holds for every camera that is not named")
    func design() throws {
        let answer = try Self.read(
            """
            { "account": { "plan": "active", "name": "Seven days", "activeUntil": "2027-01-31T00:00:00Z",
                           "retentionDays": 7, "manageUrl": "https://provider.example/plans?x=1" },
              "cameras": { "yard": { "plan": "expired", "expiredAt": "2026-11-01T00:00:00Z" } }, "news": [[1]] }
            """)
        #expect(answer.plan(of: "front") == .active(untilWallMs: 1_801_353_600_000, retentionMs: 7 * Self.dayMs))
        #expect(answer.name(of: "front") == "Seven days")
        #expect(answer.manageURL(of: "front") == "https://provider.example/plans?x=1")
        #expect(answer.plan(of: "yard") == .expired(atWallMs: 1_793_491_200_000, retentionMs: nil))
        #expect(answer.name(of: "yard") == nil && answer.manageURL(of: "yard") == nil)
    }

    @Test("Each kind of plan is read, with what may be missing")
    func kinds() throws {
        func plan(_ text: String) throws -> PlanAnswer.Plan { try Self.read("{\"account\":{\(text)}}").plan(of: "a") }
        #expect(try plan("\"plan\":\"none\"") == .none)
        #expect(try plan("\"plan\":\"expired\",\"retentionDays\":0") == .expired(atWallMs: nil, retentionMs: 0))
        #expect(
            try plan("\"plan\":\"active\",\"activeUntil\":\"1970-01-01T02:00:00+02:00\",\"retentionDays\":3650")
                == .active(untilWallMs: 0, retentionMs: 3_650 * Self.dayMs))
        #expect(try plan("\"plan\":\"none\",\"name\":null,\"manageUrl\":null") == .none)
        #expect(try Self.read("{\"cameras\":{}}").plan(of: "front") == .none)
        let one = try Self.read("{\"cameras\":{\"a\":{\"plan\":\"expired\"}}}")
        #expect(one.plan(of: "a") == .expired(atWallMs: nil, retentionMs: nil) && one.plan(of: "b") == .none)
    }

    @Test(
        "What is no such answer is a failed load, with the key",
        arguments: [
            ("", ""), ("[]", ""), ("{}", ""), ("{\"error\":\"maintenance\"}", ""), ("<html>", ""), ("null", ""),
            ("{\"account\":[]}", "account"), ("{\"account\":{}}", "account.plan"),
            ("{\"account\":{\"plan\":7}}", "account.plan"), ("{\"account\":{\"plan\":\"Active\"}}", "account.plan"),
            ("{\"account\":{\"plan\":\"active\"}}", "account.activeUntil"),
            ("{\"account\":{\"plan\":\"active\",\"activeUntil\":null}}", "account.activeUntil"),
            ("{\"account\":{\"plan\":\"active\",\"activeUntil\":\"2027-01-31\"}}", "account.activeUntil"),
            ("{\"account\":{\"plan\":\"active\",\"activeUntil\":\"2027-01-31T00:00:00\"}}", "account.activeUntil"),
            ("{\"account\":{\"plan\":\"active\",\"activeUntil\":\"2027-02-30T00:00:00Z\"}}", "account.activeUntil"),
            ("{\"account\":{\"plan\":\"active\",\"activeUntil\":1}}", "account.activeUntil"),
            ("{\"account\":{\"plan\":\"expired\",\"expiredAt\":\"1969-12-31T23:59:59Z\"}}", "account.expiredAt"),
            ("{\"account\":{\"plan\":\"none\",\"retentionDays\":-1}}", "account.retentionDays"),
            ("{\"account\":{\"plan\":\"none\",\"retentionDays\":3651}}", "account.retentionDays"),
            ("{\"account\":{\"plan\":\"none\",\"retentionDays\":1.5}}", ""),
            ("{\"account\":{\"plan\":\"none\",\"retentionDays\":1e99}}", ""),
            ("{\"account\":{\"plan\":\"none\",\"name\":\"\"}}", "account.name"),
            ("{\"account\":{\"plan\":\"none\",\"name\":\"a\\nb\"}}", "account.name"),
            ("{\"cameras\":{\"yard\":{\"plan\":\"x\"}}}", "cameras.yard.plan"),
            ("{\"cameras\":{\"a\\n\\u001b[1m/b\":{\"plan\":\"x\"}}}", "cameras.a1mb.plan"),
            ("{\"account\":{\"plan\":\"none\"},\"cameras\":[]}", "cameras"),
        ])
    func refused(text: String, key: String) throws {
        let defect = try #require(throws: Defect.self) { try Self.read(text) }
        #expect(defect.key == key, "\(defect)")
        #expect(!defect.cause.isEmpty && !defect.remedy.isEmpty)
        #expect(!defect.description.contains("\n"))
    }

    @Test(
        "People are sent to an address of https or http only",
        arguments: [
            "javascript:alert(1)", "ftp://a/b", "//a/b", "https:", "https://", "https:///x", "http://u:p@a/",
            "https://u@a/",
            "https://a/ b", "https://a/\"><script>", "https://a/\u{e4}",
            "https://a/" + String(repeating: "x", count: 2_048),
        ])
    func addresses(text: String) throws {
        let body = try JSONSerialization.data(withJSONObject: ["account": ["plan": "none", "manageUrl": text]])
        let defect = try #require(throws: Defect.self) { try PlanAnswer(parsing: body) }
        #expect(defect.key == "account.manageUrl")
    }

    @Test("An answer is bounded, and one that is nested without end is refused")
    func bounded() throws {
        let long = Data(repeating: UInt8(ascii: " "), count: PlanAnswer.bytesMax + 1)
        #expect(throws: Defect.self) { try PlanAnswer(parsing: long) }
        for open in ["[", "{\"a\":", "{\"account\":"] {
            let deep = String(repeating: open, count: PlanAnswer.bytesMax / open.utf8.count)
            #expect(throws: Defect.self) { try Self.read(deep) }
            #expect(throws: Defect.self) {
                try Self.read("{\"account\":{\"plan\":\"none\"},\"x\":\(deep.prefix(200_000))")
            }
        }
    }
}
