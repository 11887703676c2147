package import Machines

/// One thing that a journal was told, as an observer gets it.
package enum JournalObservation {
    /// A record, its fields as they were given.
    case record(MessageKind, camera: String?, fields: [(Field, String)])
    /// A step of a camera's machine: what went in, what came out, and the state after it.
    case step(
        camera: String, seq: UInt64, at: Instant, input: any Encodable, state: any Encodable, effects: any Encodable)
}

extension Journal {
    /// A journal that writes nothing and hands everything to `observer`, on the thread that says it: for a simulation.
    package convenience init(observer: @escaping @Sendable (JournalObservation) -> Void) {
        self.init(JournalOptions(version: ""), observer: observer)
    }
}
