import Machines

/// A UTC date and time of day in the proleptic Gregorian calendar, by arithmetic alone: file names must not depend on a
/// locale, a time zone file, or a formatter's cost.
struct CivilTime: Hashable, Sendable {
    let date: CivilDate
    let msOfDay: Int64

    private static let msPerDay: Int64 = 86_400_000

    /// The moment `epochMs` milliseconds after 1970-01-01T00:00Z.
    init(epochMs: Int64) {
        let days = epochMs >= 0 ? epochMs / Self.msPerDay : (epochMs + 1) / Self.msPerDay - 1
        msOfDay = epochMs - days * Self.msPerDay
        date = CivilDate(daysSince1970: days)
    }

    /// `yyyymmddThhmmss.mmmZ`.
    var compact: String {
        let seconds = msOfDay / 1000
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }.joined()
        let day = date.year.padded(to: 4) + date.month.padded(to: 2) + date.day.padded(to: 2)
        return "\(day)T\(time).\((msOfDay % 1000).padded(to: 3))Z"
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
            let minute = number(11..<13), let second = number(13..<15), let ms = number(16..<19),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        let parsed =
            date.daysSince1970 * msPerDay + ((hour * 60 + minute) * 60 + second) * 1000 + ms
        // Hour 25 would give another text.
        return CivilTime(epochMs: parsed).compact == text ? parsed : nil
    }
}
