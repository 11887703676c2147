/// A date and the time of day, in UTC, by arithmetic alone as ``CivilDate`` is.
package struct CivilTime: Hashable, Sendable {
    private static let msPerDay: Int64 = 86_400_000

    /// The day.
    package let date: CivilDate
    /// Milliseconds since the day began.
    package let msOfDay: Int64

    /// The moment `epochMs` milliseconds after 1970-01-01T00:00Z, or before.
    package init(epochMs: Int64) {
        let (days, rest) = epochMs.quotientAndRemainder(dividingBy: Self.msPerDay)
        date = CivilDate(daysSince1970: rest < 0 ? days - 1 : days)
        msOfDay = rest < 0 ? rest + Self.msPerDay : rest
    }

    /// Hours, minutes and seconds, two digits each.
    package var clock: [String] {
        let seconds = msOfDay / 1_000
        return [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }
    }

    /// The milliseconds of the second, three digits.
    package var fraction: String { (msOfDay % 1_000).padded(to: 3) }
}
