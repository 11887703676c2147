package import Machines

/// One thing that a journal was told, as a witness gets it.
package enum Testimony {
    /// A record, its fields as they were given.
    case record(MessageKind, camera: String?, fields: [(Field, String)])
    /// A step of a camera's machine: what went in, what came out, and the state after it.
    case step(
        camera: String, seq: UInt64, at: Instant, input: any Encodable, state: any Encodable, effects: any Encodable)
}

extension Journal {
    /// A journal that writes nothing and hands everything to `witness`, on the thread that says it: for a simulation.
    package convenience init(witness: @escaping @Sendable (Testimony) -> Void) {
        self.init(JournalOptions(version: ""), witness: witness)
    }
}
