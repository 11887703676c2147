/// The configuration in force: the last good one stays until a better one comes.
///
/// A value; whoever owns it decides when to load. Nothing of a refused candidate takes effect.
public struct LiveConfiguration: Sendable {
    /// What became of a candidate.
    public enum Verdict: Hashable, Sendable {
        /// It is in force now.
        case accepted(LoadedConfiguration)
        /// It says the same as the one in force (same revision); its warnings may be others, and are those in force now.
        case unchanged
        /// It was refused; the one before, if any, stays in force.
        case refused(Refusal)
    }

    /// The configuration in force; nil until the first good one.
    public private(set) var current: LoadedConfiguration?
    /// The last candidate's refusal, while the file on disk is not the one in force; nil when they agree.
    public private(set) var refusal: Refusal?
    /// What to watch for the next candidate.
    public private(set) var watched: WatchList

    /// Nothing in force yet.
    public init() {
        watched = WatchList(files: [], folders: [])
    }

    /// Offers what was loaded.
    public mutating func candidate(_ outcome: LoadOutcome) -> Verdict {
        watched = outcome.watched
        switch outcome.result {
        case .failure(let refused):
            refusal = refused
            return .refused(refused)
        case .success(let loaded):
            refusal = nil
            let isKnown = loaded.revision == current?.revision
            current = loaded
            return isKnown ? .unchanged : .accepted(loaded)
        }
    }
}
