/// A date of the Gregorian calendar, counted back as if it had always held: by arithmetic alone, without a locale, a time zone file
/// or a formatter (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
package struct CivilDate: Hashable, Sendable, CustomStringConvertible {
    /// The year; 0 is the one before year 1.
    package let year: Int64
    /// The month, 1 to 12.
    package let month: Int64
    /// The day of the month, from 1.
    package let day: Int64

    /// Far beyond every date that is written, and far from where a sum would not fit.
    private static let farthest: Int64 = 1 << 40

    /// The date so many days after 1 January 1970, or before; what is more than 2^40 days away becomes that.
    package init(daysSince1970 days: Int64) {
        // Years are counted from 1 March, so that the leap day is the last of its year; eras are 400 years.
        let shifted = min(max(days, -Self.farthest), Self.farthest) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * ofYear + 2) / 153
        day = ofYear - (153 * fromMarch + 2) / 5 + 1
        month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The date of these parts; nil where no calendar has it, and beyond the years 0 to 9999.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard (0...9_999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        guard CivilDate(daysSince1970: daysSince1970) == self else { return nil }
    }

    /// Days since 1 January 1970; negative before it.
    package var daysSince1970: Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
    }

    /// `2026-11-22`.
    package var description: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }
}

extension BinaryInteger {
    /// The number in decimal, with zeros before it up to `width` digits.
    package func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
