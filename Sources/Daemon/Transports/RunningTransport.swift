internal import Catalog
internal import Machines

/// A transport that runs.
struct RunningTransport: Sendable {
    /// What is kept of it.
    var kept: KeptTransport
    /// A number that no other machine of a transport has in this run.
    let serial: Int
    /// Decides from when to when it records.
    var machine: PushTransport
    /// The most that is kept of the time before it is triggered, in milliseconds.
    var preRollMs: Int64
    /// The row of the recording that goes on; nil where none does, or it could not be entered.
    var row: Int64?
    /// Why the next recording is triggered by command.
    var reason: String?
    /// How many steps the machine has made.
    var seq: UInt64 = 0

    /// Its name in the trace.
    var name: String { "\(kept.camera)/\(kept.number).\(serial)" }
}
