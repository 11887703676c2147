import Foundation
import Journal
import Testing
import Trace

@testable import Replay

/// Every file in the folder Traces beside this one: a trace that somebody sent becomes a test by being put there.
/// Their inputs are those of a daemon; where the machine has changed since, its answers (digests, states) were made again from them.
/// Those recorded before events, notes and labels were orders of their own (all but `commands.export`) are as they were recorded: their
/// digests have the earlier form (docs/design/replay.md).
@Suite("Traces from real daemons")
struct TraceFileTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Traces")
        .path

    static var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") || $0.hasSuffix(".export") }.sorted()
    }

    /// The steps at which a rule decides otherwise since the trace was recorded: T4, where continuous mode becomes event mode under an
    /// open clip, and T5, where a command asks for more than is left of its event.
    static let decided: [String: [UInt64]] = [
        "commands.export": [15], "events.json": [19, 28], "reports.export": [53],
    ]

    @Test("There is one at least")
    func some() { #expect(!Self.files.isEmpty) }

    @Test(
        "Every step agrees but for those that are decided otherwise since, and no record is missing", arguments: files)
    func replay(file: String) throws {
        var reader = try TraceReader(path: Self.folder + "/" + file)
        var site = SiteReplay()
        while let record = try reader.next() { site.take(record) }
        let narrator = Narrator { "\($0)" }
        for replay in site.replays {
            let stories = replay.differences.flatMap { narrator.story($0, version: "this one") }
            let isClean = replay.missing.isEmpty && replay.repeated == 0 && replay.late == 0
            #expect(isClean, "\((narrator.remarks(replay) + stories).joined(separator: "\n"))")
            #expect(replay.agreed > 0)
        }
        #expect(site.replays.flatMap { $0.differences.map(\.record.seq) } == Self.decided[file] ?? [])
        #expect(!site.replays.isEmpty)
    }
}
