import Foundation
import Glibc
import Machines
import Testing
import Trace

@testable import Journal

/// A round trip through the journald of this machine. Left out where none listens, or where the journal cannot be read.
@Suite("With the real journald")
struct JournaldTests {
    static var canRoundTrip: Bool {
        JournalSocket.listens(at: JournalSocket.standardPath) && geteuid() == 0
            && FileManager.default.isExecutableFile(atPath: "/usr/bin/journalctl")
    }

    /// Reads until journald has written what is waited for; a deadline instead of a sleep, each try asks anew.
    private func wait<Value>(for count: Int, _ read: () throws -> [Value]) throws -> [Value] {
        let clock = MachineClock()
        let deadline = clock.now() + 30_000
        while true {
            let values = try read()
            if values.count >= count || clock.now() > deadline { return values }
            _ = try Scratch.run("/usr/bin/journalctl", ["--sync"])
        }
    }

    @Test(
        "What is sent is in the journal, and the trace is read back whole",
        .enabled(if: canRoundTrip, "needs journald and the right to read its journal"))
    func roundTrip() throws {
        let journal = Journal(JournalOptions(version: "1.2.3"))
        #expect(journal.native != nil)
        let since = MachineClock().wallMs() - 1_000
        let detail = "two\nlines and \u{1b}[31m"
        journal.send(.linkLost, camera: "front", fields: [(.why, "silence"), (.detail, detail)])
        let large = String(repeating: "0123456789abcdef", count: 60_000)
        for seq: UInt64 in 0...9 where seq != 4 {
            try journal.trace(
                camera: "front", seq: seq, at: Instant(ms: 7), input: ["n": seq],
                state: ["text": seq == 0 ? large : ""], effects: [seq], visible: seq == 1)
        }
        #expect(journal.close(timeoutMs: 30_000))

        let query = TraceQuery(camera: "front", run: journal.run.value, sinceMs: since)
        let steps = try wait(for: 9) {
            var reader = try TraceReader(journal: query)
            return try reader.readAll()
        }
        #expect(steps.map(\.seq) == [0, 1, 2, 3, 5, 6, 7, 8, 9])
        #expect(steps.first?.state == "{\"text\":\"\(large)\"}")
        var reader = try TraceReader(journal: query)
        _ = try reader.readAll()
        #expect(reader.gaps.all.map(\.missing) == [4...4])
        var late = try TraceReader(journal: TraceQuery(run: journal.run.value, untilMs: since - 1))
        #expect(try late.readAll().isEmpty)

        for format in ["json", "export"] {
            let output = try Scratch.run(
                "/usr/bin/journalctl", ["--all", "-o", format, "VIGIL_RUN=\(journal.run)", "--no-pager"]
            ).output
            var file = try TraceReader(path: try Scratch.file(output.utf8))
            #expect(try file.readAll() == steps)
            #expect(file.passedOver == 1)
        }
        let life = try Scratch.run(
            "/usr/bin/journalctl", ["-o", "cat", "VIGIL_RUN=\(journal.run)", "VIGIL_CAMERA=front", "--no-pager"])
        #expect(
            life.output
                == "front: link lost: the camera fell silent, two\\nlines and \\u{1b}[31m\nfront: step: 1\n")
    }
}
