extension Upload {
    /// The bounds, in milliseconds where not said otherwise. Constant for the life of a machine.
    public struct Timing: Hashable, Sendable, Codable {
        /// How long a transfer may be without progress.
        public var progressMs: Int64
        /// How many bytes are progress.
        public var stepBytes: Int64
        /// How long recording an acknowledgement, starting the encoder, a poll, or a removal may take.
        public var answerMs: Int64
        /// The time between polls of the encoder.
        public var pollMs: Int64
        /// How long one run of the encoder may take.
        public var runMs: Int64
        /// How many failed tries are followed by another one.
        public var retries: UInt8
        /// The wait after the first failed try, and after the first outage; doubles with each.
        public var backoffMs: Int64
        /// The longest wait, before its jitter.
        public var backoffMaxMs: Int64
        /// Seeds the jitter of the back-off; the shell hashes the object key.
        public var seed: UInt64

        /// The default bounds: 2 min for 256 KiB, 30 s, 30 s, 2 h; 3 retries after 30, 60, 120 s, at most 900 s.
        public init(
            progressMs: Int64 = 120_000, stepBytes: Int64 = 262_144, answerMs: Int64 = 30_000, pollMs: Int64 = 30_000,
            runMs: Int64 = 7_200_000, retries: UInt8 = 3, backoffMs: Int64 = 30_000, backoffMaxMs: Int64 = 900_000,
            seed: UInt64 = 0
        ) {
            self.progressMs = progressMs
            self.stepBytes = max(stepBytes, 1)
            self.answerMs = answerMs
            self.pollMs = pollMs
            self.runMs = runMs
            self.retries = retries
            self.backoffMs = backoffMs
            self.backoffMaxMs = backoffMaxMs
            self.seed = seed
        }

        /// The wait in milliseconds after `count` failed tries or outages in a row (1 or more), plus at most a fifth.
        func waitMs(after count: UInt8) -> Int64 {
            let base = baseMs(after: count)
            return base + base / 5 * Int64(Backoff.mix(seed &+ UInt64(count)) % 1_000) / 1_000
        }

        /// The wait is longer after one more.
        func growsAfter(_ count: UInt8) -> Bool { count < 255 && baseMs(after: count) < backoffMaxMs }

        private func baseMs(after count: UInt8) -> Int64 {
            var base = min(backoffMs, backoffMaxMs)
            for _ in 1..<max(count, 1) { base = base > backoffMaxMs / 2 ? backoffMaxMs : base * 2 }
            return base
        }
    }
}
