internal import Explain
internal import Foundation
internal import Replay
internal import Wire

/// The present and the time zone in which times without one are read and all times are shown: the site's, so that
/// "10:00" is the 10:00 of its schedules wherever the command is typed.
struct DisplayClock {
    let now: WallTime
    private let calendar: Calendar
    private let local: LocalTime

    /// A clock at `now` in the zone named `zone`; UTC where this machine does not know the name.
    init(zone: String, now: WallTime) {
        self.now = now
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        self.calendar = calendar
        local = LocalTime(zone: calendar.timeZone)
    }

    /// The present of this machine.
    static var present: WallTime { WallTime(ms: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))) }

    /// Reads `now`, `-10m`, RFC 3339, `2026-11-21`, `2026-11-21 10:00[:30]`, `10:00[:30]`, `today …`, `yesterday …`. A
    /// time that a clock change skips counts from the change on; of one that occurs twice, the first is meant.
    func read(_ text: String) throws(Failure) -> WallTime {
        let text = text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        if text == "now" { return now }
        if text.hasPrefix("-"), let length = TimeLength(argument: String(text.dropFirst())) {
            return WallTime(ms: now.ms - length.ms)
        }
        if let time = WallTime(rfc3339: text) { return time }
        let parts = text.replacing("T", with: " ").split(separator: " ", maxSplits: 1).map(String.init)
        if let time = zoned(parts) { return time }
        throw Failure(
            "\"\(text)\" is not a time; write RFC 3339 (2026-11-21T10:00:00Z), \"2026-11-21\", \"2026-11-21 10:00\", \"10:00\", "
                + "\"yesterday 10:00\", \"-10m\" or \"now\"")
    }

    /// The time zone.
    var zone: TimeZone { calendar.timeZone }

    /// `2026-11-21 10:00:07` in the site's zone.
    func show(_ time: WallTime) -> String { local.show(time) }

    /// Tells traces with the times of this clock, to the millisecond.
    var narrator: Narrator { local.narrator }

    private func zoned(_ parts: [String]) -> WallTime? {
        guard let first = parts.first else { return nil }
        if let day = day(first) { return at(day, clock: parts.count == 2 ? parts[1] : "00:00") }
        guard parts.count == 1 else { return nil }
        return day("today").flatMap { at($0, clock: first) }
    }

    private func day(_ text: String) -> DateComponents? {
        switch text {
        case "today", "yesterday":
            let shift = text == "today" ? 0 : -1
            return calendar.date(byAdding: .day, value: shift, to: Self.date(now)).map {
                calendar.dateComponents([.year, .month, .day], from: $0)
            }
        default:
            // RFC 3339's own check of the date keeps 2026-02-30 from becoming March.
            guard WallTime(rfc3339: text + "T00:00:00Z") != nil else { return nil }
            let numbers = text.split(separator: "-").compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            return DateComponents(year: numbers[0], month: numbers[1], day: numbers[2])
        }
    }

    private func at(_ day: DateComponents, clock: String) -> WallTime? {
        let fields = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count),
            fields.allSatisfy({ $0.count == 2 && $0.allSatisfy { ("0"..."9").contains($0) } })
        else {
            return nil
        }
        let numbers = fields.compactMap { UInt8($0) }.map { Int($0) }
        guard numbers.count == fields.count, numbers[0] <= 23, numbers[1] <= 59, (numbers.dropFirst(2).first ?? 0) <= 59
        else { return nil }
        var parts = day
        (parts.hour, parts.minute, parts.second) = (numbers[0], numbers[1], numbers.dropFirst(2).first ?? 0)
        return calendar.date(from: parts).map { WallTime(ms: Int64(($0.timeIntervalSince1970 * 1_000).rounded())) }
    }

    private static func date(_ time: WallTime) -> Date { Date(timeIntervalSince1970: Double(time.ms) / 1_000) }
}
