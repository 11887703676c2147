public import Machines

/// Tells in words what a machine took, answered and was: the one place where steps become sentences.
///
/// Clauses without a capital and a stop, so that they can stand after a time or between commas.
public struct Narrator: Sendable {
    let clock: @Sendable (Int64) -> String
    let wall: WallOffset?

    /// A narrator who writes wall times (milliseconds since 1970) by `clock`, and knows by `wall` when an instant was.
    public init(wall: WallOffset? = nil, clock: @escaping @Sendable (Int64) -> String) {
        self.clock = clock
        self.wall = wall
    }

    /// The same, with the wall time of a record.
    public func at(_ instant: Instant, wallMs: Int64?) -> Narrator {
        Narrator(wall: WallOffset(at: instant, wallMs: wallMs) ?? wall, clock: clock)
    }

    /// When an instant was: by the wall clock, or since the boot where that is not known.
    public func time(_ instant: Instant) -> String {
        if let wall { return clock(wall.wallMs(at: instant)) }
        return "\(Self.seconds(instant.ms)) s after boot"
    }

    /// A length: `850 ms`, `12.3 s`, `5 min 2 s`, `3 h 20 min`.
    public static func length(_ ms: Int64) -> String {
        if ms < 0 { return "−" + length(ms == .min ? .max : -ms) }
        if ms < 1_000 { return "\(ms) ms" }
        if ms < 120_000 { return seconds(ms / 100 * 100) + " s" }
        let (seconds, minutes) = (ms / 1_000 % 60, ms / 60_000)
        if minutes < 120 { return "\(minutes) min" + (seconds > 0 ? " \(seconds) s" : "") }
        return "\(minutes / 60) h" + (minutes % 60 > 0 ? " \(minutes % 60) min" : "")
    }

    /// Seconds with as many places as they need, at most three.
    private static func seconds(_ ms: Int64) -> String {
        var places = String((ms.magnitude % 1_000 + 1_000)).dropFirst()
        while places.last == "0" { places = places.dropLast() }
        return (ms < 0 ? "−" : "") + "\(ms.magnitude / 1_000)" + (places.isEmpty ? "" : ".\(places)")
    }
}
