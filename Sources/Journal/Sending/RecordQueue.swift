internal import Foundation

/// A bounded queue in front of an outlet, drained by one owned thread.
///
/// While the outlet keeps up nothing is queued: `send` hands the record over itself, without waiting. When it does not,
/// records wait here, in order; when the queue is full they are dropped and counted, and the count takes the place of what
/// was dropped, as a record of its own. `send` never blocks.
final class RecordQueue: Sendable {
    struct State: Sendable {
        var records: [[UInt8]] = []
        /// Records before this index are already handed over; the array is cut back when all are.
        var head = 0
        var bytes = 0
        /// Dropped since the last report.
        var lost = 0
        /// Refused by the receiver for good; reported behind the next record that passes, so that a receiver that refuses
        /// everything is not asked for ever.
        var refused = 0
        var lostEver = 0
        var isStopping = false
        var isEnded = false

        var count: Int { records.count - head }
        var isIdle: Bool { count == 0 && lost == 0 }

        mutating func reportRefused() {
            lost += refused
            refused = 0
        }
    }

    private let outlet: any Outlet
    private let limits: JournalLimits
    private let lossRecord: @Sendable (Int) -> [UInt8]
    private let monitor = Monitor(State())

    /// A queue with its thread. `lossRecord` makes the record that says how many were lost.
    init(outlet: any Outlet, limits: JournalLimits, lossRecord: @escaping @Sendable (Int) -> [UInt8]) {
        self.outlet = outlet
        self.limits = limits
        self.lossRecord = lossRecord
        let drainer = Drainer(outlet: outlet, monitor: monitor, lossRecord: lossRecord)
        let thread = Thread { drainer.run() }
        thread.name = "vigil-journal"
        thread.stackSize = 256 << 10
        thread.start()
    }

    deinit {
        monitor.withLock { $0.isStopping = true }
        monitor.wakeAll()
    }

    /// How many records were dropped since the start.
    var lostEver: Int { monitor.withLock { $0.lostEver } }

    /// Hands the record over, or queues it, or counts it as lost. Never blocks.
    func send(_ record: [UInt8]) {
        let queued = monitor.withLock { state -> Bool in
            if state.isIdle, !state.isStopping, record.count <= limits.recordBytesMax {
                switch outlet.offer(record) {
                case .delivered:
                    state.reportRefused()
                    return !state.isIdle
                case .busy, .gone, .needsThread: break
                case .refused:
                    state.refused += 1
                    state.lostEver += 1
                    return false
                }
            }
            enqueue(record, in: &state)
            return true
        }
        if queued { monitor.wakeAll() }
    }

    /// Waits until everything is handed over, at most `timeoutMs` milliseconds; says whether it is. Blocking.
    func flush(timeoutMs: Int64) -> Bool {
        monitor.wait(timeoutMs: timeoutMs) { $0.isIdle || $0.isEnded }
    }

    /// Flushes, then ends the thread; what is not handed over by then is lost. Blocking.
    func close(timeoutMs: Int64) -> Bool {
        let flushed = flush(timeoutMs: timeoutMs)
        monitor.withLock { $0.isStopping = true }
        monitor.wakeAll()
        _ = monitor.wait(timeoutMs: 2 * OutletWait.busyMs) { $0.isEnded }
        return flushed
    }

    private func enqueue(_ record: [UInt8], in state: inout State) {
        // Two places: this record, and the report of a loss before it.
        let fits =
            !state.isStopping && record.count <= limits.recordBytesMax
            && state.count + 2 <= limits.queuedRecordsMax && state.bytes + record.count <= limits.queuedBytesMax
        guard fits else {
            state.lost += 1
            state.lostEver += 1
            return
        }
        if state.lost > 0 {
            append(lossRecord(state.lost), to: &state)
            state.lost = 0
        }
        append(record, to: &state)
    }

    private func append(_ record: [UInt8], to state: inout State) {
        state.records.append(record)
        state.bytes += record.count
    }
}
