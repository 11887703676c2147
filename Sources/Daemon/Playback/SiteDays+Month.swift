internal import Machines
internal import Server

extension SiteDays {
    /// The days of a month, each with its begin and end, in milliseconds since 1970.
    func days(of month: CalendarMonth) -> [(day: CalendarDay, interval: Range<Int64>)] {
        (1...31).compactMap { number in
            guard let day = CalendarDay(year: month.year, month: month.month, day: number),
                let interval = interval(of: day)
            else { return nil }
            return (day, interval)
        }
    }

    /// The begins of the days of a month, and the end of the last: what sums of each are asked with.
    func boundaries(of month: CalendarMonth) -> [Int64] {
        let days = days(of: month)
        return days.map(\.interval.lowerBound) + (days.last.map { [$0.interval.upperBound] } ?? [])
    }

    /// The end of the day of a moment; the moment itself beyond the calendar.
    func endOfDay(atMs wallMs: Int64) -> Int64 {
        day(atMs: wallMs).flatMap(interval(of:))?.upperBound ?? wallMs
    }

    /// The day of a moment as sessions name it; the first of the calendar beyond it.
    func sessionDay(atMs wallMs: Int64) -> Session.Day {
        day(atMs: wallMs).map { Session.Day($0) } ?? Session.Day(CalendarDay.range.lowerBound)
    }
}
