/// When it is told that a receiver takes nothing, and that it does again: one that goes away and comes back without end is told of twice
/// a minute. A value that reads no clock.
struct OutageWords: Sendable {
    /// For how long after an end that was told another outage is told only if it lasts, in milliseconds.
    static let calmMs: Int64 = 60_000
    /// How long that is, in milliseconds.
    static let lastingMs: Int64 = 10_000

    /// Whether an outage is told of whose end is not.
    private(set) var isTold = false
    private var endedMs: Int64?

    /// A try has failed, the first of this outage at `sinceMs`; whether that is to be told now.
    mutating func failed(sinceMs: Int64, atMs nowMs: Int64) -> Bool {
        let isCalm = endedMs.map { nowMs - $0 >= Self.calmMs } ?? true
        guard !isTold, isCalm || nowMs - sinceMs >= Self.lastingMs else { return false }
        isTold = true
        return true
    }

    /// An object was taken; whether the end of an outage is to be told.
    mutating func taken(atMs nowMs: Int64) -> Bool {
        guard isTold else { return false }
        (isTold, endedMs) = (false, nowMs)
        return true
    }
}
