internal import Foundation
internal import MemorySite
internal import Testing

/// The trace of a real daemon that Tests/ReplayTests replays too, through the built program.
@Suite("vigil replay, the built program on a real trace")
struct ReplayTests {
    private static let trace = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("ReplayTests/Traces/demo.export").path

    /// The entries of the trace, one text each.
    private func entries() throws -> [String] {
        try String(contentsOfFile: Self.trace, encoding: .utf8).components(separatedBy: "\n\n").filter { !$0.isEmpty }
    }

    /// Runs `vigil replay` on the entries.
    private func replay(_ entries: [String], _ options: String...) async throws -> Run.Result {
        let path = NSTemporaryDirectory() + "vigil-trace-\(UUID().uuidString.prefix(8)).export"
        try Data((entries.joined(separator: "\n\n") + "\n\n").utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await Program.run(["replay", path] + options)
    }

    @Test("a whole trace ends with 0, says how many steps were replayed and how the run ended")
    func whole() async throws {
        let entries = try entries()
        let result = try await replay(entries)
        #expect(result.status == 0 && result.errors.isEmpty)
        #expect(result.output.contains("\(entries.count) steps replayed, no difference"))
        #expect(result.output.contains("stopped as it should"))
        let json = try await replay(entries, "--json")
        let answer = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(answer["replayed"] as? Int == entries.count && answer["differing"] as? Int == 0)
    }

    @Test("a missing record ends with 1 and is named")
    func missing() async throws {
        var entries = try entries()
        entries.remove(at: 11)
        let result = try await replay(entries)
        #expect(result.status == 1)
        #expect(result.output.contains("  step 12 missing\n"))
        #expect(result.errors == "vigil: the trace is not clean: 1 missing\n")
    }

    @Test("an altered record ends with 1 and is told as a story")
    func altered() async throws {
        var entries = try entries()
        #expect(entries[2].contains(#"{"keyframe":{"_0":1}}"#))
        entries[2] = entries[2].replacingOccurrences(
            of: #"{"keyframe":{"_0":1}}"#, with: #"{"lost":{"_0":1,"_1":"closed"}}"#)
        let result = try await replay(entries)
        #expect(result.status == 1)
        #expect(
            result.output.contains(
                "given that dial 1 was lost: the camera closed the connection, the machine now answers otherwise"))
        #expect(result.output.contains("step 2: dial 1 reached the camera → link dialing → synchronizing"))
        #expect(result.errors == "vigil: the trace is not clean: 1 different\n")
    }

    @Test(
        "a last record that breaks off is named with place and length, and is no fault; one in the middle ends with 2")
    func torn() async throws {
        let entries = try entries()
        let whole = entries.dropLast().map { $0 + "\n\n" }.joined()
        let last = String(try #require(entries.last).prefix(60))
        let path = NSTemporaryDirectory() + "vigil-torn-\(UUID().uuidString.prefix(8)).export"
        try Data((whole + last).utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let result = try await Program.run(["replay", path])
        #expect(result.status == 0 && result.output.contains("\(entries.count - 1) steps replayed, no difference"))
        #expect(
            result.errors.contains(
                "\(path) ends within a record: 60 bytes of it, from byte \(whole.utf8.count) on, were left out"))
        let json = try await Program.run(["replay", path, "--json"])
        let answer = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect((answer["torn"] as? [String: Any])?["bytes"] as? Int == 60)
        var middle = entries
        let step = try #require(middle[5].range(of: "VIGIL_TRACE=demo"))
        middle[5] = String(middle[5][..<step.upperBound])
        let broken = try await replay(middle)
        #expect(broken.status == 2 && broken.errors.contains("VIGIL_SEQ is missing"))
        // Before it says that it is a step, it is none.
        middle[5] = String(middle[5].prefix(60))
        let unknown = try await replay(middle)
        #expect(unknown.status == 1 && unknown.output.contains("  step 6 missing\n"))
    }

    @Test("a report that the journal tells otherwise ends with 1 and is named; so does an order of a step")
    func reports() async throws {
        let path = URL(fileURLWithPath: Self.trace).deletingLastPathComponent().path + "/reports.export"
        let recorded = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n\n")
        // Step 53 is a command within an event, which T5 decides otherwise since.
        let entries = Array(recorded.prefix { !$0.contains("\nVIGIL_SEQ=53\n") })
        let whole = try await replay(entries)
        #expect(whole.status == 0 && whole.output.contains("  reports: 43 held, no difference\n"))
        let index = try #require(entries.firstIndex { $0.contains("VIGIL_KIND=modeChanged") })
        var altered = entries
        altered[index] = altered[index].replacing("VIGIL_TO=event", with: "VIGIL_TO=off")
        let told = try await replay(altered)
        #expect(told.status == 1 && told.errors == "vigil: the trace is not clean: 1 report different\n")
        #expect(told.output.contains("VIGIL_TO: off in the journal, event by the machine"))
        altered = entries
        altered.remove(at: index)
        let removed = try await replay(altered, "--json")
        let answer = try #require(JSONSerialization.jsonObject(with: Data(removed.output.utf8)) as? [String: Any])
        #expect(removed.status == 1 && answer["reportsDiffering"] as? Int == 1)
        altered = entries
        let step = try #require(altered.firstIndex { $0.contains("VIGIL_EFFECTS=o") })
        altered[step] = altered[step].replacing("VIGIL_EFFECTS=o", with: "VIGIL_EFFECTS=o00000000 o")
        let order = try await replay(altered)
        #expect(order.status == 1)
        #expect(order.output.contains("recorded, but not given by the machine: one with the digest o00000000"))
    }

    @Test("what cannot be read ends with 2, what holds no trace with 1")
    func unreadable() async throws {
        let absent = try await Program.run(["replay", "/nonexistent/trace"])
        #expect(absent.status == 2 && absent.errors.hasPrefix("vigil: read /nonexistent/trace: "))
        let torn = try await replay(["VIGIL_TRACE=front\nVIGIL_SEQ=x"])
        #expect(
            torn.status == 2 && torn.errors.hasPrefix("vigil: read the trace, line 1: VIGIL_SEQ is not a whole number"))
        let other = try await replay(["MESSAGE=hello"])
        #expect(other.status == 1 && other.errors.contains("no trace of a camera is in "))
        let elsewhere = try await replay(try entries(), "--camera", "nobody")
        #expect(elsewhere.status == 1)
        let usage = try await Program.run(["replay", "--explain", "demo"])
        #expect(usage.status == 2 && usage.errors.contains("CAMERA TIME"))
    }

    @Test("a moment is explained: each part, the next deadline, what led there")
    func explain() async throws {
        // The journal took step 4 in this second; nothing came in the next.
        let entries = try entries()
        let taken = try #require(
            entries[3].split(separator: "\n").first { $0.hasPrefix("__REALTIME_TIMESTAMP=") }?.split(separator: "=")
                .last)
        let seconds = try #require(Int(taken)) / 1_000_000 + 1
        let moment = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
        let result = try await replay(entries, "--explain", "demo", moment)
        #expect(result.status == 0)
        for words in [
            "demo at ", "as step 4 left it at ", "are numbered within run ",
            "coverage: recorded, media goes into a clip",
            "link: streaming over lan with dial 1",
            "recorder: clip 1 is being written", "next: at ", "what led there:", "step 2: dial 1 reached the camera",
        ] { #expect(result.output.contains(words), "\(words)") }
        let early = try await replay(entries, "--explain", "demo", "2000-01-01T00:00:00Z")
        #expect(early.status == 1 && early.errors.contains("no trace of demo at or before"))
    }
}
