import Machines

/// By how much what is pushed of one track comes after its own time, at least: what came soonest came with the least delay. Each
/// track has its own, for their clocks need not agree.
struct PushDelay: Sendable {
    private var last: (us: Int64, at: Instant)?

    /// Something came `us` microseconds after its own time. Gives the least, which grows by a five-thousandth of the time that passes,
    /// and by no more than a second from one to the next: no clock is slower, and what was kept over an outage is told by it.
    mutating func note(_ us: Int64, at now: Instant) -> Int64 {
        let least =
            last.map { last in min(us, last.us &+ min(PushLimits.delayGrowthUsMax, max(0, now - last.at) / 5)) } ?? us
        last = (least, now)
        return least
    }
}
