internal import Machines

/// Turns wall times (UTC epoch milliseconds) into instants of this boot, and back, as both clocks stand at one moment. What it
/// turns there and back is the same to the millisecond. Never traps, whatever the clocks say.
struct WallDates: Hashable, Sendable {
    /// That moment.
    let now: Instant
    /// The wall time at it.
    let wallMs: Int64

    /// As the clocks stand now.
    init(_ ages: AgeClock) { (now, wallMs) = ages.read() }

    /// When the wall clock will show, or showed, `wallMs`.
    func instant(ofWallMs wallMs: Int64) -> Instant { now + (Instant(ms: wallMs) - Instant(ms: self.wallMs)) }

    /// What the wall clock shows then.
    func wallMs(of instant: Instant) -> Int64 { (Instant(ms: wallMs) + (instant - now)).ms }
}
