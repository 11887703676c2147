/// How long an object is tried again: waits that grow, and bounds beyond which its session is given up. A value that reads no clock.
struct Persistence: Sendable {
    /// What follows a failure.
    enum Verdict: Hashable, Sendable {
        /// The same again after so many milliseconds.
        case again(afterMs: Int64)
        /// The session is given up.
        case giveUp
    }

    /// The waits, in milliseconds; the last one for all that follow. At most a fifth is added.
    static let stepsMs: [Int64] = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]
    /// How many times an object may be refused.
    static let refusalsMax = 5
    /// For how long nothing may be taken, in milliseconds.
    static let silenceMsMax: Int64 = 600_000

    /// Failures since the last object that was taken.
    private(set) var failures = 0
    /// When the first of them was, in milliseconds of any clock.
    private(set) var sinceMs: Int64?
    /// How many times the object was refused.
    private var refusals = 0
    private let seed: UInt64
    /// The waits that it takes, in milliseconds; one at least.
    let stepsMs: [Int64]

    init(seed: UInt64, stepsMs: [Int64] = Self.stepsMs) { (self.seed, self.stepsMs) = (seed, stepsMs) }

    mutating func failed(_ failure: IngestFailure, atMs nowMs: Int64) -> Verdict {
        let since = sinceMs ?? nowMs
        sinceMs = since
        failures = min(failures + 1, 1_000)
        if failure.kind != .later { refusals += 1 }
        guard refusals < Self.refusalsMax, nowMs - since < Self.silenceMsMax else {
            // Another session is another object, and begins its own time; the waits stay as long as they are.
            (refusals, sinceMs) = (0, nowMs)
            return .giveUp
        }
        let step = stepsMs[min(failures, stepsMs.count) - 1]
        let jitter = step / 5 * Int64(((seed &+ UInt64(failures)) &* 0x9E37_79B9_7F4A_7C15) >> 54) / 1_024
        return .again(afterMs: max(step + jitter, failure.retryAfterMs ?? 0))
    }

    mutating func taken() { (failures, sinceMs, refusals) = (0, nil, 0) }
}
