internal import Machines
internal import RandomSource

/// What was noted of a stretch of time, and the line of coverage that is drawn from it.
struct CoverageCase: Sendable, CustomStringConvertible {
    static let end: Int64 = 60

    let marks: [CoverageLine.Mark]
    let spans: [CoverageLine.Span]
    let from: Int64
    let to: Int64
    let line: CoverageLine
    /// The same stretch, from all that is known.
    let whole: CoverageLine

    init(marks: [CoverageLine.Mark], spans: [CoverageLine.Span], from: Int64, to: Int64) {
        (self.marks, self.spans, self.from, self.to) = (marks, spans, from, to)
        // What the page says must be given: from the last mark before it to the first after it, and the next media after it.
        let first = marks.lastIndex { $0.at <= from } ?? 0
        let last = marks.firstIndex { $0.at > to } ?? marks.count - 1
        let next = spans.filter { $0.from >= to }.min { $0.from < $1.from }
        let near = spans.filter { $0.to > from && $0.from < to } + (next.map { [$0] } ?? [])
        line = CoverageLine(
            from: from, to: to, marks: first <= last ? Array(marks[first...last]) : [], spans: near)
        whole = CoverageLine(from: 0, to: Self.end, marks: marks, spans: spans)
    }

    var description: String { "[\(from), \(to))\nmarks: \(marks)\nspans: \(spans)\nline: \(line.stretches)" }

    /// The label that a moment has, and the rule.
    func label(_ moment: Int64) -> CoverageLine.Stretch? {
        line.stretches.first { $0.from <= moment && moment < $0.to }
    }

    func spans(at moment: Int64) -> [CoverageLine.Span] { spans.filter { $0.from <= moment && moment < $0.to } }
    func isMedia(_ moment: Int64) -> Bool { spans(at: moment).contains { $0.rule == nil } }
    func isGone(_ moment: Int64) -> Bool { !isMedia(moment) && !spans(at: moment).isEmpty }

    /// The label that the machine had reported last.
    func reported(_ moment: Int64) -> Coverage? { marks.last { $0.at <= moment }?.label }

    /// The first change of the reported label after it.
    func change(after moment: Int64) -> CoverageLine.Mark? {
        marks.first { $0.at > moment && $0.label != reported(moment) }
    }

    /// Reported as recorded without media, gone media included.
    func isEmptyRecording(_ moment: Int64) -> Bool { reported(moment) == .recorded && spans(at: moment).isEmpty }

    /// Media that is there, or is gone, follows; where its begin is the change of the label the page leaves it open.
    func follows(_ moment: Int64, before until: Int64) -> Bool {
        spans.contains { $0.from > moment && $0.from < until }
    }

    var moments: Range<Int64> { from..<max(from, to) }
}

/// What docs/design/rules.md "Coverage" and docs/design/explain.md promise of a line of coverage.
enum CoverageClaims {
    static let walks = PlanWalks<CoverageCase>(
        count: 150,
        walk: { random in
            var marks: [CoverageLine.Mark] = []
            var spans: [CoverageLine.Span] = []
            var at = random.number(0...12)
            let labels: [Coverage?] = [.recorded, .recorded, .recorded, .idle, .blind, .linkLost, .privacy, nil]
            return (0..<12).map { _ in
                let label = labels[Int(random.number(0...7))]
                if at < CoverageCase.end, marks.isEmpty || marks.last?.label != label {
                    marks.append(CoverageLine.Mark(at: at, label: label))
                }
                at += random.number(1...9)
                if !random.once(in: 3) {
                    let from = random.number(0...CoverageCase.end - 1)
                    let rule = [nil, nil, "eventsAge", "freeSpace"][Int(random.number(0...3))]
                    spans.append(
                        CoverageLine.Span(
                            from: from, to: min(from + random.number(1...9), CoverageCase.end), rule: rule))
                }
                let begin = random.number(0...CoverageCase.end - 1)
                return CoverageCase(
                    marks: marks, spans: spans, from: begin, to: random.number(begin...CoverageCase.end))
            }
        }, claims: claims)

