internal import Catalog
internal import Journal
internal import Machines
internal import Synchronization

/// Keeps the ledger of coverage: each label that a camera took on, since when the recorder was down, and which cameras are
/// configured.
///
/// Labels are told at any time and written together on a queue of its own, so a catalog that hangs or fails holds up no
/// camera; what could not be written is tried again.
final class CoverageLedger: Sendable {
    /// How long a label may wait for others before it is written, in milliseconds.
    static let batchMs: Int64 = 1_000
    /// How long it waits after a failed write, in milliseconds.
    static let retryMs: Int64 = 10_000
    /// The most labels that wait; of more, the oldest are lost.
    static let waitingMax = 10_000
    /// How long the ledger reaches back, in milliseconds.
    static let keptMs: Int64 = 400 * 86_400_000
    /// How often what is older is forgotten, in milliseconds.
    static let forgetMs: Int64 = 86_400_000

    /// One life of a camera: the labels of one that was removed no longer count.
    struct Line: Sendable {
        fileprivate let ledger: CoverageLedger
        fileprivate let camera: String
        fileprivate let number: UInt64

        /// The camera's label is this one from now on.
        func note(_ label: Coverage, at now: Instant) { ledger.note(label, of: self, at: now) }
    }

    private struct State {
        var waiting: [CoverageChange] = []
        var lost = 0
        var isScheduled = false
        var isStopped = false
        /// The cameras that the ledger takes for configured, with the number of their line; 0 for one of an earlier run.
        var lines: [String: UInt64] = [:]
        var lastLine: UInt64 = 0
        /// Fire when labels are to be written, and when old ones are to be forgotten.
        var writing: (any WakeTimer)?
        var forgetting: (any WakeTimer)?

        /// Drops the oldest labels where too many wait.
        mutating func shed() {
            let excess = waiting.count - CoverageLedger.waitingMax
            guard excess > 0 else { return }
            waiting.removeFirst(excess)
            lost += excess
        }
    }

    private let clips: ClipStorage
    private let journal: Journal
    private let ages: AgeClock
    private let host: any Host
    private let queue: any WorkQueue
    private let state = Mutex(State())

    /// A ledger that writes into the catalog of `clips`, with its clocks.
    init(clips: ClipStorage, ages: AgeClock, host: any Host, journal: Journal) {
        self.clips = clips
        self.ages = ages
        self.host = host
        self.journal = journal
        queue = host.queue("vigil.coverage")
    }

    /// Says since when the recorder was down, and forgets what is too old, from now on once a day. Before the first label.
    /// Blocking.
    func start() {
        state.withLock { state in
            state.writing = queue.timer { [weak self] in self?.write() }
            state.forgetting = queue.timer { [weak self] in self?.forget() }
        }
        queue.runAndWait {
            _ = attempt("down") {
                if let last = try clips.catalog.lastHeartbeat() {
                    try clips.catalog.recordDown(bootID: last.bootID, since: last.at)
                }
                let cameras = try clips.catalog.coveredCameras()
                state.withLock { state in for camera in cameras { state.lines[camera] = 0 } }
            }
            forget()
        }
    }

    /// Writes what waits, and nothing any more. Blocking.
    func stop() {
        flush()
        state.withLock { $0.isStopped = true }
    }

    /// Writes what waits, so that a question is answered by all that is known. Blocking.
    func flush() { queue.runAndWait { write() } }

    /// The line of a camera that begins to be watched; an older line of the same name counts no longer.
    func line(of camera: String) -> Line {
        let number = state.withLock { state in
            state.lastLine += 1
            state.lines[camera] = state.lastLine
            return state.lastLine
        }
        return Line(ledger: self, camera: camera, number: number)
    }

    /// These cameras are configured from now on, and no other.
    func configured(_ cameras: Set<String>, at now: Instant) {
        let from = clips.moment(now)
        add { state in
            let removed = state.lines.keys.filter { !cameras.contains($0) }.sorted()
            for camera in removed { state.lines[camera] = nil }
            return removed.map { CoverageChange(camera: $0, from: from, label: nil) }
        }
    }

    private func note(_ label: Coverage, of line: Line, at now: Instant) {
        let change = CoverageChange(camera: line.camera, from: clips.moment(now), label: label)
        add { $0.lines[line.camera] == line.number ? [change] : [] }
    }

    private func add(_ changes: (inout State) -> [CoverageChange]) {
        let isDue = state.withLock { state in
            let changes = changes(&state)
            guard !changes.isEmpty, !state.isStopped else { return false }
            state.waiting += changes
            state.shed()
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isDue { schedule(afterMs: Self.batchMs) }
    }

    private func schedule(afterMs: Int64) { state.withLock { $0.writing }?.set(afterMs: afterMs) }

    // MARK: On the queue

    private func write() {
        let (changes, lost) = state.withLock { state in
            defer { (state.waiting, state.lost, state.isScheduled) = ([], 0, false) }
            return (state.waiting, state.lost)
        }
        if lost > 0 {
            journal.send(.writeFailed, fields: [(.detail, "coverage: labels were lost"), (.count, "\(lost)")])
        }
        guard !changes.isEmpty else { return }
        let isWritten = attempt("labels") { try clips.catalog.recordCoverage(bootID: clips.bootID, changes) }
        guard !isWritten else { return }
        state.withLock { state in
            state.waiting = changes + state.waiting
            state.shed()
            state.isScheduled = true
        }
        schedule(afterMs: Self.retryMs)
    }

    private func forget() {
        guard !state.withLock({ $0.isStopped }) else { return }
        attempt("forgetting") {
            _ = try clips.catalog.forget(beforeWallMs: ages.wallMs() - Self.keptMs)
        }
        state.withLock { $0.forgetting }?.set(afterMs: Self.forgetMs)
    }

    /// Runs `work`. A catalog that cannot be written is told by the storage monitor.
    @discardableResult
    private func attempt(_ what: String, _ work: () throws -> Void) -> Bool {
        do { try work() } catch {
            journal.send(.writeFailed, fields: [(.detail, "coverage: \(what): \(error)")], priority: .debug)
            return false
        }
        return true
    }
}
