internal import Machines

/// A day in UTC, as files are named: `2026-11-22`.
struct UTCDay: Hashable, Sendable, Comparable, CustomStringConvertible {
    private static let dayMs: Int64 = 86_400_000

    let description: String
    /// When it begins, milliseconds since 1970.
    let beginMs: Int64

    /// When it ends, milliseconds since 1970.
    var endMs: Int64 { beginMs + Self.dayMs }

    /// The day of a moment, milliseconds since 1970; one beyond the years 0001 to 9999 is the nearest of them.
    init(wallMs: Int64) {
        let date = CivilTime(epochMs: min(max(wallMs, -62_135_596_800_000), 253_402_300_799_999)).date
        description = "\(date)"
        beginMs = date.daysSince1970 * Self.dayMs
    }

    /// Reads `2026-11-22`; nil for anything else, and for a day that no calendar has.
    init?(_ text: some StringProtocol) {
        let pieces = text.split(separator: "-", omittingEmptySubsequences: false)
        guard pieces.map(\.utf8.count) == [4, 2, 2], let year = Int64(pieces[0], radix: 10),
            let month = Int64(pieces[1], radix: 10), let day = Int64(pieces[2], radix: 10),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        self.init(wallMs: date.daysSince1970 * Self.dayMs)
        guard description == String(text) else { return nil }
    }

    static func < (left: UTCDay, right: UTCDay) -> Bool { left.beginMs < right.beginMs }
}
