/// Reading and writing RFC 3339 without Foundation's formatters, which round through a floating-point number.
extension WallTime {
    /// `2026-11-21T10:00:00.250Z`: always UTC, always three digits of a second.
    public var rfc3339: String {
        var text: [UInt8] = []
        text.reserveCapacity(24)
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the 24 bytes of `rfc3339`.
    public func append(to text: inout [UInt8]) {
        let (day, inDay) = Self.floorDivide(ms, by: 86_400_000)
        let (year, month, dayOfMonth) = Self.civil(day)
        let (seconds, millis) = Self.floorDivide(inDay, by: 1_000)
        // A listing has thousands of them.
        func put(_ number: Int64, from highest: Int64, _ mark: Unicode.Scalar) {
            var power = highest
            while power > 0 {
                text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / power % 10))
                power /= 10
            }
            text.append(UInt8(ascii: mark))
        }
        put(year, from: 1_000, "-")
        put(month, from: 10, "-")
        put(dayOfMonth, from: 10, "T")
        put(seconds / 3_600, from: 10, ":")
        put(seconds / 60 % 60, from: 10, ":")
        put(seconds % 60, from: 10, ".")
        put(millis, from: 100, "Z")
    }

    /// Reads `date "T" time offset` of RFC 3339 section 5.6 (`t` or a blank for `T`, `z` for `Z`, any number of digits
    /// of a second, of which three count). Nil for anything else, an impossible date included. A leap second counts as
    /// the second after it.
    public init?(rfc3339 text: String) {
        var scanner = DigitScanner(text)
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
            let day = scanner.digits(2), scanner.skip("T", "t", " "),
            let hour = scanner.digits(2), scanner.skip(":"), let minute = scanner.digits(2), scanner.skip(":"),
            let second = scanner.digits(2), let millis = scanner.fraction(), let offset = scanner.offset(),
            scanner.isAtEnd
        else { return nil }
        guard (1...12).contains(month), day >= 1, day <= Self.daysIn(month, of: year), hour <= 23, minute <= 59,
            second <= 60
        else { return nil }
        let days = Self.days(year, month, day)
        let local = ((days * 24 + hour) * 60 + minute) * 60 + second
        let ms = (local - offset * 60) * 1_000 + millis
        guard ms >= Self.earliest, ms <= Self.latest else { return nil }
        self.init(ms: ms)
    }

    private static func floorDivide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func daysIn(_ month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 to the date in the proleptic Gregorian calendar. Years are counted from March, so that the
    /// leap day is the last of its year and months have a regular length.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floorDivide(shifted, by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The inverse of `days`.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = (shiftedMonth + 2) % 12 + 1
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
