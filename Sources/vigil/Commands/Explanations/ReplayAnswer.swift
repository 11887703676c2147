internal import Daemon
internal import Replay
internal import Trace
internal import Wire

/// The machines of every kind, run again as the records come.
struct Replays {
    var site = SiteReplay()
    var viewers = ViewersReplay()
    var plans = PlansReplay()
    var uploads = UploadsReplay()
    var transports = TransportsReplay()
    /// What the journal tells beside the steps; nil for a trace, which has steps alone.
    var reports: HeldReports?

    /// Takes what comes next.
    mutating func take(_ entry: TraceEntry) {
        switch entry {
        case .step(let record): take(record)
        case .told(let told): reports?.take(told)
        case .lost(let run): reports?.lose(run: run)
        }
    }

    private mutating func take(_ record: TraceRecord) {
        switch record.kind {
        case .session: viewers.take(record)
        case .subscription: plans.take(record)
        case .upload: uploads.take(record)
        case .transport: transports.take(record)
        default:
            let (verdict, place) = site.take(record)
            reports?.take(record, verdict, site.replays[place])
        }
    }

    /// Everything is clean.
    var isClean: Bool {
        site.isClean && viewers.isClean && plans.isClean && uploads.isClean && transports.isClean
            && (reports?.differing ?? 0) == 0
    }

    /// The steps that are missing.
    var missing: UInt64 {
        (site.replays.map(\.missingCount) + viewers.replays.map(\.missingCount) + plans.replays.map(\.missingCount)
            + uploads.replays.map(\.missingCount) + transports.replays.map(\.missingCount))
            .reduce(0) { $0.added($1) }
    }
}

/// What a replay answers, as JSON and as text.
struct ReplayAnswer: Encodable {
    /// One camera, session of a viewer, cloud subscription, upload or transport, in one run of the daemon.
    struct Run: Encodable {
        let camera, run, boot, version: String
        let from, to: WallTime?
        let firstStep, lastStep: UInt64
        let records, replayed, differing, repeated, late: Int
        let missing: [Steps]
        let notCompared: [Steps]
        let wentOnFrom: [UInt64]
        let misplaced: [UInt64]
        let remarks: [String]
        let differences: [Difference]
        let reports: Reports?
    }

    /// What the journal tells of a camera beside the steps, held against what its machine reported.
    struct Reports: Encodable {
        let held, differing: Int
        let differences: [Report]
    }

    /// One record that is not what a step calls for, or is not there.
    struct Report: Encodable {
        let step: UInt64
        let time: WallTime?
        let cause: ReportDifference.Cause
        let expected, found: String?
        let story: [String]
        let parts: [StatePart]
    }

    /// A record that breaks off where the file ends.
    struct Torn: Encodable {
        let file: String
        let offset, bytes: Int64
    }

    /// Steps in a row.
    struct Steps: Encodable {
        let first, last: UInt64
        let why: String?
    }

    /// One step that differs.
    struct Difference: Encodable {
        let step: UInt64
        let time: WallTime?
        let version: String
        let expected: String
        let agreesFrom: UInt64?
        let story: [String]
        let parts: [StatePart]
    }

    let version: String
    let records, replayed, differing, repeated, late: Int
    let reportsDiffering: Int
    let missing: UInt64
    let torn: Torn?
    let runs: [Run]

