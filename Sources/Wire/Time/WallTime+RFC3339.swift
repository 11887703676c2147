internal import Machines

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
        let date = CivilDate(daysSince1970: day)
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
        put(date.year, from: 1_000, "-")
        put(date.month, from: 10, "-")
        put(date.day, from: 10, "T")
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
        guard let date = CivilDate(year: year, month: month, day: day), hour <= 23, minute <= 59, second <= 60
        else { return nil }
        let local = ((date.daysSince1970 * 24 + hour) * 60 + minute) * 60 + second
        let ms = (local - offset * 60) * 1_000 + millis
        guard ms >= Self.earliest, ms <= Self.latest else { return nil }
        self.init(ms: ms)
    }

    private static func floorDivide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
