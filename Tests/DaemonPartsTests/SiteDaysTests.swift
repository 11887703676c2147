import Foundation
import Server
import Testing

@testable import Daemon

@Suite("The days of the site's calendar")
struct SiteDaysTests {
    private func hours(_ text: String, _ zone: String) throws -> Double {
        let day = try #require(CalendarDay(text))
        let days = SiteDays(zone: try #require(TimeZone(identifier: zone)))
        let interval = try #require(days.interval(of: day))
        #expect(days.day(atMs: interval.lowerBound) == day && days.day(atMs: interval.upperBound - 1) == day)
        #expect(days.day(atMs: interval.lowerBound - 1)?.number == day.number - 1)
        #expect(days.day(atMs: interval.upperBound)?.number == day.number + 1)
        return Double(interval.count) / 3_600_000
    }

    @Test("a day has 24 hours, and 23 or 25 where the clocks are changed, wherever midnight lies")
    func length() throws {
        #expect(try hours("2026-11-22", "Europe/Rome") == 24)
        #expect(try hours("2026-03-29", "Europe/Rome") == 23)
        #expect(try hours("2026-10-25", "Europe/Rome") == 25)
        // The clocks of Beirut are put forward at midnight: the day begins at one o'clock.
        #expect(try hours("2026-03-29", "Asia/Beirut") == 23)
        #expect(try hours("2026-10-04", "Australia/Lord_Howe") == 23.5)
        #expect(try hours("1970-01-01", "UTC") == 24)
    }

    @Test("what is no day of a calendar is none; each day is read as it is written")
    func text() throws {
        for text in [
            "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "0000-01-01", "10000-01-01", "", "2026-11-22T",
            "+026-11-22", "2026-11-31",
        ] { #expect(CalendarDay(text) == nil, "\(text)") }
        for number: Int32 in [-719_162, -1, 0, 1, 59, 60, 20_000, 20_512, 2_932_896] {
            let day = try #require(CalendarDay(number: number))
            #expect(CalendarDay("\(day)") == day)
        }
        #expect(CalendarDay("1970-01-01")?.number == 0 && CalendarDay("2024-02-29")?.number == 19_782)
        #expect(CalendarDay(number: 2_932_897) == nil && CalendarDay(number: .min) == nil)
    }
}
