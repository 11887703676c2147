extension Session {
    /// The bounds that the session machine works with. Constant for the life of a machine.
    public struct Bounds: Hashable, Sendable, Codable {
        /// How long the answer to an order may take, in milliseconds.
        public var answerMs: Int64
        /// How long an idle, live or paused session lasts unless it is extended, in milliseconds.
        public var durationMs: Int64
        /// Live sessions that one camera may have.
        public var liveMax: Int

        /// The default bounds.
        public init(answerMs: Int64 = 10_000, durationMs: Int64 = 300_000, liveMax: Int = 5) {
            self.answerMs = answerMs
            self.durationMs = durationMs
            self.liveMax = liveMax
        }
    }
}
