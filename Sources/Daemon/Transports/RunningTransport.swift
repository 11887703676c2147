internal import Catalog
internal import Machines

/// A transport that runs.
struct RunningTransport: Sendable {
    /// What is kept of it.
    var kept: KeptTransport
    /// Decides from when to when it records.
    var machine: PushTransport
    /// The most that is kept of the time before it is triggered, in milliseconds.
    var preRollMs: Int64
    /// The row of the recording that goes on; nil where none does, or it could not be entered.
    var row: Int64?
    /// Why the next recording is triggered by command.
    var reason: String?
}
