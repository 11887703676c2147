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
}
