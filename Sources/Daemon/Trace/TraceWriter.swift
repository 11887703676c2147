internal import Foundation
internal import Journal
internal import Machines
internal import Synchronization
internal import Trace

/// Keeps the trace: takes the steps of all machines at any time, and writes them on a queue of its own.
///
/// Steps wait in a bounded queue; what finds no room is counted, and a record stands in its place. So a disk that is slow or
/// gone costs steps of the trace and holds up nobody.
///
/// `@unchecked Sendable`: `log` and what is below `MARK: On the queue` is confined to `queue`, the rest has a lock.
final class TraceWriter: @unchecked Sendable {
    /// Most records that wait.
    static let recordsMax = 16_384
    /// Most bytes of records that wait.
    static let bytesMax = 16 << 20
    /// How long after a failure it is tried again, in milliseconds.
    static let retryMs: Int64 = 5_000
    /// How often old files are looked for, in milliseconds; also with each new file.
    static let retainMs: Int64 = 3_600_000
    /// How long a stop waits for what is queued, in milliseconds.
    static let stopMs = 2_000

    private struct State {
        /// What is not on the disk yet, in order; the first of it may be about to be.
        var waiting: [TraceItem] = []
        var bytes = 0
        /// Steps that found no room since the last record that says so.
        var lost = 0
        /// Steps that were lost since the start.
        var lostEver = 0
        /// For each machine, how many had been lost when its last whole state was taken.
        var stateTaken: [String: Int] = [:]
        /// Writing is on its way, or will be tried again.
        var isScheduled = false
        var isStopped = false
    }

    private let host: any Host
    private let ages: AgeClock
    private let journal: Journal
    private let queue: any WorkQueue
    private let syncMs: Int64
    private let state = Mutex(State())
    private let log: TraceLog
    private var retrying: (any WakeTimer)?
    private var syncing: (any WakeTimer)?
    private var retaining: (any WakeTimer)?
    private var isSyncDue = false
    private var lastFile: String?
    /// Since when it fails, or steps are being lost.
    private var failingSince: Instant?
    /// Steps lost that were not told to the journal yet.
    private var untold = 0

    init(
        root: String, run: TraceRun, bounds: TraceLog.Bounds, syncMs: Int64, ages: AgeClock, host: any Host,
        journal: Journal, disk: any TraceDisk = SystemTraceDisk()
    ) {
        self.host = host
        self.ages = ages
        self.journal = journal
        self.syncMs = syncMs
        log = TraceLog(root: root, run: run, bounds: bounds, disk: disk)
        queue = host.queue("vigil.trace")
    }

    /// Opens the trace and deletes what is too old, on its queue: a start does not wait for it.
    func start() {
        retrying = queue.timer { [weak self] in self?.write() }
        syncing = queue.timer { [weak self] in self?.sync() }
        retaining = queue.timer { [weak self] in self?.retain() }
        state.withLock { $0.isScheduled = true }
        queue.run {
            self.write()
            self.retain()
        }
    }

    /// How much is kept from now on.
    func change(_ bounds: TraceLog.Bounds) {
        queue.run {
            guard self.log.bounds != bounds else { return }
            self.log.bounds = bounds
            self.retain()
        }
    }

    /// Takes a step, with its whole state. Never blocks.
    func keep(_ step: TraceStep) {
        let wallMs = step.wallMs
        let isDue = state.withLock { state in
            var step = step
            let machine = step.kind.rawValue + " " + step.name
            let owesState = step.isWhole || state.stateTaken[machine] != state.lostEver
            if !owesState { step.state = nil }
            // Two places: this step, and the record of a loss before it.
            guard !state.isStopped, state.waiting.count + 2 <= Self.recordsMax,
                state.bytes + step.bytes <= Self.bytesMax
            else {
                state.lost += 1
                state.lostEver += 1
                return false
            }
            if owesState { state.stateTaken[machine] = state.lostEver }
            if state.lost > 0 { state.waiting.append(.lost(state.lost, wallMs: wallMs)) }
            state.lost = 0
            state.waiting.append(.step(step))
            state.bytes += step.bytes
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isDue { queue.run { self.write() } }
    }

    /// No step of this machine comes any more.
    func forget(_ kind: MachineKind, _ name: String) {
        state.withLock { $0.stateTaken[kind.rawValue + " " + name] = nil }
    }

    /// Writes what was taken, so that a question is answered by all that is known; waits at most ``stopMs``. Blocking.
    func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.run {
            self.write()
            done.signal()
        }
        _ = done.wait(timeout: .now() + .milliseconds(Self.stopMs))
    }

