/// How long to wait before trying again: 1, 2, 4, 8, 16, 30 s, plus at most 20 % that depend only on the camera and the
/// attempt, so that cameras do not dial in step and a journal still replays bit for bit.
enum Backoff {
    static let stepsMs: [Int64] = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]

    /// One failure more. Beyond the last step the count goes 6, 7, 6, 7 …: bounded, and still alternating, because the
    /// link chooses its endpoint by whether the count is even.
    static func counting(_ failures: UInt8) -> UInt8 { failures < 7 ? failures + 1 : 6 }

    /// The wait in milliseconds after `failures` failures in a row (1 or more).
    static func waitMs(failures: UInt8, seed: UInt64) -> Int64 {
        let level = min(max(Int(failures), 1), stepsMs.count) - 1
        let base = stepsMs[level]
        return base + base / 5 * Int64(mix(seed &+ UInt64(failures)) % 1_000) / 1_000
    }

    /// SplitMix64's finaliser (Steele, Lea, Flood 2014): spreads neighbouring inputs evenly.
    static func mix(_ value: UInt64) -> UInt64 {
        var z = value &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
