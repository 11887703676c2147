/// How much processor time a thread may take: a share of the time that passes, and so much at once.
struct ProcessorBudget {
    /// The share of one processor that may be taken for ever, in percent; 0: no bound.
    let percent: Int64
    /// What may be taken beyond that share, in milliseconds; it is given back as time passes.
    let burstMs: Int64
    /// What is taken beyond the share at present, in hundredths of a microsecond.
    private var excess: Int64 = 0
    private var last: (wallUs: Int64, usedUs: Int64)?

    init(percent: Int64, burstMs: Int64) {
        self.percent = percent
        self.burstMs = burstMs
    }

    /// Whether more has been taken than may be, when both clocks (microseconds, neither goes back) stand so.
    mutating func isExceeded(wallUs: Int64, usedUs: Int64) -> Bool {
        defer { last = (wallUs, usedUs) }
        guard percent > 0, let last else { return false }
        excess = max(0, excess + (usedUs - last.usedUs) * 100 - (wallUs - last.wallUs) * percent)
        return excess > burstMs * 100_000
    }
}
