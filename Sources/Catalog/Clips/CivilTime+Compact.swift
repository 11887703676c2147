import Machines

/// The moment as names of files have it: without a blank or a colon, and in the order of time.
extension CivilTime {
    /// `yyyymmddThhmmss.mmmZ`.
    var compact: String {
        let day = date.year.padded(to: 4) + date.month.padded(to: 2) + date.day.padded(to: 2)
        return "\(day)T\(clock.joined()).\(fraction)Z"
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
        let parsed = (((date.daysSince1970 * 24 + hour) * 60 + minute) * 60 + second) * 1_000 + ms
        // Hour 25 would give another text.
        return CivilTime(epochMs: parsed).compact == text ? parsed : nil
    }
}