    /// The outcome in one sentence.
    var verdict: String {
        let parts = [
            (UInt64(differing), "different"), (missing, "missing"), (UInt64(repeated), "repeated"),
            (UInt64(late), "out of order"),
            (UInt64(clamping: reportsDiffering), reportsDiffering == 1 ? "report different" : "reports different"),
        ]
        return "the trace is not clean: " + parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    init(_ all: Replays, torn: TornEnd?, _ clock: DisplayClock) {
        let narrator = clock.narrator
        runs =
            all.site.replays.map { replay in
                Run(replay, narrator, all.reports?.ledger(of: replay.camera, run: replay.run))
            } + all.viewers.replays.map { Run($0, narrator) }
            + all.plans.replays.map { Run($0, narrator) } + all.uploads.replays.map { Run($0, narrator) }
            + all.transports.replays.map { Run($0, narrator) }
        version = vigilVersion
        records = runs.reduce(0) { $0 + $1.records }
        replayed = runs.reduce(0) { $0 + $1.replayed }
        differing = runs.reduce(0) { $0 + $1.differing }
        repeated = runs.reduce(0) { $0 + $1.repeated }
        late = runs.reduce(0) { $0 + $1.late }
        missing = all.missing
        reportsDiffering = all.reports?.differing ?? 0
        self.torn = torn.map { Torn(file: $0.file, offset: $0.offset, bytes: $0.bytes) }
    }

    /// A line for each run and what there is to say of it, then the sum.
    func text(_ all: Replays, _ clock: DisplayClock) -> String {
        let narrator = clock.narrator
        var lines: [String] = []
        for replay in all.site.replays {
            lines += Self.lines(replay, narrator, version)
            if let reports = all.reports {
                lines += Self.lines(reports.ledger(of: replay.camera, run: replay.run), narrator)
            }
        }
        for replay in all.viewers.replays { lines += Self.lines(replay, narrator, version) }
        for replay in all.plans.replays { lines += Self.lines(replay, narrator, version) }
        for replay in all.uploads.replays { lines += Self.lines(replay, narrator, version) }
        for replay in all.transports.replays { lines += Self.lines(replay, narrator, version) }
        let others = [
            (all.viewers.replays.count, "session"),
            (Set(all.plans.replays.map(\.camera)).count, "cloud subscription"),
            (all.uploads.replays.count, "upload"), (all.transports.replays.count, "transport"),
        ]
        let machines = ([(Set(all.site.replays.map(\.camera)).count, "camera")] + others.filter { $0.0 > 0 })
            .map { count, name in count == 1 ? "1 \(name)" : "\(count) \(name)s" }
        let sum =
            "\(records) records of \(machines.joined(separator: " and ")): \(replayed) steps replayed, "
            + "\(differing) differences, \(missing) missing"
        return (lines + [sum]).joined(separator: "\n")
    }

    private static func lines(_ ledger: ReportLedger?, _ narrator: Narrator) -> [String] {
        var lines = ["  " + narrator.remark(ledger)]
        guard let ledger else { return lines }
        for difference in ledger.differences { lines += narrator.story(difference).map { "  " + $0 } }
        if ledger.differing > ledger.differences.count {
            lines.append("  and \(ledger.differing - ledger.differences.count) reports more")
        }
        return lines
    }

    private static func lines<Machine: ReplayedMachine>(
        _ replay: MachineReplay<Machine>, _ narrator: Narrator, _ version: String
    ) -> [String] {
        var lines = [narrator.headline(replay)] + narrator.remarks(replay).map { "  " + $0 }
        for difference in replay.differences {
            lines += narrator.story(difference, version: version).map { "  " + $0 }
        }
        if replay.differing > replay.differences.count {
            lines.append("  and \(replay.differing - replay.differences.count) differences more")
        }
        return lines
    }
}

extension ReplayAnswer.Run {
    init<Machine: ReplayedMachine>(
        _ replay: MachineReplay<Machine>, _ narrator: Narrator, _ ledger: ReportLedger? = nil
    ) {
        camera = replay.camera
        run = replay.run
        boot = replay.boot
        version = replay.version
        from = replay.first.wallMs.map { WallTime(ms: $0) }
        to = replay.last.wallMs.map { WallTime(ms: $0) }
        firstStep = replay.first.seq
        lastStep = replay.last.seq
        records = replay.records
        replayed = replay.agreed
        differing = replay.differing
        repeated = replay.repeated
        late = replay.late
        missing = replay.missing.map { ReplayAnswer.Steps(first: $0.lowerBound, last: $0.upperBound, why: nil) }
        notCompared = replay.unchecked.map {
            ReplayAnswer.Steps(first: $0.steps.lowerBound, last: $0.steps.upperBound, why: $0.why.rawValue)
        }
        wentOnFrom = replay.adopted
        misplaced = replay.misplaced
        remarks = narrator.remarks(replay)
        differences = replay.differences.map { difference in
            ReplayAnswer.Difference(
                step: difference.record.seq, time: difference.record.wallMs.map { WallTime(ms: $0) },
                version: difference.record.version, expected: difference.record.digest.description,
                agreesFrom: difference.agreesFrom, story: narrator.story(difference, version: vigilVersion),
                parts: difference.parts)
        }
        reports = ledger.map { ledger in
            ReplayAnswer.Reports(
                held: ledger.agreed, differing: ledger.differing,
                differences: ledger.differences.map { difference in
                    ReplayAnswer.Report(
                        step: difference.seq, time: difference.wallMs.map { WallTime(ms: $0) }, cause: difference.cause,
                        expected: difference.replayed, found: difference.recorded, story: narrator.story(difference),
                        parts: difference.parts)
                })
        }
    }
}
