internal import Foundation

/// Times that come again each week, on the wall clock of a time zone.
public struct WeekHours: Hashable, Sendable {
    /// The days on which they begin.
    public let days: Days
    /// Minutes after midnight at which they begin, 0…1439.
    let fromMinute: Int
    /// Minutes after midnight at which they end, 0…1440; where it is not after `fromMinute`, on the next day.
    let toMinute: Int
}

extension [WeekHours] {
    /// Whether a moment of wall time (milliseconds since 1970-01-01 UTC) lies in one of them. Pure.
    func cover(atUnixMs moment: Int64, in zone: TimeZone) -> Bool {
        // Years 1 to 9999: outside, a calendar has no meaning.
        let moment = Swift.min(Swift.max(moment, -62_135_596_800_000), 253_402_300_799_000)
        let minute = TimeOfWeek(unixMs: moment, in: zone).minuteOfWeek
        return contains { $0.days.cover(minuteOfWeek: minute, fromMinute: $0.fromMinute, toMinute: $0.toMinute) }
    }
}
