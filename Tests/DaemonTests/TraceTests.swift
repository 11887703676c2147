import Foundation
import Testing

@Suite("The trace beside the recordings", .serialized)
struct TraceTests {
    /// The newest file of a trace.
    private func newest(_ root: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: root + "/trace").sorted()
        return root + "/trace/" + (try #require(names.last))
    }

    private func stamp(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private func offline(_ words: String...) throws -> (status: Int32, output: String, errors: String) {
        try RunningDaemon.run(RunningDaemon.program, words)
    }

    @Test("why, simulate, ladder, replay and coverage answer from the trace alone, with the demo's daemon and after it")
    func answers() async throws {
        let daemon = try RunningDaemon(folder: RunningDaemon.freshFolder())
        defer { daemon.discard() }
        let begin = Date()
        try await daemon.wait(camera: "demo", coverage: "recorded")
        #expect(try daemon.vigil(["record", "demo", "--for", "2s"]).status == 0)
        #expect(try daemon.vigil(["disable", "demo"]).status == 0)
        try await daemon.wait(camera: "demo", coverage: "disabled")
        let disabled = Date()
        // A step after the moment that is asked for, so that the moment is known.
        #expect(try daemon.vigil(["enable", "demo"]).status == 0)
        try await daemon.wait(camera: "demo", coverage: "recorded")
        let policy = daemon.root + "/config/policies/demo.yaml"
        let since = ["--since", stamp(begin.addingTimeInterval(-60))]
        // No step is in a journal: nothing else can have told.
        let told = daemon.log
        #expect(!told.contains("step: "))
        for words in [
            ["why", "demo", stamp(disabled)], ["ladder", "demo", "--as-events"] + since, ["simulate", policy] + since,
            ["replay"], ["coverage", "demo", "--from", "-10m"],
        ] {
            let answer = try daemon.vigil(words)
            #expect(answer.status == 0, "\(words): \(answer.output)\(answer.errors)")
        }
        let why = try daemon.vigil(["why", "demo", stamp(disabled), "--json"]).output
        #expect(why.contains("\"disabled\"") && why.contains("\"enabled\""), "\(why)")
        let running = try daemon.vigil(["trace", "verify", "--json"])
        #expect(running.status == 0 && running.output.contains("\"isBeingWritten\" : true"), "\(running)")
        #expect(daemon.end() == 0)
        for words in [
            ["why", "demo", stamp(disabled), "--root", daemon.root], ["replay", "--root", daemon.root],
            ["ladder", "demo", "--as-events", "--root", daemon.root] + since,
            ["replay", daemon.root], ["replay", try newest(daemon.root)],
            ["replay", "--trace", daemon.root + "/trace"],
            ["simulate", policy, "--root", daemon.root] + since, ["trace", "verify", "--root", daemon.root],
        ] {
            let answer = try RunningDaemon.run(RunningDaemon.program, words)
            #expect(answer.status == 0, "\(words): \(answer.output)\(answer.errors)")
        }
        let whole = try offline("replay", "--root", daemon.root)
        #expect(whole.output.contains("no difference") && whole.output.contains("stopped as it should"))
        let check = try offline("fsck", "--root", daemon.root)
        #expect(check.status == 0, "\(check.output)")
    }

    @Test("After a kill a torn record is cut off and told; an altered byte and a removed record are named")
    func damage() async throws {
        let folder = try RunningDaemon.freshFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try RunningDaemon(folder: folder)
        try await first.wait(camera: "demo", coverage: "recorded")
        first.end(SIGKILL)
        let path = try newest(first.root)
        let torn = try #require(FileHandle(forWritingAtPath: path))
        try torn.seekToEnd()
        try torn.write(contentsOf: Data("99\tstep\t0123".utf8))
        try torn.close()
        let found = try offline("trace", "verify", "--root", first.root)
        #expect(found.status == 1 && found.output.contains("torn"), "\(found)")
        // Replay names it, too, and holds what is before it.
        let before = try offline("replay", "--root", first.root)
        #expect(before.status == 0 && before.errors.contains("ends within a record: 12 bytes of it"), "\(before)")
        let second = try RunningDaemon(folder: folder)
        defer { second.end(SIGKILL) }
        try await second.wait(camera: "demo", coverage: "recorded")
        try await second.wait("the report of the cut") {
            second.log.contains("torn end of the trace cut off: 12 bytes")
        }
        #expect(second.end() == 0)
        let mended = try offline("trace", "verify", "--root", first.root)
        #expect(mended.status == 0 && mended.output.contains("a torn end of 12 bytes was cut off"), "\(mended)")
        #expect(try offline("replay", "--root", first.root).status == 0)

        let good = try Data(contentsOf: URL(fileURLWithPath: path))
        let lines = good.split(separator: 10, omittingEmptySubsequences: false)
        let index = try #require(
            lines.firstIndex { $0.contains(9) && String(decoding: $0, as: UTF8.self).contains("keyframe") })
        let number = try #require(String(decoding: lines[index], as: UTF8.self).split(separator: "\t").first)
        var altered = lines
        var bytes = Array(altered[index])
        bytes[bytes.count - 70] ^= 1
        altered[index] = Data(bytes)
        try Data(altered.joined(separator: [10])).write(to: URL(fileURLWithPath: path))
        let named = try offline("trace", "verify", first.root + "/trace")
        #expect(named.status == 1 && named.output.contains(", record \(number), demo, "), "\(named)")
        #expect(named.output.contains("altered") && named.errors.contains("1 finding"), "\(named)")
        // What was altered is no evidence: the step is missing, and the rest is replayed.
        let without = try offline("replay", "--root", first.root)
        #expect(without.status == 1 && without.errors.contains("vigil trace verify"), "\(without)")
        altered.remove(at: index)
        try Data(altered.joined(separator: [10])).write(to: URL(fileURLWithPath: path))
        let removed = try offline("trace", "verify", "--root", first.root, "--json")
        #expect(removed.status == 1 && removed.output.contains("\"missing\""), "\(removed)")
        #expect(removed.output.contains("\"record\" : \(number)"), "\(removed)")
        let nothing = try offline("trace", "verify", "--root", folder + "/nowhere")
        #expect(nothing.status == 2 && nothing.errors.contains("nowhere/trace"), "\(nothing)")
    }
}
