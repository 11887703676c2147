internal import Machines

/// What the transports of a camera want of it.
struct TransportDemand: Hashable, Sendable {
    /// What those that record want of the time before they began, in milliseconds; nil: none records.
    var preRollMs: Int64?
    /// What the ring is to hold for those that may be triggered, in milliseconds.
    var ringMs: Int64 = 0

    /// The policy in force with what is wanted: media is kept as in continuous mode while a transport records. Where the mode is off
    /// none does.
    func applied(to policy: Policy) -> Policy {
        guard let preRollMs, policy.mode == .event else { return policy }
        var policy = policy
        policy.mode = .continuous
        policy.transportPreRollMs = preRollMs
        return policy
    }
}
