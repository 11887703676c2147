extension Subscription {
    /// A fact that the shell tells the machine. Answers carry the number of the load they answer; an old number is late.
    public enum Event: Hashable, Sendable, Codable {
        /// Nothing happened but time: deadlines that are due are applied (as before every other event).
        case tick
        /// The provider answered.
        case loaded(LoadNumber, Answer)
        /// The provider did not answer, or with something that cannot be understood.
        case loadFailed(LoadNumber, LoadFailure)
        /// Whether some clip of this camera is stored remotely, by the catalog.
        case stored(Bool)
        /// The user asks for news.
        case refresh
        /// Shut down: abandon the load, stop.
        case drain
    }

    /// What the provider says of the plan. Its dates, converted to instants by the shell.
    public enum Answer: Hashable, Sendable, Codable {
        /// There is none.
        case none
        /// It ends at `until` (at or before now: it has ended then); stored video outlives it by `retentionMs`.
        case active(until: Instant, retentionMs: Int64)
        /// It ended at `at` (later than now: read as now).
        case expired(at: Instant, retentionMs: Int64)
    }

    /// Why a load failed; for the journal, the machine treats all alike.
    public enum LoadFailure: String, Hashable, Sendable, Codable, CaseIterable {
        /// No connection to the provider, or none in time.
        case unreachable
        /// The provider refused the login.
        case unauthorized
        /// The provider refused to answer.
        case refused
        /// The answer cannot be understood.
        case invalid
    }
}
