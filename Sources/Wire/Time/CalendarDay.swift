internal import Machines

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
        guard year >= 1, let date = CivilDate(year: Int64(year), month: Int64(month), day: Int64(day)),
            let number = Int32(exactly: date.daysSince1970)
        else { return nil }
        self.number = number
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
        let date = CivilDate(daysSince1970: Int64(number))
        return (Int(date.year), Int(date.month), Int(date.day))
    }

    /// `2026-11-22`.
    public var description: String { "\(CivilDate(daysSince1970: Int64(number)))" }

    /// The earlier day is less.
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }
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
