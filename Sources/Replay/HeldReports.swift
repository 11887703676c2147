public import Trace

/// Holds what a journal tells of cameras against the steps of their machines, as both come.
public struct HeldReports: Sendable {
    private struct Key: Hashable, Sendable {
        let camera: String
        let run: String
    }

    private let version: String
    private var ledgers: [Key: ReportLedger] = [:]

    /// Nothing read. `version`: the one that replays.
    public init(version: String) { self.version = version }

    /// Takes a step of a camera as it was replayed.
    public mutating func take(_ record: TraceRecord, _ verdict: Verdict, _ replay: CameraReplay) {
        ledgers[
            Key(camera: record.camera, run: record.run), default: ReportLedger(isSameVersion: record.version == version)
        ]
        .take(record, verdict, replay)
    }

    /// Takes a record of the journal. One of a run without steps is of no use.
    public mutating func take(_ told: ToldRecord) { ledgers[Key(camera: told.camera, run: told.run)]?.take(told) }

    /// Records of a run were lost here.
    public mutating func lose(run: String) {
        for key in ledgers.keys where key.run == run { ledgers[key]?.lose() }
    }

    /// Everything is read. `isCut`: what was read may break off before what was told.
    public mutating func finish(_ site: SiteReplay, isCut: Bool) {
        let over = Set(
            site.replays.filter { $0.machine?.isOver ?? false }.map { Key(camera: $0.camera, run: $0.run) })
        for key in ledgers.keys { ledgers[key]?.finish(isCut: isCut, isOver: over.contains(key)) }
    }

    /// What was held of a camera in a run; nil where the journal tells nothing of it.
    public func ledger(of camera: String, run: String) -> ReportLedger? {
        ledgers[Key(camera: camera, run: run)].flatMap { $0.isHeld ? $0 : nil }
    }

    /// Records that are not what a step calls for, or are not there.
    public var differing: Int { ledgers.values.reduce(0) { $0 + ($1.isHeld ? $1.differing : 0) } }
}
