/// A UTC date and time of day in the proleptic Gregorian calendar, by arithmetic alone: file names must not depend on a
/// locale, a time zone file, or a formatter's cost.
struct CivilTime: Hashable, Sendable {
    let year: Int64
    let month: Int64
    let day: Int64
    let msOfDay: Int64

    private static let msPerDay: Int64 = 86_400_000

    /// The moment `epochMs` milliseconds after 1970-01-01T00:00Z.
    init(epochMs: Int64) {
        let days = epochMs >= 0 ? epochMs / Self.msPerDay : (epochMs + 1) / Self.msPerDay - 1
        msOfDay = epochMs - days * Self.msPerDay
        // Years are counted from 1 March, so that the leap day is the last of its year; eras are 400 years.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Midnight of a date, milliseconds since the epoch.
    static func epochMs(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return (era * 146_097 + dayOfEra - 719_468) * msPerDay
    }

    /// `yyyymmddThhmmss.mmmZ`.
    var compact: String {
        let seconds = msOfDay / 1000
        return Self.pad(year, 4) + Self.pad(month, 2) + Self.pad(day, 2) + "T" + Self.pad(seconds / 3600, 2)
            + Self.pad(seconds / 60 % 60, 2) + Self.pad(seconds % 60, 2) + "." + Self.pad(msOfDay % 1000, 3) + "Z"
    }

    /// Reads what `compact` writes; nil for anything else.
    static func parse(_ text: Substring) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "."),
            bytes[19] == UInt8(ascii: "Z")
        else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8), let hour = number(9..<11),
            let minute = number(11..<13), let second = number(13..<15), let ms = number(16..<19)
        else { return nil }
        let parsed =
            epochMs(year: year, month: month, day: day) + ((hour * 60 + minute) * 60 + second) * 1000 + ms
        // Month 13 or hour 25 would give another text.
        return CivilTime(epochMs: parsed).compact == text ? parsed : nil
    }

    /// The number with leading zeros up to `width` digits.
    static func pad(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
