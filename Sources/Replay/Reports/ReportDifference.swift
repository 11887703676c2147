public import Machines

/// A record of the journal that is not what a step calls for, or one that is not there.
public struct ReportDifference: Sendable, Hashable {
    /// What is wrong.
    public enum Cause: String, Sendable, Hashable, Codable, CaseIterable {
        /// The machine reported it, and the journal does not have it.
        case missing
        /// The journal has it, and the machine did not report it.
        case added
        /// The journal has another one in its place.
        case altered
        /// It stands behind one that the machine reported after it.
        case outOfOrder
    }

    /// The number of the step.
    public let seq: UInt64
    /// The instant of the step.
    public let at: Instant
    /// When the journal took the step, milliseconds since 1970; nil where it does not say.
    public let wallMs: Int64?
    /// What is wrong.
    public let cause: Cause
    /// What the machine reported, in the words of the journal; nil for nothing.
    public let replayed: String?
    /// What the journal has, in its words; nil for nothing.
    public let recorded: String?
    /// The fields that differ.
    public let parts: [StatePart]
}
