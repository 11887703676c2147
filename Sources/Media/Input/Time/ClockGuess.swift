/// Finds out that a video clock counts at another rate than it should: some cameras stamp in milliseconds. What is seen
/// within the first moments is compared with arrival, and only a rate that somebody may have meant is believed.
struct ClockGuess: Sendable {
    /// What clocks of sound, of operating systems and of careless programs count in a second.
    private static let rates: [Int64] = [1_000, 8_000, 10_000, 16_000, 44_100, 48_000, 1_000_000]
    /// Steps smaller than this part of a second are no distance of pictures: a few of them say enough.
    private static let tinyParts: Int64 = 250

    private var begin: (stamp: Int64, elapsed: Int64)?
    private var last: (stamp: Int64, elapsed: Int64) = (0, 0)
    private var steps = 0
    private var isTiny = true
    /// What the window before this one looked like.
    private var before: Int64?

    /// Notes a frame; gives the rate that the clock must have once that is known. `stamp` and `elapsed` are in ticks of the
    /// rate that was promised, `timescale`.
    mutating func note(stamp: Int64, elapsed: Int64, timescale: Int64) -> Int64? {
        defer { last = (stamp, elapsed) }
        // A pause in arrival, or a step that is none, says nothing of the rate.
        guard let begin, elapsed - last.elapsed <= timescale, stamp > last.stamp else {
            restart(stamp, elapsed)
            before = nil
            return nil
        }
        steps += 1
        isTiny = isTiny && stamp - last.stamp <= timescale / ClockGuess.tinyParts
        let (claimed, passed) = (stamp - begin.stamp, elapsed - begin.elapsed)
        if isTiny, steps >= 6, passed >= timescale * 3 / 10 {
            return ClockGuess.rate(claimed, passed, timescale, tolerance: 5)
        }
        let isSlow = passed >= timescale && claimed < passed / 3
        let isFast = passed >= timescale * 2 && claimed / 3 > passed
        guard isSlow || isFast || passed >= timescale * 2 else { return nil }
        let rate = isSlow || isFast ? ClockGuess.rate(claimed, passed, timescale, tolerance: 10) : nil
        defer {
            before = rate
            restart(stamp, elapsed)
        }
        return rate == before ? rate : nil
    }

    private mutating func restart(_ stamp: Int64, _ elapsed: Int64) {
        begin = (stamp, elapsed)
        steps = 0
        isTiny = true
    }

    /// The rate that what was claimed and what has passed come near to, within a `tolerance`th.
    private static func rate(_ claimed: Int64, _ passed: Int64, _ timescale: Int64, tolerance: Int64) -> Int64? {
        let seen = Double(claimed) * Double(timescale) / Double(max(1, passed))
        return rates.first { (seen - Double($0)).magnitude * Double(tolerance) <= Double($0) }
    }
}
