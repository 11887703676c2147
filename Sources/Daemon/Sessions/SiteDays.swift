internal import Catalog
internal import Foundation
internal import Machines
internal import Server

/// The days of the site's calendar: as long as its time zone makes them, 23 or 25 hours where the clocks are changed.
struct SiteDays: Sendable {
    /// The most days that one list names: thirty years.
    static let listMax = 11_000

    private let calendar: Calendar

    /// The days of a time zone.
    init(zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// The day of a moment, milliseconds since 1970; nil beyond the years 1 to 9999.
    func day(atMs wallMs: Int64) -> CalendarDay? {
        let parts = calendar.dateComponents(
            [.era, .year, .month, .day], from: Date(timeIntervalSince1970: Double(wallMs) / 1_000))
        guard parts.era == 1, let year = parts.year, let month = parts.month, let day = parts.day else { return nil }
        return CalendarDay(year: year, month: month, day: day)
    }

    /// When a day begins, and when the next one does, milliseconds since 1970; nil where the calendar has no such day.
    func interval(of day: CalendarDay) -> Range<Int64>? {
        guard let next = CalendarDay(number: day.number + 1), let from = begin(of: day), let to = begin(of: next),
            from < to
        else { return nil }
        return from..<to
    }

    /// Where the clocks are put forward at midnight the day begins later.
    private func begin(of day: CalendarDay) -> Int64? {
        let (year, month, number) = day.parts
        let noon = DateComponents(year: year, month: month, day: number, hour: 12)
        return calendar.date(from: noon).map { Int64(calendar.startOfDay(for: $0).timeIntervalSince1970 * 1_000) }
    }

    /// The days on which a camera was recorded, in order, whether the clips are on the disk or in the cloud alone: one
    /// question to the catalog for each. A clip that is being written reaches until now. Blocking.
    func recorded(of camera: String, in lookup: ClipLookup, nowMs: Int64) throws -> [CalendarDay] {
        var (days, from): ([CalendarDay], Int64) = ([], .min)
        while days.count < Self.listMax {
            guard let clip = try lookup.first(of: camera, endingAfterMs: from), clip.end != nil || from <= nowMs,
                let first = day(atMs: max(clip.start.wallMs, from == .min ? clip.start.wallMs : from)),
                let whole = interval(of: first)
            else { break }
            guard days.last != first else { break }
            days.append(first)
            from = whole.upperBound
        }
        return days
    }

    /// The clips of a camera that reach into a day, in order; one that is being written reaches until now. Blocking.
    func clips(of camera: String, on day: CalendarDay, in lookup: ClipLookup, nowMs: Int64) throws -> [Clip] {
        guard let interval = interval(of: day) else { return [] }
        let clips = try lookup.clips(
            ClipQuery(
                camera: camera, fromWallMs: interval.lowerBound, toWallMs: interval.upperBound,
                limit: ClipQuery.limitMax, includingOpen: true))
        return clips.filter { $0.end != nil || interval.lowerBound <= max(nowMs, $0.start.wallMs) }
    }
}

extension Session.Day {
    /// A day of the calendar.
    init(_ day: CalendarDay) { self.init(day.number) }
}
