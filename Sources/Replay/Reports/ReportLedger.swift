internal import Journal
internal import Machines
internal import Trace

/// Holds what the journal tells of one camera in one run against the steps of its machine.
///
/// The records of a step stand between the step and the next one of the camera. A step that was not replayed, or that differs,
/// calls for nothing that is known, so nothing is held there; nor is it where records were lost.
public struct ReportLedger: Sendable {
    /// Records of one step that are kept, and their bytes; more are additions, without a look at them. A machine that slept for hours
    /// tells of each deadline in between.
    static let recordsMax = 4_096
    static let bytesMax = 4 << 20
    /// Differences that are kept; of more, only the number.
    static let namedMax = 100

    /// The step whose records come at present.
    struct Step: Sendable {
        let seq: UInt64
        let at: Instant
        let wallMs: Int64?
        /// What it calls for; nil where that is not known.
        var wanted: [StepMessage]?
    }

    /// Records that were read.
    public private(set) var read = 0
    /// Records that are what a step calls for.
    public private(set) var agreed = 0
    /// Records that are not, or are not there.
    public private(set) var differing = 0
    /// The first ``namedMax`` of them.
    public private(set) var differences: [ReportDifference] = []

    private let isSameVersion: Bool
    private var step: Step?
    private var told: [ToldRecord] = []
    private var toldBytes = 0
    private var overflow = 0
    private var names = LearntNames()
    /// The machine after the last step; nil where that is not known.
    private var machine: Camera?
    private var facts = FactLedger()

    /// Nothing read. `isSameVersion`: the run was made by the version that replays it.
    init(isSameVersion: Bool) { self.isSameVersion = isSameVersion }

    /// The journal that was read tells of the camera; where it does not, only steps are held.
    var isHeld: Bool { read > 0 }

    /// What was read breaks off: what the last step calls for may come behind it.
    mutating func finish(isCut: Bool, isOver: Bool) {
        close(isBehindGap: isCut, isCut: isCut)
        let left = facts.finish(isOver: isOver && !isCut)
        if let step { left.forEach { note(.added, step, nil, $0) } }
        step = nil
    }

    /// Records were lost here: nothing is held up to the next step but one.
    mutating func lose() {
        step?.wanted = nil
        machine = nil
        (told, toldBytes, overflow) = ([], 0, 0)
        facts.forget()
    }

    /// Takes a record of the journal.
    mutating func take(_ record: ToldRecord) {
        read += 1
        switch record.kind {
        case .clipOpened, .clipClosed, .clipIncomplete: wait(record)
        default:
            toldBytes += record.bytes
            if told.count < Self.recordsMax, toldBytes <= Self.bytesMax { told.append(record) } else { overflow += 1 }
        }
    }

    /// Takes a step as it was replayed.
    mutating func take(_ record: TraceRecord, _ verdict: Verdict, _ replay: CameraReplay) {
        if verdict == .repeated || verdict == .late { return }
        let isBehindGap = replay.lastMissing?.upperBound.added(1) == record.seq
        close(isBehindGap: isBehindGap)
        // A fact that was not read may have answered what is there.
        if isBehindGap || (self.step == nil && record.seq != 1) { facts.forget() }
        var step = Step(seq: record.seq, at: record.at, wallMs: record.wallMs)
        defer { self.step = step }
        guard verdict.isAnswered, let made = replay.lastStep, made.seq == record.seq, let after = replay.machine else {
            facts.forget()
            return machine = nil
        }
        names.note(made.effects, at: made.at)
        let sources = machine?.trigger.sources.count ?? (record.seq == 1 ? 0 : nil)
        machine = after
        let messages = CameraMessages(names)
        var wanted = made.effects.flatMap { messages.messages(of: $0, made.event, after, at: made.at, by: record.user) }
        if let user = record.user {
            guard let sources else { return }
            let asked = messages.asked(made.event, made.effects, after, sources: sources, by: user)
            wanted += asked.map { [$0] } ?? []
        }
        step.wanted = wanted
        hold(facts.note(made.event, made.effects), step)
    }

    /// What the step's fact says of a clip or a dial must have been told before it.
    private mutating func hold(_ fact: FactLedger.Fact?, _ step: Step) {
        guard let fact else { return }
        let same = isSameVersion
        let (found, before) = facts.find(fact) {
            fact.message($0).parts(of: $0, isSameVersion: same).isEmpty && fact.parts(of: $0).isEmpty
        }
        before.forEach { note(.added, step, nil, $0) }
        guard let found else {
            if facts.misses(fact) { note(.missing, step, fact.message(nil), nil) }
            return
        }
        let message = fact.message(found)
        let parts = message.parts(of: found, isSameVersion: same) + fact.parts(of: found)
        guard parts.isEmpty else { return note(.altered, step, message, found, parts) }
        facts.learn(found, fact)
        agreed += 1
    }

    /// The records of the step are complete. `isBehindGap`: some of them may be of steps that are missing. `isCut`: some may
    /// not have been read.
    private mutating func close(isBehindGap: Bool, isCut: Bool = false) {
        defer { (told, toldBytes, overflow) = ([], 0, 0) }
        guard let step, let wanted = step.wanted else {
            // What the machine has told cannot be told from what a fact will answer.
            if told.contains(where: { $0.kind.map(FactLedger.kinds.contains) ?? false }) { facts.forget() }
            return
        }
        let same = isSameVersion
        let alignment = ReportAlignment(wanted, told) { $0.parts(of: $1, isSameVersion: same).isEmpty }
        agreed += alignment.agreeing.count
        for (message, record) in alignment.agreeing { names.note(record.fields, of: message.kind) }
        for pair in alignment.differing {
            switch (pair.wanted, pair.told) {
            case (let message?, let record?):
                note(
                    pair.isMoved ? .outOfOrder : .altered, step, message, record,
                    message.parts(of: record, isSameVersion: same))
            case (let message?, nil): if !isCut { note(.missing, step, message, nil) }
            case (nil, let record?):
                if record.kind.map(FactLedger.kinds.contains) ?? false {
                    wait(record)
                } else if !isBehindGap, !record.mayBeOfOthers {
                    note(.added, step, nil, record)
                }
            case (nil, nil): break
            }
        }
        if !isBehindGap, overflow > 0 { differing += overflow }
    }

    /// A fact will answer the record; where too many wait, none will.
    private mutating func wait(_ record: ToldRecord) {
        if let dropped = facts.take(record), let step { note(.added, step, nil, dropped) }
    }

    private mutating func note(
        _ cause: ReportDifference.Cause, _ step: Step, _ message: StepMessage?, _ record: ToldRecord?,
        _ parts: [StatePart] = []
    ) {
        differing += 1
        guard differences.count < Self.namedMax else { return }
        differences.append(
            ReportDifference(
                seq: step.seq, at: step.at, wallMs: step.wallMs, cause: cause, replayed: message?.words,
                recorded: record.map { $0.fields["MESSAGE"] ?? $0.kind?.name ?? "" }, parts: parts))
    }
}
