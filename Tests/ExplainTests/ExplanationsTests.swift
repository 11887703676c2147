import Foundation
import Journal
import Machines
import Server
import Synchronization
import Testing
import Trace

@testable import Explain

@Suite("One answer from one reading of the trace")
struct ExplanationsTests {
    /// A trace in a file, which counts how often each record was handed out.
    private final class Source: Sendable {
        private let path: String
        private let queries = Mutex<[TraceQuery]>([])

        init(_ records: [TraceRecord]) throws {
            path = NSTemporaryDirectory() + "vigil-trace-\(UUID().uuidString).json"
            let lines = records.map { record -> String in
                let fields: [(String, String?)] = [
                    ("VIGIL_TRACE", record.camera), ("VIGIL_SEQ", "\(record.seq)"), ("VIGIL_RUN", record.run),
                    ("VIGIL_BOOT", record.boot), ("VIGIL_AT", "\(record.at.ms)"), ("VIGIL_INPUT", record.input),
                    ("VIGIL_DIGEST", record.digest.description), ("VIGIL_STATE", record.state),
                    ("VIGIL_VERSION", record.version),
                    ("__REALTIME_TIMESTAMP", record.wallMs.map { "\($0 * 1_000)" }),
                ]
                let object = Dictionary(
                    uniqueKeysWithValues: fields.compactMap { key, value in value.map { (key, $0) } })
                let data = (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
                return String(decoding: data, as: UTF8.self)
            }
            try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// The times that were asked for, in order; they must not overlap.
        var asked: [Range<Int64>] {
            queries.withLock { $0.map { ($0.sinceMs ?? .min)..<($0.untilMs.map { $0 + 1 } ?? .max) } }
        }

        func explanations(isRepeatable: Bool = true, meter: ReadingMeter = .unbounded) -> Explanations {
            let zone = TimeZone(identifier: "UTC") ?? .current
            return Explanations(zone: zone, isRepeatable: isRepeatable, meter: meter) { [self] query in
                queries.withLock { $0.append(query) }
                return try TraceReader(path: path, only: query)
            }
        }
    }

    /// A camera in event mode that sees something each five minutes, for so many hours.
    private static func busy(hours: Double) -> TraceHarness {
        var harness = TraceHarness(Intent(policy: WhyTests.event()))
        var second = 60.0
        while second < hours * 3_600 {
            harness.at(second, WhyTests.detected(.low))
            second += 300
        }
        harness.pass(until: TraceHarness.at(hours * 3_600))
        return harness
    }

    private static func wall(_ seconds: Double) -> WallTime {
        WallTime(ms: TraceHarness.wall(TraceHarness.at(seconds)))
    }

    @Test("the answer is the one that the whole trace gives, wherever the moment lies and however the trace is opened")
    func same() throws {
        let harness = Self.busy(hours: 9)
        let source = try Source(harness.records)
        let seconds: [Double] = [100, 18_000, 28_861]
        for second in seconds {
            let whole = WhyAnswer(
                WhyTests.explain(harness.records, second), nil, LocalTime(zone: .gmt).narrator)
            for isRepeatable in [true, false] {
                let answer = try source.explanations(isRepeatable: isRepeatable).why("front", at: Self.wall(second))
                #expect(answer.label == whole.label && answer.remedy == whole.remedy, "at \(second)")
                #expect(answer.failed == whole.failed && answer.suppressed == whole.suppressed)
                #expect(answer.machineLabel == whole.machineLabel)
                #expect(answer.moment?.step == whole.moment?.step && answer.moment != nil)
            }
        }
    }

    @Test("no moment of the trace is read twice, and further back only where that tells more")
    func once() throws {
        var harness = TraceHarness(Intent(policy: WhyTests.event(connection: .onDemand)))
        harness.at(60, WhyTests.detected(.low))
        // Nothing happens for two days; then the recorded moment is long ago, and so is the last whole state.
        harness.at(50 * 3_600, .enabled(false))
        harness.pass(until: TraceHarness.at(50 * 3_600 + 10))
        let source = try Source(harness.records)
        let answer = try source.explanations().why("front", at: Self.wall(50 * 3_600 + 5))
        #expect(answer.label == "disabled")
        let asked = source.asked
        #expect(asked.count == 3)
        for (later, earlier) in zip(asked, asked.dropFirst()) { #expect(earlier.upperBound == later.lowerBound) }
        let near = try Source(Self.busy(hours: 9).records)
        _ = try near.explanations().why("front", at: Self.wall(8 * 3_600))
        #expect(near.asked.count == 1)
    }

    @Test("an answer that would cost too much is refused, and the refusal says what to ask instead")
    func bounds() throws {
        let source = try Source(Self.busy(hours: 9).records)
        let few = source.explanations(meter: ReadingMeter(recordsMax: 10, durationMsMax: nil))
        let late = source.explanations(meter: ReadingMeter(recordsMax: .max, durationMsMax: -1))
        let all = Self.wall(0).ms..<Self.wall(9 * 3_600).ms
        #expect { try few.why("front", at: Self.wall(3_600)) } throws: { ($0 as? SiteError)?.kind == .tooLarge }
        #expect { try few.ladder("front", all, asEvents: false) { _ in nil } } throws: { error in
            (error as? SiteError)?.remedy.contains("shorter") == true
        }
        #expect { try late.ladder("front", all, asEvents: false) { _ in nil } } throws: { error in
            (error as? SiteError)?.why == "it takes too long"
        }
        #expect { try source.explanations().ladder("back", all, asEvents: false) { _ in nil } } throws: { error in
            (error as? SiteError)?.kind == .notFound && (error as? SiteError)?.why.contains("camera back") == true
        }
    }

    @Test("where the catalog knows the moment, a trace that cannot be read is a remark; else it is the end")
    func unreadable() throws {
        let broken = Explanations(zone: .gmt) { _ in throw JournalError.unreadable(path: "/gone", errno: 2) }
        let at = Self.wall(60)
        let stretch = CoverageReport.Stretch(from: at, to: WallTime(ms: at.ms + 1), label: .idle, rule: nil)
        let entry = LedgerEntry(stretch: stretch, isWhole: true, clip: nil, event: nil)
        let answer = try broken.why("front", at: at, ledger: entry)
        #expect(answer.label == "idle" && answer.source == "catalog")
        #expect(answer.remarks.contains { $0.contains("/gone") })
        #expect(throws: JournalError.self) { try broken.why("front", at: at) }
    }
}
