extension RecordQueue {
    /// What the owned thread does. It does not hold the queue, so that the queue can be released while it runs.
    struct Drainer: Sendable {
        let outlet: any Outlet
        let monitor: Monitor<State>
        let lossRecord: @Sendable (Int) -> [UInt8]

        /// How long the thread sleeps at most before it looks again, milliseconds.
        static let idleWaitMs: Int64 = 3_600_000

        func run() {
            while true {
                _ = monitor.wait(timeoutMs: Self.idleWaitMs) { $0.isStopping || !$0.isIdle }
                guard let record = next() else {
                    if monitor.withLock({ $0.isStopping }) { break }
                    continue
                }
                guard handOver(record) else { break }
            }
            monitor.withLock { $0.isEnded = true }
            monitor.wakeAll()
        }

        /// The oldest record, which stays in the queue until it is handed over. A loss with nothing behind it becomes a
        /// record here.
        private func next() -> [UInt8]? {
            monitor.withLock { state in
                if state.count == 0, state.lost > 0 {
                    let record = lossRecord(state.lost)
                    state.lost = 0
                    state.records.append(record)
                    state.bytes += record.count
                }
                return state.count > 0 ? state.records[state.head] : nil
            }
        }

        /// Tries until the record is handed over or refused; false when the thread must end.
        private func handOver(_ record: [UInt8]) -> Bool {
            while true {
                switch outlet.deliver(record) {
                case .delivered:
                    remove(record, wasLost: false)
                    return true
                case .refused:
                    remove(record, wasLost: true)
                    return true
                case .busy:
                    if monitor.withLock({ $0.isStopping }) { return false }
                case .gone, .needsThread:
                    if monitor.wait(timeoutMs: OutletWait.goneMs, until: { $0.isStopping }) { return false }
                }
            }
        }

        private func remove(_ record: [UInt8], wasLost: Bool) {
            monitor.withLock { state in
                state.head += 1
                state.bytes -= record.count
                if wasLost {
                    state.refused += 1
                    state.lostEver += 1
                } else {
                    state.reportRefused()
                }
                if state.head == state.records.count || state.head >= 1_024 {
                    state.records.removeFirst(state.head)
                    state.head = 0
                }
            }
            monitor.wakeAll()
        }
    }
}
