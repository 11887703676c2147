internal import Foundation
public import Machines
public import Trace

/// Runs one machine again through one run of the daemon.
///
/// Takes the records of that machine and run in their order. As long as the machine answers as it did then, it is the daemon's
/// machine: the digest covers the whole state. Where a record is missing or differs it may not be, until a digest agrees
/// again, or a record brings the whole state, which is then taken as it stands.
public struct MachineReplay<Machine: ReplayedMachine>: Sendable {
    /// Steps kept for the story of a difference.
    static var storyLength: Int { 8 }
    /// Differences, repeated and late steps that are kept; of more, only the number.
    static var namedMax: Int { 100 }
    /// The most that the instants of two steps in a row may lie apart where a deadline comes between them, milliseconds: 30 days. A
    /// machine applies every deadline in between, so a wrong instant must not make it live through aeons. A transport that waits for
    /// a command may wait for longer.
    static var jumpMaxMs: Int64 { 30 * 86_400_000 }

    /// The camera; of a session the camera, a slash, and its id.
    public let camera: String
    /// The run of the daemon.
    public let run: String
    /// The boot, as in the first record.
    public let boot: String
    /// The version of Vigil that made the run, as in the first record.
    public let version: String
    /// The first record that was read.
    public let first: Mark
    /// The last record that was read.
    public private(set) var last: Mark
    /// Records that were read, whatever came of them.
    public private(set) var records = 0
    /// Steps that were run again and agree.
    public private(set) var agreed = 0
    /// How many of these have no effects in their record: they are held by the digest of the whole step alone.
    private(set) var withoutEffects = 0
    /// Numbers of steps whose whole state was taken as it stands.
    public private(set) var adopted: [UInt64] = []
    /// Stretches that were not compared.
    public private(set) var unchecked: [Unchecked] = []
    /// How many steps differ.
    public private(set) var differing = 0
    /// The first ``namedMax`` of them.
    public private(set) var differences: [MachineDifference<Machine>] = []
    /// How many steps came again.
    public private(set) var repeated = 0
    /// How many steps came after a later one.
    public private(set) var late = 0
    /// The numbers of the first ``namedMax`` steps that came again or late.
    public private(set) var misplaced: [UInt64] = []
    /// A later run of the same camera was read.
    var isSucceeded = false
    /// The last step that was run again; nil where nothing is known of the machine.
    public private(set) var lastStep: MachineStep<Machine>?

    private var knowledge: MachineKnowledge<Machine> = .none(.noBeginning)
    /// The form of the run's digests; nil until a step agrees whose digest tells the forms apart, as the first step's does.
    private var form: DigestForm?
    private var gaps = TraceGaps()
    private var recent: [MachineStep<Machine>] = []
    /// The difference after which no step has agreed yet.
    private var unsettled: Int?

    /// A record as a place in its run.
    public struct Mark: Sendable, Hashable {
        /// The number of the step.
        public let seq: UInt64
        /// The instant of the step.
        public let at: Instant
        /// When the journal took it, milliseconds since 1970; nil where the trace does not say.
        public let wallMs: Int64?

        init(_ record: TraceRecord) { (seq, at, wallMs) = (record.seq, record.at, record.wallMs) }
    }

    /// A replay that begins with this record; it is not taken yet.
    public init(from record: TraceRecord) {
        camera = record.camera
        run = record.run
        boot = record.boot
        version = record.version
        first = Mark(record)
        last = first
    }

    /// The machine as it is known to be; nil where it is not.
    public var machine: Machine? { if case .certain(let machine) = knowledge { machine } else { nil } }

    /// The steps that are missing between two that were read.
    public var missing: [ClosedRange<UInt64>] { gaps.all.map(\.missing) }

    /// The last of them.
    var lastMissing: ClosedRange<UInt64>? { gaps.all.last?.missing }

    /// How many they are; saturates.
    public var missingCount: UInt64 { missing.reduce(0) { $0.added($1.length) } }

