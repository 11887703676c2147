internal import Glibc

/// A day in UTC, as files are named: `2026-11-22`.
struct UTCDay: Hashable, Sendable, Comparable, CustomStringConvertible {
    private static let dayMs: Int64 = 86_400_000

    let description: String
    /// When it begins, milliseconds since 1970.
    let beginMs: Int64

    /// When it ends, milliseconds since 1970.
    var endMs: Int64 { beginMs + Self.dayMs }

    /// The day of a moment, milliseconds since 1970; one beyond the years 0000 to 9999 is the nearest of them.
    init(wallMs: Int64) {
        let days = min(max(wallMs, -62_135_596_800_000), 253_402_300_799_999)
        let count = days >= 0 ? days / Self.dayMs : (days - (Self.dayMs - 1)) / Self.dayMs
        var clock = time_t(count * 86_400)
        var parts = tm()
        // Within the bounds it cannot fail; else the parts stay those of the year 1900.
        _ = gmtime_r(&clock, &parts)
        beginMs = count * Self.dayMs
        description =
            Self.pad(Int(parts.tm_year) + 1_900, 4) + "-" + Self.pad(Int(parts.tm_mon) + 1, 2) + "-"
            + Self.pad(Int(parts.tm_mday), 2)
    }

    /// Reads `2026-11-22`; nil for anything else, and for a day that no calendar has.
    init?(_ text: some StringProtocol) {
        let pieces = text.split(separator: "-", omittingEmptySubsequences: false)
        guard pieces.map(\.utf8.count) == [4, 2, 2], let year = Int32(pieces[0], radix: 10),
            let month = Int32(pieces[1], radix: 10),
            let day = Int32(pieces[2], radix: 10), year >= 1, month >= 1, day >= 1
        else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1_900, month - 1, day)
        self.init(wallMs: Int64(timegm(&parts)) * 1_000)
        guard description == String(text) else { return nil }
    }

    static func < (left: UTCDay, right: UTCDay) -> Bool { left.beginMs < right.beginMs }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
