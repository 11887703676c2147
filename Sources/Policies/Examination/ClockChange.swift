import Foundation

/// One moment at which a zone's clock is put forward or back.
struct ClockChange: Hashable, Sendable {
    /// How far ahead changes are looked for: two years, so that each kind that there is comes.
    static let horizonMs: Int64 = 2 * 366 * 86_400_000

    /// The first moment of the new offset, milliseconds since 1970.
    let atUnixMs: Int64
    /// The offset before, in milliseconds.
    let before: Int64
    /// The offset from then on.
    let after: Int64

    /// The wall clock when it is changed, milliseconds since 1970-01-01 00:00 on it.
    var leaves: Int64 { atUnixMs + before }
    /// What it shows from then on.
    var shows: Int64 { atUnixMs + after }

    /// The changes of a zone after a moment, in order.
    static func upcoming(after start: Int64, in zone: TimeZone) -> [ClockChange] {
        var changes: [ClockChange] = []
        var time = start
        while let at = TimeOfWeek.nextOffsetChange(after: time, until: start + horizonMs, in: zone) {
            changes.append(
                ClockChange(
                    atUnixMs: at, before: TimeOfWeek.offsetMs(atUnixMs: at - 1, in: zone),
                    after: TimeOfWeek.offsetMs(atUnixMs: at, in: zone)))
            time = at
        }
        return changes
    }
}

/// A moment on the wall clock in words.
enum WallClockText {
    private static let dayMs: Int64 = 86_400_000

    /// `2027-03-28`.
    static func date(_ local: Int64) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day], from: Date(timeIntervalSince1970: Double(local) / 1_000))
        let two = { (number: Int?) in (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day))"
    }

    /// `02:30`.
    static func time(_ local: Int64) -> String {
        let rest = ((local % dayMs) + dayMs) % dayMs
        return ClockText.text(minute: Int(rest / 60_000))
    }

    /// `2027-03-28 02:30 (UTC+1)`.
    static func moment(_ local: Int64, offsetMs: Int64) -> String {
        let minutes = offsetMs.magnitude / 60_000
        let rest = minutes % 60 == 0 ? "" : ":\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
        return "\(date(local)) \(time(local)) (UTC\(offsetMs < 0 ? "-" : "+")\(minutes / 60)\(rest))"
    }
}
