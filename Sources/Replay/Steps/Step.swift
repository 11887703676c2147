public import Machines
internal import Trace

/// One step as it was run again: the record, and what the machine answered.
public struct MachineStep<Machine: ReplayedMachine>: Sendable, Hashable {
    /// The number of the step in its run.
    public let seq: UInt64
    /// The instant that went into it.
    public let at: Instant
    /// When the journal took its record, milliseconds since 1970; nil where the trace does not say.
    public let wallMs: Int64?
    /// The machine event.
    public let event: Machine.Event
    /// What the machine ordered, in order.
    public let effects: [Machine.Effect]

    init(_ record: TraceRecord, _ event: Machine.Event, _ effects: [Machine.Effect]) {
        seq = record.seq
        at = record.at
        wallMs = record.wallMs
        self.event = event
        self.effects = effects
    }
}

/// One step of a camera's machine.
public typealias Step = MachineStep<Camera>
