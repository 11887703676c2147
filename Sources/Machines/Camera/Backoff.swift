/// How long to wait before trying again: longer each time, plus a jitter that depends only on the camera and the attempt,
/// so that cameras do not dial in step and a journal still replays bit for bit.
extension Timing {
    /// One failure more. Beyond the cap the count alternates between it and one less: bounded, and the jitter still changes from
    /// one try to the next.
    func counting(_ failures: UInt8) -> UInt8 {
        failures < failureCap ? failures + 1 : max(failureCap, 1) - 1
    }

    /// The wait in milliseconds after `failures` failures in a row (1 or more), by these steps.
    func waitMs(_ steps: [Int64], failures: UInt8) -> Int64 {
        guard let last = steps.last else { return 1_000 }
        let base = failures < 1 ? steps[0] : Int(failures) <= steps.count ? steps[Int(failures) - 1] : last
        return base + base / 100 * jitterPercent * Int64(Backoff.mix(seed &+ UInt64(failures)) % 1_000) / 1_000
    }
}

/// What the back-offs of all machines share.
enum Backoff {
    /// SplitMix64's finaliser (Steele, Lea, Flood 2014): spreads neighbouring inputs evenly.
    static func mix(_ value: UInt64) -> UInt64 {
        var z = value &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
