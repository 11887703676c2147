public import Trace

/// Holds what a journal tells of cameras against the steps of their machines, as both come.
public struct HeldReports: Sendable {
    private struct Key: Hashable, Sendable {
        let camera: String
        let run: String
    }

    /// A ledger, and how many losses of its run it knows.
    private struct Entry: Sendable {
        var ledger: ReportLedger
        var losses = 0

        /// The ledger, told of all losses up to now: none of them walks through all ledgers.
        mutating func current(_ losses: Int) {
            if self.losses < losses { ledger.lose() }
            self.losses = losses
        }
    }

    private let version: String
    private var ledgers: [Key: Entry] = [:]
    /// How often records were lost, by run.
    private var losses: [String: Int] = [:]

    /// Nothing read. `version`: the one that replays.
    public init(version: String) { self.version = version }

    /// Takes a step of a camera as it was replayed.
    public mutating func take(_ record: TraceRecord, _ verdict: Verdict, _ replay: CameraReplay) {
        change(
            Key(camera: record.camera, run: record.run),
            orNew: Entry(ledger: ReportLedger(isSameVersion: record.version == version))
        ) { $0.take(record, verdict, replay) }
    }

    /// Takes a record of the journal. One of a run without steps is of no use.
    public mutating func take(_ told: ToldRecord) {
        change(Key(camera: told.camera, run: told.run)) { $0.take(told) }
    }

    /// Records of a run were lost here.
    public mutating func lose(run: String) { losses[run, default: 0] += 1 }

    private mutating func change(_ key: Key, orNew new: Entry? = nil, _ body: (inout ReportLedger) -> Void) {
        // Taken out meanwhile, so that it is changed where it lies.
        guard var entry = ledgers.removeValue(forKey: key) ?? new else { return }
        entry.current(losses[key.run] ?? 0)
        body(&entry.ledger)
        ledgers[key] = entry
    }

    /// Everything is read. `isCut`: what was read may break off before what was told.
    public mutating func finish(_ site: SiteReplay, isCut: Bool) {
        let over = Set(
            site.replays.filter { $0.machine?.isOver ?? false }.map { Key(camera: $0.camera, run: $0.run) })
        for key in Array(ledgers.keys) { change(key) { $0.finish(isCut: isCut, isOver: over.contains(key)) } }
    }

    /// What was held of a camera in a run; nil where the journal tells nothing of it.
    public func ledger(of camera: String, run: String) -> ReportLedger? {
        ledgers[Key(camera: camera, run: run)].flatMap { $0.ledger.isHeld ? $0.ledger : nil }
    }

    /// Records that are not what a step calls for, or are not there.
    public var differing: Int { ledgers.values.reduce(0) { $0 + ($1.ledger.isHeld ? $1.ledger.differing : 0) } }
}
