/// The coverage of a stretch of time: every millisecond with exactly one label (S13).
///
/// What was recorded, and what of it is gone, is known from the clips; every other label is what the camera's machine
/// reported when it changed. The clips win, because pre-roll reaches back into a time that was idle when it passed.
public struct CoverageLine: Hashable, Sendable {
    /// A moment from which a label held.
    public struct Mark: Hashable, Sendable {
        /// UTC epoch milliseconds.
        public var at: Int64
        /// The label from then on; nil: the camera was not configured.
        public var label: Coverage?

        /// A mark.
        public init(at: Int64, label: Coverage?) {
            self.at = at
            self.label = label
        }
    }

    /// A stretch for which there is, or was, media.
    public struct Span: Hashable, Sendable {
        /// Its first millisecond, UTC epoch.
        public var from: Int64
        /// The first one after it.
        public var to: Int64
        /// The rule that deleted it; nil: it is there.
        public var rule: String?

        /// A span.
        public init(from: Int64, to: Int64, rule: String? = nil) {
            self.from = from
            self.to = to
            self.rule = rule
        }
    }

    /// A part of the answer.
    public struct Stretch: Hashable, Sendable {
        /// Its first millisecond, UTC epoch.
        public var from: Int64
        /// The first one after it.
        public var to: Int64
        /// Its label; nil: the camera was not configured.
        public var label: Coverage?
        /// The rule, where the label is `deleted`.
        public var rule: String?
    }

    /// The parts, in order, without a hole or an overlap, neighbours different; empty for an empty stretch of time.
    public let stretches: [Stretch]

    /// Labels [`from`, `to`).
    ///
    /// `marks`, in the order of time, reach from the last one at or before `from` to the first one after `to`, where there
    /// are such; before the first mark the camera was not configured. `spans` come in any order, may overlap, and include
    /// the next one after `to`. Media that is there wins over media that is gone.
    ///
    /// Where the machine reported `recorded` and there is no media: if media follows before the label changed, nothing came
    /// (`linkLost`); otherwise the media had ended before the machine could know, and the label that followed holds.
    public init(from: Int64, to: Int64, marks: [Mark], spans: [Span]) {
        let pieces = Self.pieces(marks, spans, from, to)
        var line: [Stretch] = []
        for (index, piece) in pieces.enumerated() {
            var stretch = piece.stretch
            if piece.stretch.label == .recorded, !piece.isMedia {
                let next = pieces[(index + 1)...].first
                stretch.label = next.map { $0.isMedia ? .linkLost : $0.stretch.label ?? .linkLost } ?? .recorded
            }
            stretch.from = max(stretch.from, from)
            stretch.to = min(stretch.to, to)
            guard stretch.from < stretch.to else { continue }
            if let last = line.last, last.label == stretch.label, last.rule == stretch.rule {
                line[line.count - 1].to = stretch.to
            } else {
                line.append(stretch)
            }
        }
        stretches = line
    }

    /// How long each label holds, in milliseconds; the sum is the length of the line.
    public var sums: [Coverage?: Int64] {
        stretches.reduce(into: [:]) { $0[$1.label, default: 0] += $1.to - $1.from }
    }

    /// The part that holds `moment`; nil outside the line.
    public func stretch(at moment: Int64) -> Stretch? {
        stretches.first { $0.from <= moment && moment < $0.to }
    }

    /// A part with one mark, and with or without media.
    private struct Piece {
        var stretch: Stretch
        var isMedia: Bool

        /// Nothing but the moment tells them apart.
        func continues(in next: Piece) -> Bool {
            isMedia == next.isMedia && stretch.label == next.stretch.label && stretch.rule == next.stretch.rule
        }
    }

    /// The parts between all neighbouring moments at which anything changes, over all that is known.
    private static func pieces(_ marks: [Mark], _ spans: [Span], _ from: Int64, _ to: Int64) -> [Piece] {
        // Up to the end of time, so that the last mark has an extent.
        var edges = [from, to, .max]
        edges.reserveCapacity(3 + marks.count + 2 * spans.count)
        for mark in marks { edges.append(mark.at) }
        for span in spans {
            edges.append(span.from)
            edges.append(span.to)
        }
        edges.sort()
        let there = spans.filter { $0.rule == nil }.sorted { $0.from < $1.from }
        let gone = spans.filter { $0.rule != nil }.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
        var (nextMark, nextThere, nextGone) = (0, 0, 0)
        var label: Coverage?
        var mediaEnd = Int64.min
        var goneEnd = Int64.min
        var rule: String?
        var pieces: [Piece] = []
        for (begin, end) in zip(edges, edges.dropFirst()) where begin < end {
            while nextMark < marks.count, marks[nextMark].at <= begin {
                label = marks[nextMark].label
                nextMark += 1
            }
            while nextThere < there.count, there[nextThere].from <= begin {
                mediaEnd = max(mediaEnd, there[nextThere].to)
                nextThere += 1
            }
            while nextGone < gone.count, gone[nextGone].from <= begin {
                if gone[nextGone].to > goneEnd { (goneEnd, rule) = (gone[nextGone].to, gone[nextGone].rule) }
                nextGone += 1
            }
            let isThere = begin < mediaEnd
            let isGone = !isThere && begin < goneEnd
            let named = isThere ? Coverage.recorded : isGone ? .deleted : label
            let piece = Piece(
                stretch: Stretch(from: begin, to: end, label: named, rule: isGone ? rule : nil),
                isMedia: isThere || isGone)
            if let last = pieces.last, last.continues(in: piece) {
                pieces[pieces.count - 1].stretch.to = end
            } else {
                pieces.append(piece)
            }
        }
        return pieces
    }
}
