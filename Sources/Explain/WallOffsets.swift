public import Machines

/// What o'clock the instants of one boot were, by the records that the journal took: one offset for as long as nobody set
/// the clock.
public struct WallOffsets: Sendable {
    /// By how much the clocks must part to say that the wall clock was set, in milliseconds.
    static let stepMs: Int64 = 1_000

    private struct Piece {
        var from: Instant
        /// Wall time less instant. The journal takes a record a little after its instant, so the least is nearest.
        var offsetMs: Int64

        func wallMs(at instant: Instant) -> Int64 { (instant + offsetMs).ms }
    }

    private var pieces: [Piece] = []

    /// Nothing known.
    public init() {}

    /// A record made at `at` was taken at `wallMs` (milliseconds since 1970); nil where that is not told.
    public mutating func note(at: Instant, wallMs: Int64?) {
        guard let wallMs else { return }
        let offsetMs = Instant(ms: wallMs) - at
        guard let last = pieces.last, (Instant(ms: offsetMs) - Instant(ms: last.offsetMs)).magnitude <= Self.stepMs
        else {
            pieces.append(Piece(from: at, offsetMs: offsetMs))
            return
        }
        pieces[pieces.count - 1].offsetMs = min(last.offsetMs, offsetMs)
    }

    /// Milliseconds since 1970 at an instant; nil where no record tells.
    public func wallMs(at instant: Instant) -> Int64? {
        (pieces.last { $0.from <= instant } ?? pieces.first)?.wallMs(at: instant)
    }

    /// The instant at a wall time; where the clock was set back, the last one. Nil where no record tells.
    public func instant(atWallMs wallMs: Int64) -> Instant? {
        (pieces.last { $0.wallMs(at: $0.from) <= wallMs } ?? pieces.first).map {
            Instant(ms: Instant(ms: wallMs) - Instant(ms: $0.offsetMs))
        }
    }
}
