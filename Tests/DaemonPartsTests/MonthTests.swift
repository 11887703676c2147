import Foundation
import Machines
import Server
import Testing

@testable import Daemon

@Suite("Months of the site's time zone")
struct MonthTests {
    @Test(
        "A day lasts 23 or 25 hours where the clocks change, and the days of a month follow each other",
        arguments: [
            ("Europe/Rome", "2026-03", "2026-03-29", 23), ("Europe/Rome", "2026-10", "2026-10-25", 25),
            ("America/New_York", "2026-11", "2026-11-01", 25), ("UTC", "2026-03", "2026-03-29", 24),
            // There midnight itself is left out, or comes twice.
            ("Africa/Cairo", "2026-04", "2026-04-24", 23), ("America/Havana", "2026-11", "2026-11-01", 25),
        ])
    func lengths(zone: String, month: String, odd: String, hours: Int64) throws {
        let calendar = SiteDays(zone: try #require(TimeZone(identifier: zone)))
        let days = calendar.days(of: try #require(CalendarMonth(month)))
        #expect((28...31).contains(days.count))
        for (left, right) in zip(days, days.dropFirst()) {
            #expect(left.interval.upperBound == right.interval.lowerBound && left.day < right.day)
        }
        for (day, interval) in days {
            #expect(
                (interval.upperBound - interval.lowerBound) / 3_600_000 == (day.description == odd ? hours : 24),
                "\(day)")
            #expect(calendar.endOfDay(atMs: interval.lowerBound) == interval.upperBound)
            #expect(calendar.endOfDay(atMs: interval.upperBound - 1) == interval.upperBound)
            #expect(calendar.sessionDay(atMs: interval.lowerBound).rawValue == day.number)
        }
    }

    @Test("Beyond the calendar nothing traps")
    func beyond() throws {
        let calendar = SiteDays(zone: .gmt)
        for ms in [WallTime.earliest, WallTime.latest, 0, -1] {
            #expect(calendar.endOfDay(atMs: ms) >= ms)
            _ = calendar.sessionDay(atMs: ms)
        }
        #expect(calendar.days(of: try #require(CalendarMonth("9998-12"))).count == 31)
    }
}
