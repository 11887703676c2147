public import Machines
public import Trace

/// One step that is not as its record says, with what led there.
public struct MachineDifference<Machine: ReplayedMachine>: Sendable, Hashable {
    /// What differs.
    public enum Cause: Sendable, Hashable {
        /// The machine answered with other effects or another state.
        case answer(MachineStep<Machine>, state: Machine, digest: Digest)
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
    /// The first later step that agreed although no whole state was read in between: from there on the machine was what the
    /// daemon's was, so this one record is wrong and not the machine.
    public internal(set) var agreesFrom: UInt64?
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
