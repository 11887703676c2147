import Foundation

/// A moment on the wall clock of a time zone, as far as a weekly schedule needs it.
struct TimeOfWeek {
    private static let dayMs: Int64 = 86_400_000
    private static let weekMs: Int64 = 604_800_000
    /// Offsets do not change twice within this time in any zone of the IANA data base since 1970.
    private static let probeMs: Int64 = 3 * 3_600_000

    /// Milliseconds since Monday 00:00 on the wall clock.
    let msOfWeek: Int64

    init(unixMs: Int64, in zone: TimeZone) {
        let local = unixMs + Self.offsetMs(atUnixMs: unixMs, in: zone)
        // 1970-01-01 was a Thursday, three days after a Monday.
        let rest = (local + 3 * Self.dayMs) % Self.weekMs
        msOfWeek = rest < 0 ? rest + Self.weekMs : rest
    }

    /// Minutes since Monday 00:00, 0…10 079.
    var minuteOfWeek: Int { Int(msOfWeek / 60_000) }

    /// Milliseconds until the wall clock next shows one of these minutes of the week, over 0; a week when there is none.
    func msUntil(firstOf minutes: [Int]) -> Int64 {
        guard let first = minutes.first else { return Self.weekMs }
        let next = minutes.first { Int64($0) * 60_000 > msOfWeek }
        return next.map { Int64($0) * 60_000 - msOfWeek } ?? Int64(first) * 60_000 + Self.weekMs - msOfWeek
    }

    /// The zone's offset from UTC at a moment.
    static func offsetMs(atUnixMs moment: Int64, in zone: TimeZone) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment) / 1000))) * 1000
    }

    /// The first moment after `start`, at most `end`, at which the offset is another one. Found by probing and halving
    /// rather than by the zone's own list of transitions, which does not name those of every zone.
    static func nextOffsetChange(after start: Int64, until end: Int64, in zone: TimeZone) -> Int64? {
        let offset = offsetMs(atUnixMs: start, in: zone)
        var low = start
        while low < end {
            let high = min(low + probeMs, end)
            if offsetMs(atUnixMs: high, in: zone) != offset {
                return halve(low, high) { offsetMs(atUnixMs: $0, in: zone) == offset }
            }
            low = high
        }
        return nil
    }

    /// The first moment in (low, high] at which `same` no longer holds.
    private static func halve(_ low: Int64, _ high: Int64, _ same: (Int64) -> Bool) -> Int64 {
        var low = low
        var high = high
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if same(middle) { low = middle } else { high = middle }
        }
        return high
    }
}
