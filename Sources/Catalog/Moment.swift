import Machines

/// One moment by both clocks. Monotonic time decides; wall time is an annotation.
public struct Moment: Hashable, Sendable, Codable {
    /// Milliseconds since the boot, 0 or more.
    public var monotonicMs: Int64
    /// UTC epoch milliseconds.
    public var wallMs: Int64

    /// A moment.
    public init(monotonicMs: Int64, wallMs: Int64) {
        self.monotonicMs = monotonicMs
        self.wallMs = wallMs
    }

    /// The moment `ms` later; saturates instead of trapping.
    func advanced(by ms: Int64) -> Moment {
        Moment(monotonicMs: monotonicMs.addingClamped(ms), wallMs: wallMs.addingClamped(ms))
    }
}