    /// Writes what was taken, says that Vigil stopped, and takes nothing any more; waits at most ``stopMs``. Blocking.
    func stop() {
        state.withLock { $0.isStopped = true }
        let done = DispatchSemaphore(value: 0)
        queue.run {
            self.end()
            done.signal()
        }
        _ = done.wait(timeout: .now() + .milliseconds(Self.stopMs))
    }

    // MARK: On the queue

    private func write() {
        do {
            tell(try log.open())
            while let items = next() {
                let (done, refused) = try log.append(items, wallMs: host.clock.wallMs())
                remove(done, refused: refused)
                dueSync()
            }
        } catch { return failed(error) }
        if let file = log.newestFile, file != lastFile {
            lastFile = file
            retain()
        }
        recovered()
    }

    /// What is to be written next; nil, and nothing is scheduled any more, where nothing is.
    private func next() -> ArraySlice<TraceItem>? {
        state.withLock { state in
            if state.waiting.isEmpty, state.lost > 0 {
                state.waiting.append(.lost(state.lost, wallMs: host.clock.wallMs()))
                state.lost = 0
            }
            if state.waiting.isEmpty { state.isScheduled = false }
            return state.waiting.isEmpty ? nil : state.waiting[...]
        }
    }

    private func remove(_ done: Int, refused: Int) {
        let lost = state.withLock { state in
            var lost = 0
            for item in state.waiting.prefix(done) {
                switch item {
                case .step(let step): state.bytes -= step.bytes
                case .lost(let count, _): lost += count
                }
            }
            state.waiting.removeFirst(done)
            state.lost += refused
            state.lostEver += refused
            return lost
        }
        untold += lost
    }

    private func failed(_ error: any Error) {
        let waiting = state.withLock { state in
            // What waits is whole, but what the disk had taken before may not be.
            if failingSince == nil { state.lostEver += 1 }
            state.isScheduled = true
            return state.waiting.count
        }
        if failingSince == nil {
            failingSince = host.clock.now()
            journal.send(.traceFailed, fields: [(.why, "\(error)"), (.count, "\(waiting)")])
        }
        retrying?.set(afterMs: Self.retryMs)
    }

    /// Everything is written: what was lost is told.
    private func recovered() {
        guard failingSince != nil || untold > 0 else { return }
        let since = failingSince.map { host.clock.now() - $0 }
        journal.send(
            .traceResumed,
            fields: [(.count, "\(untold)")] + (since.map { [(.durationMs, "\($0)")] } ?? []))
        failingSince = nil
        untold = 0
    }

    private func dueSync() {
        guard !isSyncDue else { return }
        isSyncDue = true
        syncing?.set(afterMs: syncMs)
    }

    private func sync() {
        isSyncDue = false
        do { try log.sync() } catch { failed(error) }
    }

    private func retain() {
        do { tell(try log.retain(wallMs: ages.wallMs())) } catch {
            journal.send(.writeFailed, fields: [(.detail, "trace: deleting old files: \(error)")], priority: .debug)
        }
        retaining?.set(afterMs: Self.retainMs)
    }

    private func end() {
        write()
        for timer in [retrying, syncing, retaining] { timer?.set(afterMs: nil) }
        (retrying, syncing, retaining) = (nil, nil, nil)
        do { try log.close(wallMs: host.clock.wallMs()) } catch { failed(error) }
        let left = state.withLock { $0.waiting.count }
        guard left > 0 else { return }
        journal.send(.traceFailed, fields: [(.why, "Vigil stops before the disk is back"), (.count, "\(left)")])
    }

    private func tell(_ notices: [TraceLog.Notice]) {
        for notice in notices {
            switch notice {
            case .cut(let file, let bytes, let record):
                journal.send(
                    .traceCut, fields: [(.path, file), (.bytes, "\(bytes)"), (.seq, "\(record)")])
            case .damaged(let file, let records, let first):
                journal.send(
                    .traceDamaged, fields: [(.path, file), (.count, "\(records)"), (.seq, "\(first)")])
            case .skipped(let file, let why):
                journal.send(.traceFileSkipped, fields: [(.path, file), (.why, why)])
            case .deleted(let file, let bytes, let rule):
                journal.send(
                    .traceDeleted, fields: [(.path, file), (.bytes, "\(bytes)"), (.rule, rule.rawValue)])
            }
        }
    }
}
