import Machines
import RandomSource
import Testing

@Suite("Every millisecond has exactly one label")
struct CoverageLineTests {
    typealias Mark = CoverageLine.Mark
    typealias Span = CoverageLine.Span

    /// `0-10 idle; 10-20 recorded`
    func text(_ line: CoverageLine) -> String {
        line.stretches.map { stretch in
            let label = stretch.label?.rawValue ?? "none"
            return "\(stretch.from)-\(stretch.to) \(label)\(stretch.rule.map { "(\($0))" } ?? "")"
        }.joined(separator: "; ")
    }

    @Test("Before the first mark the camera was not configured")
    func marks() {
        let line = CoverageLine(
            from: 0, to: 30, marks: [Mark(at: 10, label: .idle), Mark(at: 20, label: .disabled)], spans: [])
        #expect(text(line) == "0-10 none; 10-20 idle; 20-30 disabled")
        #expect(line.sums == [nil: 10, .idle: 10, .disabled: 10])
    }

    @Test("Pre-roll counts as recorded, though the label was idle when it passed")
    func preRoll() {
        let marks = [Mark(at: 0, label: .idle), Mark(at: 15, label: .recorded), Mark(at: 30, label: .idle)]
        let line = CoverageLine(from: 5, to: 40, marks: marks, spans: [Span(from: 10, to: 30)])
        #expect(text(line) == "5-10 idle; 10-30 recorded; 30-40 idle")
    }

    @Test("Media that ended before the machine could know takes the label that followed")
    func silence() {
        let marks = [Mark(at: 0, label: .recorded), Mark(at: 30, label: .linkLost)]
        let line = CoverageLine(from: 0, to: 40, marks: marks, spans: [Span(from: 0, to: 20)])
        #expect(text(line) == "0-20 recorded; 20-40 linkLost")
    }

    @Test("A hole while the machine recorded is what did not come")
    func hole() {
        let marks = [Mark(at: 0, label: .recorded), Mark(at: 30, label: .disabled)]
        let line = CoverageLine(from: 0, to: 30, marks: marks, spans: [Span(from: 0, to: 10), Span(from: 12, to: 30)])
        #expect(text(line) == "0-10 recorded; 10-12 linkLost; 12-30 recorded")
    }

    @Test("What is gone names its rule; what is there wins")
    func deleted() {
        let spans = [Span(from: 0, to: 10, rule: "age"), Span(from: 8, to: 20), Span(from: 20, to: 25, rule: "quota")]
        let line = CoverageLine(from: 0, to: 30, marks: [Mark(at: 0, label: .recorded)], spans: spans)
        #expect(text(line) == "0-8 deleted(age); 8-20 recorded; 20-25 deleted(quota); 25-30 recorded")
    }

    @Test("Any facts give a partition (S13), and the answer for a moment does not depend on what was asked for")
    func partition() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let labels = Coverage.allCases.filter { $0 != .deleted }
            var at: Int64 = 0
            let marks = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                at += Int64.random(in: 1...20, using: &random)
                return Mark(at: at, label: labels.randomElement(using: &random))
            }
            let spans = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                let from = Int64.random(in: 0...100, using: &random)
                let rule = Bool.random(using: &random) ? nil : "age"
                return Span(from: from, to: from + Int64.random(in: 0...30, using: &random), rule: rule)
            }
            let from = Int64.random(in: -5...60, using: &random)
            let to = from + Int64.random(in: 0...60, using: &random)
            let line = CoverageLine(from: from, to: to, marks: marks, spans: spans)
            let lengths: [Int64] = line.stretches.map { $0.to - $0.from }
            #expect(lengths.reduce(0, +) == to - from)
            if let first = line.stretches.first, let last = line.stretches.last {
                #expect(first.from == from && last.to == to)
            }
            for (left, right) in zip(line.stretches, line.stretches.dropFirst()) {
                #expect(left.to == right.from && (left.label != right.label || left.rule != right.rule))
            }
            let whole = CoverageLine(from: -100, to: 300, marks: marks, spans: spans)
            for moment in from..<to where moment + 1 < to {
                #expect(line.stretch(at: moment)?.label == whole.stretch(at: moment)?.label)
                let isMedia = spans.contains { $0.rule == nil && $0.from <= moment && moment < $0.to }
                #expect(!isMedia || line.stretch(at: moment)?.label == .recorded)
            }
        }
    }
}
