import Glibc
import Machines

/// What each turn of a loop that reads from outside passes through: it ends the loop when the input was stopped, and when
/// the thread takes more of the processor than one camera may (H1, H2). Used by the thread of its input.
final class LoopBounds {
    private let stop: StopSignal
    private var budget: ProcessorBudget

    init(stop: StopSignal, limits: InputLimits) {
        self.stop = stop
        budget = ProcessorBudget(percent: limits.processorPercentMax, burstMs: limits.processorBurstMs)
    }

    /// One turn. Throws `stopped`, or the failure `budget`.
    func turn() throws(InputFault) {
        if stop.isRaised { throw .stopped }
        guard budget.isExceeded(wallUs: LoopBounds.us(CLOCK_BOOTTIME), usedUs: LoopBounds.us(CLOCK_THREAD_CPUTIME_ID))
        else { return }
        throw .failed(
            .budget,
            "reading it takes more than \(budget.percent) % of a processor, and \(budget.burstMs) ms of one beyond that"
        )
    }

    private static func us(_ clock: clockid_t) -> Int64 {
        var now = timespec()
        clock_gettime(clock, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
    }
}
