/// A short-term reference picture set of H.265 (ITU-T H.265 clauses 7.3.7 and 7.4.8).
struct H265ReferenceSet: Hashable, Sendable {
    /// A picture: its order minus that of the picture that refers to it, and whether that picture itself uses it.
    private struct Entry: Hashable, Sendable {
        let delta: Int
        let isUsed: Bool
    }

    /// The most pictures before a picture, and after it.
    private static let entriesMax = 16

    private var before: [Entry] = []
    private var after: [Entry] = []

    /// How many of its pictures the picture itself uses.
    var usedCount: Int { (before + after).count(where: \.isUsed) }

    /// The set number `number`, after the `sets` of the sequence. `inSlice`: it stands in a slice header, behind all of them.
    init(
        _ bits: inout some BitSource, number: Int, sets: [H265ReferenceSet], inSlice: Bool
    ) throws(BitstreamError) {
        if number > 0, try bits.flag() {
            try readPredicted(&bits, number: number, sets: sets, inSlice: inSlice)
        } else {
            let counts = [
                try bits.unsigned("num_negative_pics", max: Self.entriesMax),
                try bits.unsigned("num_positive_pics", max: Self.entriesMax),
            ]
            before = try Self.entries(&bits, counts[0], sign: -1)
            after = try Self.entries(&bits, counts[1], sign: 1)
        }
    }

    private static func entries(
        _ bits: inout some BitSource, _ count: Int, sign: Int
    ) throws(BitstreamError) -> [Entry] {
        var (list, delta) = ([Entry](), 0)
        for _ in 0..<count {
            delta += sign * (try bits.unsigned("delta_poc_minus1", max: 1 << 15) + 1)
            list.append(Entry(delta: delta, isUsed: try bits.flag()))
        }
        return list
    }

    private mutating func readPredicted(
        _ bits: inout some BitSource, number: Int, sets: [H265ReferenceSet], inSlice: Bool
    ) throws(BitstreamError) {
        let back = inSlice ? try bits.unsigned("delta_idx_minus1", max: number - 1) + 1 : 1
        guard sets.indices.contains(number - back) else { throw BitstreamError(bits.subject, .missing("set")) }
        let isNegative = try bits.flag()
        let magnitude = try bits.unsigned("abs_delta_rps_minus1", max: 1 << 15) + 1
        let shift = isNegative ? -magnitude : magnitude
        let other = sets[number - back]
        // What is predicted from: the other set's pictures, and behind them the picture that the other set was for.
        let deltas = (other.before + other.after).map(\.delta) + [0]
        var entries: [(entry: Entry, isKept: Bool)] = []
        for delta in deltas {
            let isUsed = try bits.flag()
            // use_delta_flag stands there only where the picture is not used, and is taken as set where it does not.
            let isKept = isUsed ? true : try bits.flag()
            entries.append((Entry(delta: delta + shift, isUsed: isUsed), isKept))
        }
        // Only the numbers of pictures matter, so they are sorted instead of walked through in the order of clause 7.4.8.
        let kept = entries.filter(\.isKept).map(\.entry)
        before = kept.filter { $0.delta < 0 }.sorted { $0.delta > $1.delta }
        after = kept.filter { $0.delta > 0 }.sorted { $0.delta < $1.delta }
        guard before.count <= Self.entriesMax, after.count <= Self.entriesMax else {
            throw BitstreamError(bits.subject, .outOfRange(field: "references", value: Int64(kept.count)))
        }
    }
}
