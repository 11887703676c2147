internal import Explain
internal import Foundation
internal import Journal
internal import MemorySite
internal import Policies
internal import Server
internal import Testing
internal import Trace

/// A camera of Tests/rig was recorded by command, disabled, covered, lost, and switched off by its policy; then Vigil was killed and
/// started again (bench/why.py).
@Suite("The built program looks back into a real trace")
struct ExplainTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    private static let trace = tests.appendingPathComponent("ReplayTests/Traces/door.export").path
    private static let policies = tests.deletingLastPathComponent().appendingPathComponent("policies").path

    private func answer(_ arguments: [String], status: Int32 = 0) async throws -> Any {
        let result = try await Program.run(
            arguments + ["--journal", Self.trace, "--json"], environment: ["TZ": "UTC"])
        #expect(result.status == status, "\(result.errors)")
        return try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    }

    private func object(_ arguments: [String], status: Int32 = 0) async throws -> [String: Any] {
        try #require(try await answer(arguments, status: status) as? [String: Any])
    }

    private func change(_ answer: [String: Any]) -> [String] {
        let changes = (answer["remedy"] as? [String: Any])?["changes"] as? [[String: Any]]
        return changes?.map { "\($0["change"] ?? "") \($0["value"] ?? "")" } ?? []
    }

    @Test(
        "why tells the label, the condition that failed, and the smallest change",
        arguments: [
            ("10:25:09", "idle", ["event"], ["preRoll 10s"]),
            ("10:25:17", "recorded", [], []),
            ("10:25:24", "recorded", [], []),
            ("10:25:37", "disabled", ["toggle", "event"], ["enabled true", "mode continuous"]),
            ("10:25:48", "privacy", ["privacy", "event"], ["privacy off", "mode continuous"]),
            ("10:25:58", "linkLost", ["event", "link"], []),
            ("10:26:14", "offByPolicy", ["mode"], ["mode continuous"]),
            ("10:26:34", "recorderDown", [], []),
        ])
    func why(time: String, label: String, failed: [String], changes: [String]) async throws {
        let answer = try await object(["why", "door", "2026-11-21 \(time)"])
        #expect(answer["label"] as? String == label)
        #expect(answer["source"] as? String == "trace")
        let conditions = (answer["failed"] as? [[String: Any]])?.compactMap { $0["condition"] as? String }
        #expect(conditions == failed)
        #expect(change(answer) == changes)
    }

    @Test("What the trace does not reach is told, and no daemon is asked behind its back")
    func beyond() async throws {
        for (time, words) in [("09:00", "begins later"), ("10:28", "ends before")] {
            let result = try await Program.run(
                ["why", "door", "2026-11-21 \(time)", "--journal", Self.trace], environment: ["TZ": "UTC"])
            #expect(result.status == 1)
            #expect(result.output.contains("unknown") && result.output.contains(words), "\(result.output)")
        }
        let other = try await Program.run(["why", "nobody", "2026-11-21 10:25:09", "--journal", Self.trace])
        #expect(other.status == 1 && other.output.contains("no trace of the camera"))
        let missing = try await Program.run(["why", "door", "-10m", "--journal", "/nowhere"])
        #expect(missing.status == 2 && missing.errors.contains("/nowhere"))
    }

    @Test("simulate tells what a draft gains and loses; ladder has 18 rungs and marks today's")
    func forecasts() async throws {
        let time = ["--since", "2026-11-21T10:25:00Z", "--until", "2026-11-21T10:26:55Z"]
        let draft = NSTemporaryDirectory() + "draft-\(UUID().uuidString).yaml"
        try "name: draft\nrecording: { mode: continuous }\n".write(toFile: draft, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: draft) }
        let answers = try #require(try await answer(["simulate", draft] + time) as? [[String: Any]])
        #expect(answers.map { $0["camera"] as? String } == ["door"])
        let one = try #require(answers.first)
        #expect((one["lost"] as? [Any])?.isEmpty == true && one["lostMs"] as? Int == 0)
        #expect((one["gainedMs"] as? Int ?? 0) > 30_000)
        let simulated = try #require(one["simulated"] as? [String: Any])
        #expect(simulated["bytes"] == nil)
        let unknown = (one["notKnown"] as? [[String: Any]])?.compactMap { $0["kind"] as? String } ?? []
        #expect(
            unknown == ["beforeTrace", "recorderDown", "unreachable", "unasked", "privacy", "withoutDetections"])
        let ladder = try await object(["ladder", "door"] + time)
        let rungs = try #require(ladder["rungs"] as? [[String: Any]])
        #expect(rungs.count == 18)
        let today = rungs.filter { $0["isToday"] as? Bool == true }
        #expect(
            today.map { $0["sensitivity"] as? Int } == [5] && today.map { $0["maxEventLengthMs"] as? Int } == [15_000])
        let refused = try await Program.run(["simulate", "nosuch", "--journal", Self.trace])
        #expect(refused.status == 1 && refused.errors.contains("--config"))
        let shipped = try await Program.run(["simulate", Self.policies + "/home.yaml", "--journal", Self.trace] + time)
        #expect(shipped.status == 0 && shipped.output.contains("IN FORCE"), "\(shipped.errors)")
    }

    @Test(
        "what a daemon answers and what the command makes without one is the same, byte for byte, for people and as JSON"
    )
    func same() async throws {
        let rome = try #require(TimeZone(identifier: "Europe/Rome"))
        let explanations = Explanations(zone: rome, name: Self.trace) { try TraceReader(path: Self.trace, only: $0) }
        let site = MemorySite()
        site.explain(
            by: MemorySite.Explainer(
                why: { try explanations.why($0, at: $1) },
                simulate: { command in
                    let text = command.text ?? ""
                    let policy = try ConfigurationLoader.policy(text: text, file: "draft").policy
                    return try explanations.simulate(
                        policy, in: .all, command.from.ms..<command.to.ms, zones: { _ in nil }, rate: { _ in nil })
                },
                ladder: { camera, from, to, asEvents in
                    try explanations.ladder(camera, from.ms..<to.ms, asEvents: asEvents) { _ in nil }
                }))
        let draft = NSTemporaryDirectory() + "draft-\(UUID().uuidString).yaml"
        try "name: draft\nrecording: { mode: continuous }\n".write(toFile: draft, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: draft) }
        let time = ["--since", "2026-11-21T10:25:00Z", "--until", "2026-11-21T10:26:55Z"]
        try await RunningSocket.with(site, path: RunningSocket.freshPath()) { path in
            for question in [
                ["why", "door", "2026-11-21 11:25:09"], ["why", "door", "2026-11-21 11:26:14"],
                ["why", "door", "2026-11-21 11:26:34"], ["ladder", "door"] + time,
                ["ladder", "door", "--as-events"] + time, ["simulate", draft] + time,
            ] {
                for format in [[], ["--json"]] {
                    let served = try await Program.run(question + format + ["--socket", path])
                    let alone = try await Program.run(
                        question + format + ["--journal", Self.trace], environment: ["TZ": "Europe/Rome"])
                    #expect(served.status == 0 && alone.status == 0, "\(question): \(served.errors)\(alone.errors)")
                    #expect(served.output == alone.output && !served.output.isEmpty, "\(question)")
                }
            }
        }
    }

    @Test("coverage is a table that sums up to the whole")
    func coverage() async throws {
        try await RunningSocket.with(MemorySite(), path: RunningSocket.freshPath()) { path in
            let time = [
                "--from", WallTime(ms: MemorySite.origin.ms - 30_000).rfc3339,
                "--to", WallTime(ms: MemorySite.origin.ms + 120_000).rfc3339,
            ]
            let result = try await Program.run(["coverage", "front", "--socket", path] + time)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("notConfigured") && result.output.contains("66.6 %"))
            #expect(result.output.contains("100.0 %"))
            let unknown = try await Program.run(["coverage", "nobody", "--socket", path] + time)
            #expect(unknown.status == 1)
        }
    }
}