    /// How many steps could not be compared, those aside whose whole state was taken.
    var uncheckedCount: UInt64 { unchecked.reduce(0) { $0.added($1.steps.length) } }

    /// Every record was there once, in order, and every step that could be compared agrees.
    public var isClean: Bool { differing == 0 && missing.isEmpty && repeated == 0 && late == 0 }

    /// Whether a record whose number is 1 begins another machine of this name: this one is over, or its state is not known, since
    /// records are gone, and the record is no earlier than what was read of it.
    func isOver(before record: TraceRecord) -> Bool { machine?.isOver ?? (record.at >= last.at) }

    /// Takes the next record of this camera and run.
    @discardableResult
    public mutating func take(_ record: TraceRecord) -> MachineVerdict<Machine> {
        records += 1
        switch gaps.note(record) {
        case .first, .next: break
        case .behindGap: knowledge = knowledge.doubted(.missing)
        case .late:
            late += 1
            return leaveOut(record, .late)
        case .repeated:
            repeated += 1
            return leaveOut(record, .repeated)
        }
        let beforeAt = last.at
        last = Mark(record)
        if record.at - beforeAt > Self.jumpMaxMs, !rests(until: record.at) {
            return differ(record, .instant(afterMs: record.at - beforeAt), from: knowledge.machine)
        }
        guard let event = Self.decode(Machine.Event.self, record.input) else {
            return differ(record, .unknownInput(record.input), from: knowledge.machine)
        }
        switch knowledge {
        case .certain(let machine): return step(machine, event, record, isCertain: true)
        case .doubtful(let machine, _): return step(machine, event, record, isCertain: false)
        case .none:
            guard record.seq == 1, let state = Self.wholeState(record) else { return begin(record, event) }
            return step(state.beginning(at: record.at), event, record, isCertain: true)
        }
    }

    /// Whether nothing comes due in the machine, as far as it is known, before an instant.
    private func rests(until instant: Instant) -> Bool {
        knowledge.machine.map { $0.nextDeadline.map { $0 >= instant } ?? true } ?? false
    }

    // MARK: One step

    private mutating func step(
        _ before: Machine, _ event: Machine.Event, _ record: TraceRecord, isCertain: Bool
    ) -> MachineVerdict<Machine> {
        var machine = before
        let effects = machine.step(event, at: record.at)
        let step = MachineStep<Machine>(record, event, effects)
        let answer = try? StepEffects(effects)
        let digest = digest(of: effects, answer, machine, record)
        if digest == record.digest {
            let differing = written(record, step, answer, machine)
            if let unsettled { differences[unsettled].agreesFrom = record.seq }
            unsettled = nil
            knowledge = .certain(machine)
            remember(step)
            agreed += 1
            return differing ?? .agrees
        }
        if isCertain {
            return differ(
                record, .answer(step, state: machine, digest: digest ?? Digest(of: [])), from: machine, step, answer)
        }
        knowledge = knowledge.with(machine)
        return begin(record, event)
    }

    /// The digest of what the machine answered, in the form of the run; where that is not known yet, in the one that agrees.
    private mutating func digest(
        of effects: [Machine.Effect], _ answer: StepEffects?, _ machine: Machine, _ record: TraceRecord
    ) -> Digest? {
        func digest(_ form: DigestForm) -> Digest? {
            guard let covered = form == .all ? answer : try? StepEffects(form.covered(effects, of: Machine.self)) else {
                return nil
            }
            return try? Digest(at: record.at, input: record.input, state: machine, effects: covered)
        }
        if let form { return digest(form) }
        guard let agreeing = DigestForm.allCases.first(where: { digest($0) == record.digest }) else {
            return digest(.all)
        }
        let isTold = DigestForm.allCases.contains {
            $0.covered(effects, of: Machine.self) != agreeing.covered(effects, of: Machine.self)
        }
        if isTold { form = agreeing }
        return digest(agreeing)
    }

