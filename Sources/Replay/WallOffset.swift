public import Machines

/// What o'clock an instant of the boot-time clock was, by one record: the wall clock may have been set since.
public struct WallOffset: Sendable, Hashable {
    /// Wall time less instant, milliseconds.
    private let offsetMs: Int64

    /// The map by a record that the journal took at `wallMs` (milliseconds since 1970), made at `at`; nil without a wall time.
    public init?(at: Instant, wallMs: Int64?) {
        guard let wallMs else { return nil }
        offsetMs = wallMs.subtractingClamped(at.ms)
    }

    /// Milliseconds since 1970 at an instant.
    public func wallMs(at instant: Instant) -> Int64 { (instant + offsetMs).ms }

    /// The instant at a wall time, milliseconds since 1970.
    public func instant(atWallMs wallMs: Int64) -> Instant { Instant(ms: wallMs.subtractingClamped(offsetMs)) }
}
