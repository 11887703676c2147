import Journal
import Machines
import Testing
import Trace

@testable import Explain

/// Traces whose times are nonsense (H8): whoever asks gets an answer. A trap ends the process, and with it the test.
@Suite("Foreign traces")
struct ForeignTraceTests {
    private static let extremes: [Int64] = [.min, .min + 1, -1, 0, 1 << 62, .max - 1, .max]

    private func records(_ intent: Intent) -> [TraceRecord] {
        var harness = TraceHarness(intent)
        harness.at(20, WhyTests.detected(.low))
        harness.at(60, .privacy(Privacy(hard: true)))
        harness.at(90, .privacy(Privacy()))
        harness.pass(until: TraceHarness.at(200))
        return harness.records
    }

    /// The records, from one on with another time of day.
    private func altered(_ records: [TraceRecord], from index: Int, _ wallMs: Int64?) -> [TraceRecord] {
        records.enumerated().map { number, record in
            guard number >= index else { return record }
            return TraceRecord(
                camera: record.camera, seq: record.seq, run: record.run, boot: record.boot, at: record.at,
                input: record.input, digest: record.digest, state: record.state, version: record.version, wallMs: wallMs
            )
        }
    }

    @Test("Times of day that no clock shows are answered about, and beside them is what was before (H8)")
    func walls() throws {
        let records = records(Intent(policy: WhyTests.event()))
        var known = 0
        for extreme in Self.extremes {
            for index in [0, 1, records.count / 2, records.count - 1] {
                let altered = altered(records, from: index, extreme)
                for asked in [Self.extremes[1], TraceHarness.wall(TraceHarness.at(21)), 0, Self.extremes[5]] {
                    var explainer = Explainer(camera: "front", wallMs: asked)
                    for record in altered where !explainer.take(record) { break }
                    if case .known = explainer.explanation.label { known += 1 }
                    _ = explainer.isSettled
                }
                var reader = CameraHistoryReader()
                for record in altered { reader.take(record) }
                let unknown = Unknown.all(reader.histories, time: 0..<TraceHarness.wall(TraceHarness.at(300)))
                #expect(unknown.allSatisfy { $0.ms >= 0 })
            }
        }
        #expect(known > 0)
    }

    @Test("A policy that had to change before it was in force is answered about (H8)")
    func interval() {
        let intent = Intent(policy: WhyTests.event(), policyUntil: Instant(ms: 0))
        let records = records(intent)
        for second in [0.5, 21, 60, 199] {
            #expect(WhyTests.explain(records, second).wallMs == TraceHarness.wall(TraceHarness.at(second)))
        }
    }
}
