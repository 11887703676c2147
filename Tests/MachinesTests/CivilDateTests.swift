import Foundation
import Testing

@testable import Machines

@Suite("Dates by arithmetic alone")
struct CivilDateTests {
    @Test("Each day of the years 1 to 9999 follows the one before, and is found again by its parts")
    func days() throws {
        var before = CivilDate(daysSince1970: -719_163)
        for number in Int64(-719_162)...2_932_896 {
            let date = CivilDate(daysSince1970: number)
            let isNextDay = date.day == before.day + 1 && date.month == before.month && date.year == before.year
            let isNextMonth = date.day == 1 && date.month == before.month % 12 + 1 && before.day >= 28
            guard isNextDay || isNextMonth, date.daysSince1970 == number else {
                Issue.record("day \(number) is \(date), after \(before)")
                return
            }
            before = date
        }
        #expect(before.year == 9_999 && before.month == 12 && before.day == 31)
    }

    @Test("They are those of Foundation's Gregorian calendar since it holds")
    func foundation() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for number in stride(from: Int64(-141_000), to: 200_000, by: 97) {
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(number) * 86_400))
            let date = CivilDate(daysSince1970: number)
            #expect([parts.year, parts.month, parts.day] == [Int(date.year), Int(date.month), Int(date.day)])
        }
    }

    @Test(
        "What no calendar has is no date",
        arguments: [(2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 1, 0)])
    func none(_ year: Int64, _ month: Int64, _ day: Int64) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test("Extreme numbers do not trap")
    func extremes() {
        #expect(CivilDate(daysSince1970: .min).year < CivilDate(daysSince1970: .max).year)
    }

    @Test(
        "A moment has the time of day of UTC, also before 1970",
        arguments: [
            (0, "1970-01-01 00:00:00.000"), (-1, "1969-12-31 23:59:59.999"),
            (86_399_999, "1970-01-01 23:59:59.999"), (-86_400_000, "1969-12-31 00:00:00.000"),
            (1_700_000_000_007, "2023-11-14 22:13:20.007"),
        ] as [(Int64, String)])
    func clock(_ epochMs: Int64, _ text: String) {
        let time = CivilTime(epochMs: epochMs)
        #expect("\(time.date) \(time.clock.joined(separator: ":")).\(time.fraction)" == text)
    }

    @Test("The time of day lies within the day for every number", arguments: [Int64.min, .min + 1, .max])
    func anyMoment(_ epochMs: Int64) {
        #expect((0..<86_400_000).contains(CivilTime(epochMs: epochMs).msOfDay))
    }
}

@Suite("Sums and differences that may not fit")
struct ClampedTests {
    @Test("They are those of the numbers where these fit, and the nearest end where they do not")
    func ends() {
        #expect(Int64(7).addingClamped(-9) == -2 && Int64(7).subtractingClamped(-9) == 16)
        #expect(Int64.max.addingClamped(1) == .max && Int64.min.addingClamped(-1) == .min)
        #expect(Int64.max.addingClamped(.min) == -1 && Int64.min.subtractingClamped(.min) == 0)
        #expect(Int64.max.subtractingClamped(-1) == .max && Int64.min.subtractingClamped(1) == .min)
        #expect(Int64(0).subtractingClamped(.min) == .max && Instant(ms: 0) - Instant(ms: .min) == .max)
    }
}
