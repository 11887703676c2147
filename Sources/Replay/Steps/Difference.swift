public import Machines
public import Trace

/// One step that is not as its record says, with what led there.
public struct MachineDifference<Machine: ReplayedMachine>: Sendable, Hashable {
    /// What differs.
    public enum Cause: Sendable, Hashable {
        /// The machine answered with other effects or another state.
        case answer(MachineStep<Machine>, state: Machine, digest: Digest)
        /// The machine answered as recorded, but the effects written beside are others.
        case effects(MachineStep<Machine>)
        /// The machine answered as recorded, but the whole state written beside is another.
        case wholeState(MachineStep<Machine>)
        /// The instant lies too far behind that of the step before.
        case instant(afterMs: Int64)
        /// The input is none that this version knows.
        case unknownInput(String)
        /// The whole state is none that this version knows, or none that a step can leave.
        case unknownState(String)
    }

    /// The record.
    public let record: TraceRecord
    /// What differs.
    public let cause: Cause
    /// The last steps before it, oldest first.
    public let before: [MachineStep<Machine>]
    /// Where state and record part, if the record has a whole state: empty if they do not, or it has none.
    public let parts: [StatePart]
    /// Where effects and record part, if the record has effects: empty if they do not, or it has none.
    public internal(set) var effects: [EffectDifference<Machine>] = []
    /// The first later step that agreed although no whole state was read in between: from there on the machine was what the
    /// daemon's was, so this one record is wrong and not the machine.
    public internal(set) var agreesFrom: UInt64?
}

/// An order or a report that is not as the record of its step has it.
public enum EffectDifference<Machine: ReplayedMachine>: Sendable, Hashable {
    /// The machine gives it, and the record does not have it.
    case missing(Machine.Effect)
    /// The record has one with this digest, and the machine does not give it.
    case added(String)
    /// The record has one with this digest in its place.
    case altered(Machine.Effect, String)
    /// The record has it behind one that the machine gives after it.
    case outOfOrder(Machine.Effect)

    /// The most that are named of one step.
    static var countMax: Int { 12 }

    /// Where the effects of a step and those in its record part; at most ``countMax``. A machine that slept for weeks may answer with
    /// any number of effects, so what begin and end have in common is passed over, and of the rest ``coreMax`` are compared.
    static func all(_ effects: [Machine.Effect], _ words: [String], recorded: String) -> [EffectDifference] {
        let splits = words.count + coreMax
        let written =
            recorded.isEmpty
            ? []
            : recorded.split(separator: " ", maxSplits: splits, omittingEmptySubsequences: false).map { String($0) }
        let shorter = min(words.count, written.count)
        let begin = (0..<shorter).first { words[$0] != written[$0] } ?? shorter
        let length = shorter - begin
        let end =
            (0..<length).first { words[words.count - 1 - $0] != written[written.count - 1 - $0] } ?? length
        var (left, right): ([Int], [Int]) = ([], [])
        let core = words[begin..<(words.count - end)].prefix(coreMax)
        for change in written[begin..<(written.count - end)].prefix(coreMax).difference(from: core) {
            switch change {
            case .remove(let offset, _, _): left.append(begin + offset)
            case .insert(let offset, _, _): right.append(begin + offset)
            }
        }
        (left, right) = (left.sorted(), right.sorted())
        var found: [EffectDifference] = []
        left.removeAll { index in
            guard let place = right.firstIndex(where: { written[$0] == words[index] }) else { return false }
            right.remove(at: place)
            found.append(.outOfOrder(effects[index]))
            return true
        }
        found += zip(left, right).map { .altered(effects[$0], Self.shown(written[$1])) }
        found += left.dropFirst(right.count).map { .missing(effects[$0]) }
        found += right.dropFirst(left.count).map { .added(Self.shown(written[$0])) }
        return Array(found.prefix(countMax))
    }

    /// How many effects are compared one by one, from the first that differs.
    private static var coreMax: Int { 256 }

    private static func shown(_ word: String) -> String { Narrator.shortened(word) }
}

/// One step of a camera's machine that is not as its record says.
public typealias Difference = MachineDifference<Camera>

/// A value in which the recorded and the replayed state differ.
public struct StatePart: Sendable, Hashable, Codable {
    /// Where it stands, e.g. `link.failures`.
    public let path: String
    /// What the journal has, JSON; nil for nothing.
    public let recorded: String?
    /// What the machine has, JSON; nil for nothing.
    public let replayed: String?
}