    /// The effects and the whole state beside a step that agrees must be those of the machine.
    private mutating func written(
        _ record: TraceRecord, _ step: MachineStep<Machine>, _ answer: StepEffects?, _ machine: Machine
    ) -> MachineVerdict<Machine>? {
        let parted = Self.effects(step.effects, answer, record)
        if record.effects == nil { withoutEffects += 1 }
        if !parted.isEmpty {
            var difference = MachineDifference<Machine>(
                record: record, cause: .effects(step), before: recent, parts: [])
            difference.effects = parted
            return note(difference)
        }
        guard let recorded = record.state, let own = try? CanonicalJSON.text(of: machine), own != recorded else {
            return nil
        }
        return note(
            MachineDifference<Machine>(
                record: record, cause: .wholeState(step), before: recent,
                parts: StatePart.all(recorded: recorded, replayed: own)))
    }

    private mutating func differ(
        _ record: TraceRecord, _ cause: MachineDifference<Machine>.Cause, from machine: Machine?,
        _ step: MachineStep<Machine>? = nil, _ answer: StepEffects? = nil
    ) -> MachineVerdict<Machine> {
        var parts: [StatePart] = []
        if case .answer(_, let state, _) = cause, let recorded = record.state,
            let own = try? CanonicalJSON.text(of: state), own != recorded
        {
            parts = StatePart.all(recorded: recorded, replayed: own)
        }
        var difference = MachineDifference<Machine>(record: record, cause: cause, before: recent, parts: parts)
        if let step {
            difference.effects = Self.effects(step.effects, answer, record)
            remember(step)
        }
        let verdict = note(difference)
        if let state = Self.wholeState(record) {
            knowledge = .certain(state)
        } else if let machine {
            knowledge = .doubtful(machine, .difference)
            if differing <= Self.namedMax { unsettled = differing - 1 }
        }
        return verdict
    }

    private static func effects(
        _ effects: [Machine.Effect], _ answer: StepEffects?, _ record: TraceRecord
    ) -> [EffectDifference<Machine>] {
        guard let recorded = record.effects, let answer, recorded != answer.text else { return [] }
        return EffectDifference.all(effects, answer.words, recorded: recorded)
    }

    /// Goes on from the whole state of the record, if it has one.
    private mutating func begin(_ record: TraceRecord, _ event: Machine.Event) -> MachineVerdict<Machine> {
        lastStep = nil
        guard let text = record.state else {
            uncheck(record.seq)
            return .unchecked
        }
        guard let state = Self.wholeState(record) else {
            return note(
                MachineDifference<Machine>(record: record, cause: .unknownState(text), before: recent, parts: []))
        }
        knowledge = .certain(state)
        unsettled = nil
        recent = []
        adopted.append(record.seq)
        return .adopted
    }

    // MARK: Books

    private mutating func note(_ difference: MachineDifference<Machine>) -> MachineVerdict<Machine> {
        differing += 1
        if differences.count < Self.namedMax { differences.append(difference) }
        return .differs(difference)
    }

    private mutating func remember(_ step: MachineStep<Machine>) {
        lastStep = step
        recent.append(step)
        if recent.count > Self.storyLength { recent.removeFirst() }
    }

    private mutating func uncheck(_ seq: UInt64) {
        let why = knowledge.obstacle ?? .noBeginning
        if let last = unchecked.last, last.why == why, last.steps.upperBound.added(1) == seq {
            unchecked[unchecked.count - 1].steps = last.steps.lowerBound...seq
        } else {
            unchecked.append(Unchecked(steps: seq...seq, why: why))
        }
    }

    private mutating func leaveOut(_ record: TraceRecord, _ verdict: MachineVerdict<Machine>) -> MachineVerdict<Machine>
    {
        if misplaced.count < Self.namedMax { misplaced.append(record.seq) }
        return verdict
    }

    private static func wholeState(_ record: TraceRecord) -> Machine? {
        guard let state = record.state.flatMap({ decode(Machine.self, $0) }), state.isPlausible(at: record.at) else {
            return nil
        }
        return state
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

/// One camera's machine, run again.
public typealias CameraReplay = MachineReplay<Camera>
