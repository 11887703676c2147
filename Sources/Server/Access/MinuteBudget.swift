/// How often each of several may do something within a minute.
package struct MinuteBudget: Sendable {
    /// How often at most.
    private let most: Int
    private var minute: Int64 = .min
    private var counts: [String: Int] = [:]

    /// At most so often.
    package init(most: Int) { self.most = most }

    /// Whether `who` may once more at `ms`, milliseconds of a clock that does not go back. Whoever asks bounds how many there are.
    package mutating func take(_ who: String, atMs ms: Int64) -> Bool {
        if ms / 60_000 != minute { (minute, counts) = (ms / 60_000, [:]) }
        counts[who, default: 0] += 1
        return counts[who, default: 0] <= most
    }
}
