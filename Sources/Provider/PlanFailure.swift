public import Machines

/// Why a provider's plans could not be had. Holds no secret.
public struct PlanFailure: Error, Hashable, Sendable {
    /// The class of it, for the machine.
    public let reason: Subscription.LoadFailure
    /// What happened, in a few words without a capital and a stop: `the service answers 500`.
    public let words: String

    /// A failure.
    public init(_ reason: Subscription.LoadFailure, _ words: String) {
        self.reason = reason
        self.words = words
    }
}
