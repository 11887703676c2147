extension Upload {
    /// The bounds, in milliseconds where not said otherwise. Constant for the life of a machine.
    public struct Timing: Hashable, Sendable, Codable {
        /// How long one transfer may take.
        public var putMs: Int64
        /// How long recording an acknowledgement, starting the encoder, or a poll may take.
        public var answerMs: Int64
        /// The time between polls of the encoder.
        public var pollMs: Int64
        /// How long one run of the encoder may take.
        public var runMs: Int64
        /// How many failed tries are followed by another one.
        public var retries: UInt8
        /// The wait after the first failed try; doubles with each.
        public var backoffMs: Int64
        /// The longest wait, before its jitter.
        public var backoffMaxMs: Int64
        /// Seeds the jitter of the back-off; the shell hashes the object key.
        public var seed: UInt64

        /// The default bounds: 15 min, 30 s, 30 s, 2 h; 3 retries after 30, 60, 120 s, at most 900 s.
        public init(
            putMs: Int64 = 900_000, answerMs: Int64 = 30_000, pollMs: Int64 = 30_000, runMs: Int64 = 7_200_000,
            retries: UInt8 = 3, backoffMs: Int64 = 30_000, backoffMaxMs: Int64 = 900_000, seed: UInt64 = 0
        ) {
            self.putMs = putMs
            self.answerMs = answerMs
            self.pollMs = pollMs
            self.runMs = runMs
            self.retries = retries
            self.backoffMs = backoffMs
            self.backoffMaxMs = backoffMaxMs
            self.seed = seed
        }

        /// The wait in milliseconds after `tries` failed tries in a row (1 or more), plus at most a fifth.
        func waitMs(tries: UInt8) -> Int64 {
            var base = min(backoffMs, backoffMaxMs)
            for _ in 1..<max(tries, 1) { base = base > backoffMaxMs / 2 ? backoffMaxMs : base * 2 }
            return base + base / 5 * Int64(Backoff.mix(seed &+ UInt64(tries)) % 1_000) / 1_000
        }
    }
}
