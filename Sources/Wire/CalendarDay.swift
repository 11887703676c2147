/// A day of a calendar, as `2026-11-22`; which moments it has depends on the time zone.
public struct CalendarDay: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The days that can be written with four digits of a year.
    public static let range: ClosedRange<Int32> = -719_162...2_932_896

    /// Days since 1 January 1970, within ``range``.
    public let number: Int32

    /// The day so many days after 1 January 1970; nil beyond the years 1 to 9999.
    public init?(number: Int32) {
        guard Self.range.contains(number) else { return nil }
        self.number = number
    }

    /// The day of a year and month; nil where no calendar has it.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        // Years are counted from March on, so that the day that not each year has is the last (Howard Hinnant, days_from_civil).
        let shifted = month > 2 ? year : year - 1
        let months = (month + 9) % 12
        let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * months + 2) / 5 + day - 1
        guard let number = Int32(exactly: days - 719_468) else { return nil }
        self.number = number
        guard parts == (year, month, day) else { return nil }
    }

    /// Reads `2026-11-22`; nil for anything else.
    public init?(_ text: String) {
        let pieces = text.split(separator: "-", omittingEmptySubsequences: false)
        guard pieces.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 0x2d || (0x30...0x39).contains($0) }),
            let year = Int(pieces[0]), let month = Int(pieces[1]), let day = Int(pieces[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Year, month (1…12) and day of the month.
    public var parts: (year: Int, month: Int, day: Int) {
        let days = Int(number) + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let inEra = days - era * 146_097
        let year = (inEra - inEra / 1_460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * year + year / 4 - year / 100)
        let months = (5 * inYear + 2) / 153
        let month = months < 10 ? months + 3 : months - 9
        return (year + era * 400 + (month <= 2 ? 1 : 0), month, inYear - (153 * months + 2) / 5 + 1)
    }

    /// `2026-11-22`.
    public var description: String {
        let (year, month, day) = parts
        return "\(Self.pad(year, 4))-\(Self.pad(month, 2))-\(Self.pad(day, 2))"
    }

    /// The earlier day is less.
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension CalendarDay: Codable {
    /// Reads `"2026-11-22"`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = CalendarDay(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no day such as 2026-11-22")
        }
        self = day
    }

    /// Writes `"2026-11-22"`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