    static let claims: [Claim<CoverageCase>] = [
        Claim("S13 a line has no hole and no overlap, from its begin to its end", when: { $0.from < $0.to }) { one in
            let stretches = one.line.stretches
            return stretches.first?.from == one.from && stretches.last?.to == one.to
                && stretches.allSatisfy { $0.from < $0.to }
                && zip(stretches, stretches.dropFirst()).allSatisfy { $0.to == $1.from }
        },
        Claim("S13 an empty stretch of time has an empty line", when: { $0.from >= $0.to }) {
            $0.line.stretches.isEmpty
        },
        Claim("S13 neighbours on a line are different", when: { $0.line.stretches.count > 1 }) { one in
            zip(one.line.stretches, one.line.stretches.dropFirst()).allSatisfy {
                $0.label != $1.label || $0.rule != $1.rule
            }
        },
        Claim("S13 the sums of the labels are the moments that have them", when: { $0.from < $0.to }) { one in
            var sums: [Coverage?: Int64] = [:]
            for moment in one.moments { sums[one.label(moment)?.label, default: 0] += 1 }
            return one.line.sums == sums
        },
        Claim("S13 a moment has the part that holds it", when: { $0.from < $0.to }) { one in
            (one.from - 1...one.to).allSatisfy { one.line.stretch(at: $0) == one.label($0) }
        },
        Claim("S13 where there is media the label is recorded", when: { $0.moments.contains(where: $0.isMedia) }) {
            one in
            one.moments.allSatisfy { !one.isMedia($0) || one.label($0)?.label == .recorded }
        },
        Claim(
            "S13 where media is gone the label is deleted, by a rule that took it",
            when: { $0.moments.contains(where: $0.isGone) }
        ) { one in
            one.moments.allSatisfy { moment in
                guard one.isGone(moment) else { return one.label(moment)?.label != .deleted }
                let stretch = one.label(moment)
                return stretch?.label == .deleted && one.spans(at: moment).contains { $0.rule == stretch?.rule }
            }
        },
        Claim("S13 a rule stands only where something is gone", when: { $0.moments.contains(where: $0.isGone) }) {
            one in
            one.line.stretches.allSatisfy { ($0.rule != nil) == ($0.label == .deleted) }
        },
        Claim(
            "S13 without media the label is the one reported last",
            when: { one in one.moments.contains { one.spans(at: $0).isEmpty && one.reported($0) != .recorded } }
        ) { one in
            one.moments.allSatisfy { moment in
                !one.spans(at: moment).isEmpty || one.reported(moment) == .recorded
                    || one.label(moment)?.label == one.reported(moment)
            }
        },
        Claim(
            "S13 a hole in a recording is a lost link",
            when: { $0.moments.contains(where: $0.isHole) }
        ) { one in
            one.moments.allSatisfy { !one.isHole($0) || one.label($0)?.label == .linkLost }
        },
        Claim(
            "S13 after the last media of a recording the label that followed holds",
            when: { one in one.moments.contains { one.isEmptyRecording($0) && one.isAfterLast($0) } }
        ) { one in
            one.moments.allSatisfy { moment in
                guard one.isEmptyRecording(moment), one.isAfterLast(moment) else { return true }
                return one.label(moment)?.label == (one.change(after: moment)?.label ?? .linkLost)
            }
        },
        Claim("S13 while nothing follows a recording it goes on", when: { $0.moments.contains(where: $0.goesOn) }) {
            one in
            one.moments.allSatisfy { !one.goesOn($0) || one.label($0)?.label == .recorded }
        },
        Claim(
            "S13 a part of a line is what the whole line says there",
            when: { one in one.from < one.to && one.whole.stretches.count > 3 }
        ) { one in
            one.moments.allSatisfy { moment in
                let whole = one.whole.stretches.first { $0.from <= moment && moment < $0.to }
                return one.label(moment)?.label == whole?.label && one.label(moment)?.rule == whole?.rule
            }
        },
    ]
}

extension CoverageCase {
    /// Reported as recorded, without media until some follows.
    fileprivate func isHole(_ moment: Int64) -> Bool {
        isEmptyRecording(moment) && follows(moment, before: change(after: moment)?.at ?? .max)
    }

    /// No media follows, and the label did change. A camera that was taken away then has a label until it was.
    fileprivate func isAfterLast(_ moment: Int64) -> Bool {
        change(after: moment).map { !follows(moment, before: $0.at + 1) } ?? false
    }

    /// Nothing tells that the recording ended.
    fileprivate func goesOn(_ moment: Int64) -> Bool {
        isEmptyRecording(moment) && change(after: moment) == nil && !follows(moment, before: .max)
    }
}
