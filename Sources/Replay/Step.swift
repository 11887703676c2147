public import Machines
internal import Trace

/// One step as it was run again: the record, and what the machine answered.
public struct Step: Sendable, Hashable {
    /// The number of the step in its run.
    public let seq: UInt64
    /// The instant that went into it.
    public let at: Instant
    /// When the journal took its record, milliseconds since 1970; nil where the trace does not say.
    public let wallMs: Int64?
    /// The machine event.
    public let event: Camera.Event
    /// What the machine ordered, in order.
    public let effects: [Camera.Effect]

    init(_ record: TraceRecord, _ event: Camera.Event, _ effects: [Camera.Effect]) {
        seq = record.seq
        at = record.at
        wallMs = record.wallMs
        self.event = event
        self.effects = effects
    }
}
