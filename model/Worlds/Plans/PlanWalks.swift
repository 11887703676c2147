internal import RandomSource

/// Walks at random through the inputs of a plan. Each begins with a seed of its own, so that every run asks the same cases.
struct PlanWalks<Case: Sendable>: Sendable {
    /// How many walks there are; the seeds are 1, 2 and so on.
    let count: UInt64
    /// The cases of one walk, in their order.
    let walk: @Sendable (inout SeededGenerator) -> [Case]
    /// What is claimed of each case.
    let claims: [Claim<Case>]

    /// Asks everything. `states` counts the cases, `edges` the cases that the claims spoke of, `depth` is the length of the longest walk.
    func finding() -> Subject.Finding {
        var cases = 0, longest = 0
        var reached = claims.map { _ in 0 }
        var complaints = [String?](repeating: nil, count: claims.count)
        for seed in 1...max(count, 1) {
            var random = SeededGenerator(seed: seed)
            let way = walk(&random)
            cases += way.count
            longest = max(longest, way.count)
            for (place, one) in way.enumerated() {
                for (index, claim) in claims.enumerated() where claim.applies(one) {
                    reached[index] += 1
                    if complaints[index] == nil, !claim.holds(one) {
                        complaints[index] = "\(claim.name): fails in step \(place + 1) of seed \(seed)\n\(one)"
                    }
                }
            }
        }
        let promises = zip(claims, complaints).map { (promise: $0.name, complaint: $1) }
        let antecedents = zip(claims, reached).map { claim, times in
            let name = Self.antecedent(claim.name)
            return (
                promise: name, complaint: times == 0 ? "\(name): never happens, so what is claimed is empty" : nil
            )
        }
        return Subject.Finding(
            states: cases, edges: reached.reduce(0, +), depth: longest, verdicts: promises + antecedents)
    }

    private static func antecedent(_ name: String) -> String { "it happens: \(name)" }
}

extension Subject {
    /// The walks of a plan.
    init<Case: Sendable>(_ name: String, _ walks: PlanWalks<Case>) {
        self.init(
            name: name, size: .everyday, promises: walks.claims.map(\.name), check: { walks.finding() }, lines: { [] })
    }
}

extension SeededGenerator {
    /// A number of the range.
    mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &self) }

    /// One of them; the array is not empty.
    mutating func one<Value>(of values: [Value]) -> Value { values[Int(number(0...Int64(values.count - 1)))] }

    /// True once in so many times.
    mutating func once(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

    /// A number of the range, or nothing as often as a number.
    mutating func perhaps(_ range: ClosedRange<Int64>) -> Int64? { once(in: 2) ? nil : number(range) }
}
