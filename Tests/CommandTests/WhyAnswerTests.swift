internal import Explain
internal import Foundation
internal import Journal
internal import Machines
internal import Server
internal import Testing
internal import Trace

@testable import vigil

@Suite("What why makes of trace and catalog")
struct WhyAnswerTests {
    /// A run of the demo that was stopped at 09:06:56 UTC; nothing follows.
    private static let trace = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("ReplayTests/Traces/demo.export").path

    @Test(
        "a daemon whose journal is elsewhere is not told to have been down",
        arguments: [nil, Coverage.idle, Coverage.recorderDown])
    func elsewhere(label: Coverage?) throws {
        let moment = WallTime(ms: 1_795_300_000_000)
        var explainer = Explainer(camera: "demo", wallMs: moment.ms)
        var reader = try TraceReader(path: Self.trace)
        while let record = try reader.next(), explainer.take(record) {}
        #expect(explainer.explanation.machineLabel == .recorderDown)
        let entry = label.map {
            LedgerEntry(
                stretch: CoverageReport.Stretch(
                    from: WallTime(ms: moment.ms - 1), to: WallTime(ms: moment.ms + 1), label: $0, rule: nil),
                isWhole: true, clip: nil, event: nil)
        }
        let clock = DisplayClock(zone: "UTC", now: WallTime(ms: moment.ms + 1_000))
        let answer = WhyAnswer(explainer.explanation, entry, clock.narrator)
        #expect(answer.label == (label ?? .recorderDown).rawValue)
        #expect(answer.remarks.contains { $0.contains("no trace of the camera was read") } == (label == .idle))
        #expect(answer.remedy.words.contains("Vigil was not running") == (label != .idle))
        #expect((answer.moment == nil) == (label == .idle))
    }
}
