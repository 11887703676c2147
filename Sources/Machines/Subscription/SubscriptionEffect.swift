extension Subscription {
    /// An order to the shell, carried out in the order of the array.
    public enum Effect: Hashable, Sendable, Codable {
        /// Ask the provider. Ordered only while no other load is outstanding. Answered by `loaded` or `loadFailed`.
        case load(LoadNumber)
        /// Give up this load; its answer would be late. Ordered before whatever follows from its failure.
        case abandon(LoadNumber)
        /// Uploads of this camera are allowed from now on, or no longer: each job is told before the next effect.
        case uploads(Bool)
        /// Forget everything that is stored remotely, durably, then delete it there: `purge` to each job, which tries until it
        /// is done. The rule by which it goes is journaled (S12).
        case purgeRemote(Rule)
        /// Tell the user; ordered after what made it true.
        case report(Report)
        /// The event did not fit and changed nothing; count and journal it.
        case ignored(Ignored)
        /// Nothing is owed any more; the machine ignores everything from now on.
        case stopped
    }

    /// What the user is told.
    public enum Report: String, Hashable, Sendable, Codable, CaseIterable {
        /// No plan.
        case noService
        /// A plan, and nothing stored yet.
        case noData
        /// A plan, and something stored.
        case validData
        /// The plan is over and nothing is stored.
        case expiredNoData
        /// The plan is over; what is stored stays for the retention.
        case expiredData
        /// The last load failed; the plan that was last known goes on to its end.
        case loadFailed
    }

    /// By which rule remote video is deleted.
    public enum Rule: String, Hashable, Sendable, Codable, CaseIterable {
        /// It has outlived its plan by the plan's retention.
        case planRetention
    }

    /// Why an event was ignored.
    public enum Ignored: String, Hashable, Sendable, Codable, CaseIterable {
        /// It answers a load that is over.
        case late
        /// It says what the state already holds, or asks for what is under way.
        case duplicate
        /// No load with this number was ever given.
        case unknown
        /// The machine has stopped.
        case stopped
    }
}
